import LinuxSystem

/// Makes the forms of one version's sources: each once, shared by all who ask for it.
final class Maker {
    typealias Finish = (Result<Material, MakeFailure>) -> Void

    private enum State {
        case underWay([Finish])
        case ended(Result<Material, MakeFailure>)
    }

    private let workshop: Workshop
    private let link: DisplayLink
    private let source: (Int, @escaping Finish) -> Void
    private var states: [Recipe: State] = [:]

    /// How long a conversion by the display thread may take.
    private static let patience = Duration.seconds(2)

    /// - Parameter source: Gives the bytes of a source, at once or later.
    init(workshop: Workshop, link: DisplayLink, source: @escaping (Int, @escaping Finish) -> Void) {
        self.workshop = workshop
        self.link = link
        self.source = source
    }

    /// Makes what the recipe says, and calls `finish` with it: before it returns where it is there already.
    func make(_ recipe: Recipe, _ finish: @escaping Finish) {
        switch states[recipe] {
        case .ended(let result): finish(result)
        case .underWay(let others): states[recipe] = .underWay(others + [finish])
        case nil:
            states[recipe] = .underWay([finish])
            begin(recipe) { self.end(recipe, $0) }
        }
    }

    private func begin(_ recipe: Recipe, _ finish: @escaping Finish) {
        switch recipe {
        case .source(let index): source(index, finish)
        case .made(let step, let parts):
            gather(parts[...], []) { result in
                switch result {
                case .success(let materials): self.perform(step, on: materials, finish)
                case .failure(let failure): finish(.failure(failure))
                }
            }
        }
    }

    private func end(_ recipe: Recipe, _ result: Result<Material, MakeFailure>) {
        guard case .underWay(let waiting)? = states[recipe] else { return }
        // What broke may succeed the next time: a program is installed, an owner answers.
        states[recipe] = result.isFinal ? .ended(result) : nil
        for finish in waiting { finish(result) }
    }

    private func gather(
        _ parts: ArraySlice<Recipe>, _ materials: [Material],
        _ finish: @escaping (Result<[Material], MakeFailure>) -> Void
    ) {
        guard let part = parts.first else { return finish(.success(materials)) }
        make(part) { result in
            switch result {
            case .success(let material): self.gather(parts.dropFirst(), materials + [material], finish)
            case .failure(let failure): finish(.failure(failure))
            }
        }
    }

    private func perform(_ step: Step, on materials: [Material], _ finish: @escaping Finish) {
        guard let recoding = step.recoding(of: materials) else { return workshop.run(step, on: materials, finish) }
        do throws(MakeFailure) {
            let text = try materials[0].bytes()
            link.recode(recoding, text, within: Self.patience) { recoded in
                finish(
                    Result { () throws(MakeFailure) in
                        guard let recoded else {
                            throw .impossible("the text cannot be brought to or from compound text")
                        }
                        return try Material.of(recoded)
                    })
            }
        } catch {
            finish(.failure(error))
        }
    }
}

extension Step {
    /// The conversion that only Xlib has.
    fileprivate func recoding(of materials: [Material]) -> Recoding? {
        switch self {
        case .compoundText: .toCompoundText
        case .utf8Text where materials.first?.isCompoundText == true: .fromCompoundText
        default: nil
        }
    }
}

extension Material {
    fileprivate var isCompoundText: Bool { (propertyType ?? target) == "COMPOUND_TEXT" }
}

extension Result where Success == Material, Failure == MakeFailure {
    /// Whether another try would end the same way.
    fileprivate var isFinal: Bool {
        switch self {
        case .success, .failure(.impossible), .failure(.noEntry): true
        case .failure(.broken), .failure(.source), .failure(.refused): false
        }
    }
}
