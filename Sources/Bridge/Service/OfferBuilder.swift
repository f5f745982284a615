import LinuxSystem
import PasteboardModel
import UniformTypes

/// Makes of a version what is offered on X11: each representation under all the names its type has there.
///
/// X11 knows one item. Of several, the texts are joined by newlines and the files stand in one list; of other types the
/// first item that has them gives them.
struct OfferBuilder {
    private var targets: [Offer.Target] = []
    private var bodies: [Offer.Body] = []
    private var names: Set<String> = []

    /// Builds the offer of a version on a selection.
    static func offer(for version: Board.Version, on selection: String) -> Offer {
        var builder = OfferBuilder()
        for joined in JoinedItems.of(version) { builder.add(joined.representation, file: joined.file) }
        for item in version.contents.items {
            for representation in item.representations {
                builder.add(representation, file: version.files[representation.source])
            }
        }
        return Offer(id: version.id, selection: selection, targets: builder.targets, bodies: builder.bodies)
    }

    private mutating func add(_ representation: Representation, file: MemoryFile) {
        let candidates = X11Targets.names(
            for: representation.type, given: representation.target, exact: representation.exact)
        let isText = representation.type.conforms(to: .plainText)
        bodies.append(Offer.Body(file: file, range: representation.range))
        let body = bodies.count - 1
        var latin: Latin?
        var latinBody: Int?
        for name in candidates where !names.contains(name) {
            // A name that the writer gave stands for the writer's bytes.
            guard isText, name != representation.target else {
                offer(name, type: name, body: body)
                continue
            }
            switch name {
            case "TEXT":
                // The owner chooses the type of TEXT, and says which (ICCCM 2.6.2).
                offer(name, type: "UTF8_STRING", body: body)
            case "STRING", "COMPOUND_TEXT":
                let form = latin ?? Latin(of: file, representation.range)
                latin = form
                guard form.fits(name) else { continue }
                latinBody = latinBody ?? add(form, like: body)
                if let latinBody { offer(name, type: name, body: latinBody) }
            default: offer(name, type: name, body: body)
            }
        }
    }

    private mutating func offer(_ name: String, type: String, body: Int) {
        names.insert(name)
        targets.append(Offer.Target(name: name, type: type, body: body))
    }

    /// The body that has the text in Latin-1: the text's own where it is ASCII.
    private mutating func add(_ latin: Latin, like body: Int) -> Int? {
        guard let bytes = latin.bytes else { return body }
        guard let file = try? MemoryFile.containing(bytes) else { return nil }
        bodies.append(Offer.Body(file: file, range: 0..<bytes.count))
        return bodies.count - 1
    }
}

/// A UTF-8 text in Latin-1, the encoding of STRING (ICCCM 2.7.1), where it fits.
private struct Latin {
    /// Texts longer than this, in bytes, are not looked through: every program that takes texts of that size asks for
    /// UTF-8.
    static let longest = 16 << 20

    private let isLatin: Bool
    /// Whether only graphic characters, tab and newline are in it. Compound text begins in ASCII and Latin-1 and allows
    /// no other control characters (CTEXT, section 4), so such a text is its own compound form.
    private let isGraphic: Bool
    /// Nil where ASCII alone is in it, which is the same in both.
    let bytes: [UInt8]?

    init(of file: MemoryFile, _ range: Range<Int>) {
        guard range.count <= Self.longest, let bytes = try? file.bytes(in: range),
            let text = String(validating: bytes, as: UTF8.self)
        else {
            (isLatin, isGraphic, self.bytes) = (false, false, nil)
            return
        }
        isGraphic = text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x09, 0x0A, 0x20...0x7E, 0xA0...0xFF: true
            default: false
            }
        }
        if bytes.allSatisfy({ $0 < 0x80 }) {
            (isLatin, self.bytes) = (true, nil)
        } else {
            let latin = text.unicodeScalars.map { UInt8(exactly: $0.value) }
            isLatin = !latin.contains(nil)
            self.bytes = isLatin ? latin.compactMap(\.self) : nil
        }
    }

    func fits(_ target: String) -> Bool { isLatin && (target == "STRING" || isGraphic) }
}
