package import FormatConversion
package import SelectionProtocol
package import X11Bridge

/// The targets that a version offers on X11, and the derivation of each body.
package struct OfferPlan: Sendable {
    package struct Body: Sendable {
        package let derivation: Derivation
        package let format: Int
    }

    package let targets: [Offer.Target]
    package let bodies: [Body]

    /// The time that a request waits for a conversion. A later result answers the next request.
    ///
    /// If text takes longer than a second, SDL takes the selection itself, and Firefox pastes nothing.
    private static let timeout = Duration.milliseconds(900)
    /// The time that a request waits for a promise: the program that promised may be busy, and the requestor may be
    /// blocked until the answer.
    private static let promiseTimeout = Duration.milliseconds(500)
    /// The time that a request waits for another program's part in a conversion: the session may have to start it.
    private static let slowTimeout = Duration.seconds(5)

    /// Creates a plan for the names. Names with the same bytes share a body.
    package init(_ names: [FormatName]) {
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

    /// Returns the offer of a version. `sources` returns the bytes of a source; nil while they are promised.
    package func offer(_ id: OfferID, on selection: String, sources: (Int) -> Offer.Bytes?) -> Offer {
        let bodies = bodies.map { body in
            if case .source(let index) = body.derivation, let bytes = sources(index) {
                return Offer.Body(content: .held(bytes), format: body.format)
            }
            let isPromised = body.derivation.sources.contains { sources($0) == nil }
            var timeout = isPromised ? Self.promiseTimeout : Self.timeout
            if case .made(let step, _) = body.derivation, step.isSlow { timeout = Self.slowTimeout }
            return Offer.Body(content: .made(within: timeout), format: body.format)
        }
        return Offer(id: id, selection: selection, targets: targets, bodies: bodies)
    }
}

/// A plan that is made on first use. Without a display, the plan is not needed; with a display, it is made while the
/// store works.
package final class OfferPlanner {
    private let names: () -> [FormatName]
    package private(set) lazy var plan = OfferPlan(names())

    package init(_ names: @escaping () -> [FormatName]) { self.names = names }
}
