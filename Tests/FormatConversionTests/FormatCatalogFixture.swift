import FormatConversion
import LinuxSystem
import Testing
import UniformTypes

/// Contents with their bytes. Derivations are carried out directly, except derivations by Xlib.
struct Sample {
    let formats: FormatCatalog
    private let sourceBytes: [EncodedBytes]

    /// - Parameter items: The names and bytes of each item's representations.
    init(items: [[(String, [UInt8])]], exact: Bool = false, rules: FormatCatalog.Rules = .init()) throws {
        var sources: [FormatCatalog.Source] = []
        var sourceBytes: [EncodedBytes] = []
        for (number, item) in items.enumerated() {
            for (name, bytes) in item {
                let (type, target) = try #require(SourceType.concrete(named: name), "\(name)")
                sources.append(FormatCatalog.Source(item: number, type: type, target: target, isExact: exact))
                sourceBytes.append(EncodedBytes(try MemoryFile.containing(bytes), target: target))
            }
        }
        formats = FormatCatalog(sources, rules: rules)
        self.sourceBytes = sourceBytes
    }

    /// Creates contents with one item.
    init(_ representations: (String, String)..., exact: Bool = false, rules: FormatCatalog.Rules = .init()) throws {
        try self.init(items: [representations.map { ($0, Array($1.utf8)) }], exact: exact, rules: rules)
    }

    func make(_ derivation: Derivation) throws -> EncodedBytes {
        switch derivation {
        case .source(let index): sourceBytes[index]
        case .made(let step, let parts): try step.carryOut(on: try parts.map { try make($0) })
        }
    }

    /// Returns the bytes that X11 peers get under a name; nil if the name is not on offer.
    func bytes(_ target: String, items: Range<Int>? = nil) throws -> [UInt8]? {
        let names = formats.names(items: items ?? 0..<formats.itemCount)
        return try names.first { $0.name == target }.map { try make($0.derivation).bytes() }
    }

    func text(_ target: String) throws -> String? {
        try bytes(target).map { String(decoding: $0, as: UTF8.self) }
    }

    var names: [String] { formats.names(items: 0..<formats.itemCount).map(\.name) }

    /// Returns the text that a reader of the bridge gets.
    func get(_ types: String..., item: Int? = nil, exact: Bool = false) throws -> String? {
        let queries = try types.map { try #require(TypeQuery.parse($0)) }
        let choice = formats.choice(
            for: queries.isEmpty ? FormatCatalog.anything : queries, item: item, exact: exact || queries.isEmpty)
        return try choice.map { String(decoding: try make($0.derivation).bytes(), as: UTF8.self) }
    }
}
