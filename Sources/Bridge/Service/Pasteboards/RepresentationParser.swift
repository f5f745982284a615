import FormatConversion
import PasteboardModel
import PasteboardWire
import UniformTypes

/// Understands the representations of a call, of which there may be tens of thousands: what is dear is done once for
/// each name, and no more is looked at than a pasteboard can hold.
struct RepresentationParser {
    private var types: [String: (type: UniformType, target: String?)] = [:]
    /// What the types are told apart by, as ``Contents/nameCount`` does it.
    private var names: Set<[UInt8]> = []
    /// How many bytes of lists of URLs may still be looked into.
    private var listBytes = Draft.longestList
    /// What a list costs at the least, in bytes.
    private static let shortestList = 256

    mutating func parse(
        _ representation: WireNewRepresentation, source: Int, backing: Backing
    ) throws(BridgeError) -> Representation {
        let (type, target) = try type(named: representation.type)
        guard let bytes = representation.bytes, let held = backing.held else {
            return Representation(type: type, target: target, exact: representation.exact ?? false, source: source)
        }
        let range = try Draft.range(of: bytes, in: held)
        var isLink = false
        if type == .fileURL {
            let cost = max(range.count, Self.shortestList)
            isLink = cost <= listBytes && Draft.isLink(held, range)
            listBytes -= min(cost, listBytes)
        }
        return Representation(
            type: isLink ? .url : type, target: target, exact: representation.exact ?? false, source: source,
            range: range)
    }

    private mutating func type(named name: String) throws(BridgeError) -> (type: UniformType, target: String?) {
        if let known = types[name] { return known }
        guard name != ItemArchive.mediaType else {
            throw BridgeError(.invalidType, "'\(name)' is what several items are offered in; 'xpb load' writes them")
        }
        guard let found = SourceType.concrete(named: name) else {
            let shown = name.utf8.count > 200 ? String(decoding: name.utf8.prefix(200), as: UTF8.self) + "…" : name
            throw BridgeError(
                .invalidType, "'\(shown)' is no type that bytes can have; name one as 'image/png' or 'public.png'")
        }
        types[name] = found
        names.insert(Array((found.target ?? found.type.identifier).utf8))
        if names.count > Contents.mostNames { throw .tooManyNames }
        return found
    }
}
