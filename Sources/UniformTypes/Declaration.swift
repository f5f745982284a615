/// What is declared of one type.
struct Declaration: Sendable {
    let identifier: String
    let parents: [String]
    /// The preferred one first.
    let mimeTypes: [String]
    /// The preferred one first, without dots.
    let extensions: [String]
    /// X11 targets it is offered under, best first. Where none are named, it is the preferred MIME type.
    let offered: [String]
    /// X11 targets that mean it and are never offered by us.
    let understood: [String]

    init(
        _ identifier: String, _ parents: [String] = [], mime: [String] = [], extensions: [String] = [],
        offered: [String]? = nil, understood: [String] = []
    ) {
        self.identifier = identifier
        self.parents = parents
        mimeTypes = mime
        self.extensions = extensions
        self.offered = offered ?? mime.prefix(1).map { $0 }
        self.understood = understood
    }
}
