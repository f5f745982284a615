/// What our own table says of one type.
struct DeclaredType {
    private let line: SortedLines.Line

    /// Nil when the table does not have it.
    init?(key: String) {
        guard let line = SortedLines.declaredTypes.line(of: key, ignoringCase: true) else { return nil }
        self.line = line
    }

    var parents: [String] { line.names(1) }
    /// Every ancestor once, the nearest first.
    var ancestors: [String] { line.names(1) + line.names(2) }
    /// The preferred one first.
    var mimeTypes: [String] { line.names(3) }
    /// The preferred one first.
    var filenameExtensions: [String] { line.names(4) }
    /// X11 targets it is offered under, best first.
    var targets: [String] { line.names(5) }
    var description: String? {
        let description = line.field(6)
        return description.isEmpty ? nil : description
    }

    /// Whether the type of that key is among its ancestors.
    func descends(from key: String) -> Bool { line.has(key, in: 1) || line.has(key, in: 2) }
}
