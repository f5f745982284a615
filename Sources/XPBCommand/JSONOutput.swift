import FoundationEssentials

/// What `--json` writes: one object a line, with its version.
struct JSONOutput<Body: Encodable>: Encodable {
    let body: Body

    private enum Keys: String, CodingKey { case version = "v" }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(1, forKey: .version)
        try body.encode(to: encoder)
    }
}

extension StandardOutput {
    func write(json body: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try write(String(decoding: try encoder.encode(JSONOutput(body: body)), as: UTF8.self) + "\n")
    }
}

/// Change counts by the names of their pasteboards.
struct CountsJSON: Encodable {
    var counts: [String: Int]

    init(_ names: [String], _ counts: [Int]) {
        self.counts = Dictionary(zip(names, counts)) { _, later in later }
    }
}
