import LinuxSystem
import Testing
import UniformTypes

@testable import Bridge
@testable import FormatConversion
@testable import X11Bridge

/// Contents to be asked for, with their bytes: what a derivation says is made at once, but for what needs Xlib.
struct Sample {
    let forms: FormatCatalog
    private let materials: [EncodedBytes]

    /// - Parameter items: For each, the names and the bytes of its representations.
    init(items: [[(String, [UInt8])]], exact: Bool = false, rules: FormatCatalog.Rules = .init()) throws {
        var sources: [FormatCatalog.Source] = []
        var materials: [EncodedBytes] = []
        for (number, item) in items.enumerated() {
            for (name, bytes) in item {
                let (type, target) = try #require(SourceType.concrete(named: name), "\(name)")
                sources.append(FormatCatalog.Source(item: number, type: type, target: target, isExact: exact))
                materials.append(EncodedBytes(try MemoryFile.containing(bytes), target: target))
            }
        }
        forms = FormatCatalog(sources, rules: rules)
        self.materials = materials
    }

    /// One item.
    init(_ representations: (String, String)..., exact: Bool = false, rules: FormatCatalog.Rules = .init()) throws {
        try self.init(items: [representations.map { ($0, Array($1.utf8)) }], exact: exact, rules: rules)
    }

    func make(_ derivation: Derivation) throws -> EncodedBytes {
        switch derivation {
        case .source(let index): materials[index]
        case .made(let step, let parts): try step.carryOut(on: try parts.map { try make($0) })
        }
    }

    /// What X11 peers get under a name; nil where it is not on offer.
    func bytes(_ target: String, items: Range<Int>? = nil) throws -> [UInt8]? {
        let names = forms.names(items: items ?? 0..<forms.itemCount)
        return try names.first { $0.name == target }.map { try make($0.derivation).bytes() }
    }

    func text(_ target: String) throws -> String? {
        try bytes(target).map { String(decoding: $0, as: UTF8.self) }
    }

    var names: [String] { forms.names(items: 0..<forms.itemCount).map(\.name) }

    /// What a reader of the bridge gets.
    func get(_ types: String..., item: Int? = nil, exact: Bool = false) throws -> String? {
        let queries = try types.map { try #require(TypeQuery.parse($0)) }
        let choice = forms.choice(
            for: queries.isEmpty ? FormatCatalog.anything : queries, item: item, exact: exact || queries.isEmpty)
        return try choice.map { String(decoding: try make($0.derivation).bytes(), as: UTF8.self) }
    }
}
