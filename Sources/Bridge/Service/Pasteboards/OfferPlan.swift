import FormatConversion
import SelectionProtocol
import X11Bridge

/// Makes a plan when it is first asked for: without a display nobody does, and with one there is time for it while the
/// store works.
final class OfferPlanner {
    private let names: () -> [FormatName]
    private(set) lazy var plan = OfferPlan(names())

    init(_ names: @escaping () -> [FormatName]) { self.names = names }
}

/// What a version offers on X11, and what each body is made of.
struct OfferPlan: Sendable {
    struct Body: Sendable {
        let derivation: Derivation
        let format: Int
    }

    let targets: [Offer.Target]
    let bodies: [Body]

    /// How long a request waits for a body that is made. What comes later is kept for the next one.
    ///
    /// SDL takes the selection itself when a text has not come after a second; Firefox pastes nothing then.
    private static let patience = Duration.milliseconds(900)
    /// The same for what a program has promised: it may be about anything else just now, and the requestor, too, stands
    /// still as long.
    private static let promisePatience = Duration.milliseconds(500)

    /// Names with the same bytes share a body.
    init(_ names: [FormatName]) {
        struct Key: Hashable {
            let derivation: Derivation
            let format: Int
        }
        var numbers: [Key: Int] = [:]
        var bodies: [Body] = []
        targets = names.map { name in
            let key = Key(derivation: name.derivation, format: name.format)
            let number = numbers[key] ?? bodies.count
            if number == bodies.count {
                numbers[key] = number
                bodies.append(Body(derivation: name.derivation, format: name.format))
            }
            return Offer.Target(name: name.name, type: name.propertyType, body: number)
        }
        self.bodies = bodies
    }

    /// The offer of a version whose sources' bytes are these, nil where they are promised.
    func offer(_ id: OfferID, on selection: String, sources: (Int) -> Offer.Bytes?) -> Offer {
        let bodies = bodies.map { body in
            if case .source(let index) = body.derivation, let bytes = sources(index) {
                return Offer.Body(content: .held(bytes), format: body.format)
            }
            let isPromised = body.derivation.sources.contains { sources($0) == nil }
            let patience = isPromised ? Self.promisePatience : Self.patience
            return Offer.Body(content: .made(within: patience), format: body.format)
        }
        return Offer(id: id, selection: selection, targets: targets, bodies: bodies)
    }
}
