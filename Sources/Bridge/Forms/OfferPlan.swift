import SelectionProtocol

/// What a version offers on X11, and what each body is made of.
struct OfferPlan: Sendable {
    struct Body: Sendable {
        let recipe: Recipe
        let format: Int
        /// How long a request waits for it.
        let patience: Duration
    }

    let targets: [Offer.Target]
    let bodies: [Body]

    /// SDL takes the selection itself when a text has not come after a second, and Firefox pastes nothing.
    private static let forTexts = Duration.milliseconds(900)
    /// Qt gives up after five seconds, and takes a later answer for that to its next question.
    private static let forOthers = Duration.seconds(4)

    /// Names with the same bytes share a body.
    init(_ names: [FormName]) {
        struct Key: Hashable {
            let recipe: Recipe
            let format: Int
        }
        var numbers: [Key: Int] = [:]
        var bodies: [Body] = []
        targets = names.map { name in
            let key = Key(recipe: name.recipe, format: name.format)
            let number = numbers[key] ?? bodies.count
            if number == bodies.count {
                numbers[key] = number
                let isText = name.recipe.makesText
                bodies.append(
                    Body(
                        recipe: name.recipe, format: name.format,
                        patience: isText ? Self.forTexts : Self.forOthers))
            }
            return Offer.Target(name: name.name, type: name.propertyType, body: number)
        }
        self.bodies = bodies
    }

    /// The offer of a version whose sources' bytes are these.
    func offer(_ id: OfferID, on selection: String, sources: (Int) -> Offer.Bytes) -> Offer {
        let bodies = bodies.map { body in
            if case .source(let index) = body.recipe {
                return Offer.Body(content: .held(sources(index)), format: body.format)
            }
            return Offer.Body(content: .made(within: body.patience), format: body.format)
        }
        return Offer(id: id, selection: selection, targets: targets, bodies: bodies)
    }
}

extension Recipe {
    fileprivate var makesText: Bool {
        guard case .made(let step, _) = self else { return false }
        switch step {
        case .utf8Text, .latin1Text, .compoundText, .plainTextFromHTML, .plainTextFromRTF, .joinedTexts, .pathLines,
            .urlLines, .linkAddress, .colorText:
            return true
        case .utf8HTML, .fileList, .copiedFiles, .listEntry, .mozillaLink, .netscapeLink, .color, .constant, .filter:
            return false
        }
    }
}
