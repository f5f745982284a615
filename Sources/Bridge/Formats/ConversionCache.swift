import LinuxSystem
import X11Display

/// Makes the forms of one version's sources: each once, shared by all who ask for it.
final class ConversionCache {
    typealias Finish = (Result<EncodedBytes, ConversionFailure>) -> Void

    private struct Waiter {
        let isWanted: () -> Bool
        let finish: Finish
    }

    private enum State {
        case underWay([Waiter])
        case ended(Result<EncodedBytes, ConversionFailure>)
    }

    private let workshop: ConversionPool
    private let link: DisplayProxy
    private let source: (Int, @escaping Finish) -> Void
    /// Whether the sources see to it themselves that nobody waits for them too long.
    let timesSources: Bool
    private var states: [Derivation: State] = [:]

    /// How long a conversion by the display thread may take.
    private static let patience = Duration.seconds(2)

    /// - Parameter source: Gives the bytes of a source, at once or later.
    init(
        workshop: ConversionPool, link: DisplayProxy, timesSources: Bool, source: @escaping (Int, @escaping Finish) -> Void
    ) {
        self.timesSources = timesSources
        self.workshop = workshop
        self.link = link
        self.source = source
    }

    /// Makes what the recipe says, and calls `finish` with it: before it returns where it is there already.
    ///
    /// - Parameter isWanted: Whether `finish` is still to be called. Who has given up is forgotten when the next one asks:
    ///   a promise may never be kept, and be asked for again and again.
    func make(_ recipe: Derivation, isWanted: @escaping () -> Bool = { true }, _ finish: @escaping Finish) {
        let waiter = Waiter(isWanted: isWanted, finish: finish)
        switch states[recipe] {
        case .ended(let result): finish(result)
        case .underWay(let others): states[recipe] = .underWay(others.filter { $0.isWanted() } + [waiter])
        case nil:
            states[recipe] = .underWay([waiter])
            begin(recipe) { self.end(recipe, $0) }
        }
    }

    /// Makes several, one after the other; the first failure ends it.
    ///
    /// A loop, since thousands may be there at once, and each call within a call would cost some of the stack.
    func make(
        all recipes: [Derivation], isWanted: @escaping () -> Bool = { true },
        _ finish: @escaping (Result<[EncodedBytes], ConversionFailure>) -> Void
    ) {
        var materials: [EncodedBytes] = []
        materials.reserveCapacity(recipes.count)
        func proceed() {
            while materials.count < recipes.count {
                var isWithin = true
                var isDone = false
                make(recipes[materials.count], isWanted: isWanted) { result in
                    switch result {
                    case .success(let material):
                        materials.append(material)
                        isDone = true
                        if !isWithin { proceed() }
                    case .failure(let failure): finish(.failure(failure))
                    }
                }
                isWithin = false
                guard isDone else { return }
            }
            finish(.success(materials))
        }
        proceed()
    }

    /// Lets go of all who wait, without a word: their source will not come any more. They hold this maker, as it holds them.
    func forget() {
        states = states.filter { if case .ended = $0.value { true } else { false } }
    }

    private func begin(_ recipe: Derivation, _ finish: @escaping Finish) {
        switch recipe {
        case .source(let index): source(index, finish)
        case .made(let step, let parts):
            make(all: parts) { result in
                switch result {
                case .success(let materials): self.perform(step, on: materials, finish)
                case .failure(let failure): finish(.failure(failure))
                }
            }
        }
    }

    private func end(_ recipe: Derivation, _ result: Result<EncodedBytes, ConversionFailure>) {
        guard case .underWay(let waiting)? = states[recipe] else { return }
        // What broke may succeed the next time: an owner answers, a display is back.
        states[recipe] = result.isFinal && recipe.isWorthKeeping ? .ended(result) : nil
        for waiter in waiting { waiter.finish(result) }
    }

    private func perform(_ step: ConversionStep, on materials: [EncodedBytes], _ finish: @escaping Finish) {
        if materials.contains(where: { $0.held.secret != nil }) {
            return finish(step.keeps(materials).map { .success($0) } ?? .failure(.secret))
        }
        guard let recoding = step.recoding(of: materials) else { return workshop.run(step, on: materials, finish) }
        do throws(ConversionFailure) {
            let text = try materials[0].bytes()
            link.recode(recoding, text, within: Self.patience) { recoded in
                finish(
                    Result { () throws(ConversionFailure) in
                        switch recoded {
                        case .text(let text): return try EncodedBytes.of(text)
                        case .impossible: throw .impossible("the text cannot be brought to or from compound text")
                        case .unavailable: throw .broken("there is no X server to bring the text to compound text")
                        }
                    })
            }
        } catch {
            finish(.failure(error))
        }
    }
}

extension ConversionStep {
    /// The conversion that only Xlib has. A long text is none of its business: the display thread serves others.
    fileprivate func recoding(of materials: [EncodedBytes]) -> Recoding? {
        guard let length = materials.first?.range.count, length <= XDisplay.longestCompoundText else { return nil }
        return switch self {
        case .compoundText: .toCompoundText
        case .utf8Text where materials.first?.isCompoundText == true: .fromCompoundText
        default: nil
        }
    }
}

extension Result where Success == EncodedBytes, Failure == ConversionFailure {
    /// Whether another try would end the same way.
    fileprivate var isFinal: Bool {
        switch self {
        case .success, .failure(.impossible), .failure(.failed), .failure(.noEntry), .failure(.promiseBroken): true
        case .failure(.broken), .failure(.source), .failure(.refused): false
        }
    }
}

extension Derivation {
    /// Whether it is kept once it is made: each costs a descriptor. What is quickly made of a list, of which there may be
    /// thousands of entries, is not.
    fileprivate var isWorthKeeping: Bool {
        guard case .made(let step, _) = self else { return true }
        switch step {
        case .listEntry, .urlLines, .linkAddress, .colorText, .constant, .cutMark: return false
        case .utf8Text, .latin1Text, .compoundText, .utf8HTML, .plainTextFromHTML, .plainTextFromRTF, .joinedTexts,
            .archive, .fileList, .copiedFiles, .pathLines, .mozillaLink, .netscapeLink, .color, .filter:
            return true
        }
    }
}
