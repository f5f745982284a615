import PasteboardModel
import TestRandom
import UniformTypes

/// An operation on the model of the pasteboards. The pasteboard, item or client that it names need not exist, so any
/// sequence of operations is possible.
enum ModelOperation {
    /// Contents that a client writes: the types of each item. Each representation has its own blob, or all are
    /// promised.
    struct Draft {
        var items: [[String]]
        var expires: Int?
        var localOnly = false
        var isPromised = false
    }

    enum Way { case replacing, appending, into(Int) }

    /// A write. `behind` is the difference between the count and the count that the writer saw; nil for a write without
    /// a check.
    case write(String, Draft, Way, behind: Int?, action: String?, event: Int?)
    case clear(String)
    case foreign(String, window: UInt32)
    case adopt(String, window: UInt32?)
    case revise(String)
    case create(String, client: Int, lasting: Bool, persistent: Bool, hidden: Bool)
    case createUnique(bits: Int, client: Int)
    case persist(String, Bool, client: Int)
    case remove(String)
    case leave(client: Int)
    case undo(String)
    case redo(String)
    case limits(String, levels: Int, budget: Int)
    case read(String, items: [Int]?)

    /// The pasteboard that the operation names; nil if it names no pasteboard.
    var name: String? {
        switch self {
        case .write(let name, _, _, _, _, _), .clear(let name), .foreign(let name, _), .adopt(let name, _),
            .revise(let name), .create(let name, _, _, _, _), .persist(let name, _, _), .remove(let name),
            .undo(let name), .redo(let name), .limits(let name, _, _), .read(let name, _):
            name
        case .createUnique, .leave: nil
        }
    }

    static let systemNames = ["general", "find", "secondary"]
    static let names =
        systemNames + ["a", "b", "c", "d", "e", "f"].map { "com.example." + $0 } + (0..<4).map(uniqueName)
    static let types = [
        "public.html", "public.utf8-plain-text", "public.png", "public.jpeg", "public.rtf", "public.file-url",
        "com.example.custom", "org.nspasteboard.ConcealedType", "org.nspasteboard.TransientType",
    ]

    static func uniqueName(_ bits: Int) -> String { "com.xpb.unique." + String(repeating: "0", count: 31) + "\(bits)" }

    static func name(_ string: String) -> PasteboardName { known[string] ?? .app(string) }

    /// The names in their checked form, computed once.
    private static let known = Dictionary(
        uniqueKeysWithValues: names.compactMap { string in
            (try? PasteboardName(validating: string)).map { (string, $0) }
        })

    /// The kinds of operations, one character each. A kind is chosen as often as it occurs in the string.
    private static let kinds = Array("wwwwwwwwaaaaaiiiiicfffoeeennpprrlllvvuuuuuuuudddddmggg")

    static func random(using generator: inout SeededGenerator) -> ModelOperation {
        func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }
        func one(in count: Int) -> Bool { number(0..<count) == 0 }
        func pick(_ list: [String]) -> String { list[number(0..<list.count)] }
        // Only system pasteboards have undo, so most operations are on system pasteboards.
        let name = one(in: 2) ? pick(names) : pick(systemNames)
        switch kinds[number(0..<kinds.count)] {
        case "w": return write(on: name, .replacing, items: 0..<4, using: &generator)
        case "a": return write(on: name, .appending, items: 1..<3, using: &generator)
        case "i": return write(on: name, .into(number(-1..<5)), items: 1..<2, using: &generator)
        case "c": return .clear(name)
        case "f": return .foreign(name, window: UInt32(number(1..<9)))
        case "o": return .adopt(name, window: one(in: 2) ? nil : UInt32(number(1..<9)))
        case "e":
            return .create(name, client: number(0..<4), lasting: one(in: 8), persistent: one(in: 4), hidden: one(in: 2))
        case "n": return .createUnique(bits: number(0..<3), client: number(0..<4))
        case "p": return .persist(name, one(in: 2), client: number(0..<4))
        case "r": return .remove(one(in: 8) ? name : pick(names))
        case "l": return .leave(client: number(0..<4))
        case "u": return .undo(name)
        case "d": return .redo(name)
        case "m": return .limits(pick(systemNames), levels: number(0..<6), budget: number(0..<60))
        case "g":
            return .read(name, items: one(in: 2) ? nil : (0..<number(0..<3)).map { _ in number(0..<3) })
        default: return .revise(name)
        }
    }

    private static func write(
        on name: String, _ way: Way, items: Range<Int>, using generator: inout SeededGenerator
    ) -> ModelOperation {
        func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }
        func one(in count: Int) -> Bool { number(0..<count) == 0 }
        let draft = Draft(
            items: (0..<number(items)).map { _ in (0..<number(1..<5)).map { _ in types[number(0..<types.count)] } },
            expires: one(in: 6) ? number(1..<200) : nil, localOnly: one(in: 8), isPromised: one(in: 8))
        return .write(
            name, draft, way, behind: one(in: 4) ? (one(in: 3) ? number(-1..<3) : 0) : nil,
            action: one(in: 3) ? nil : "Copy \(number(0..<100))", event: one(in: 2) ? number(0..<2) : nil)
    }
}

/// A step of a pasteboard's count.
struct ModelStep: Equatable {
    let name: PasteboardName
    /// The count after the step.
    let count: Int
    /// True for the removal of the pasteboard, which is its last step.
    var isRemoval = false
}

/// The outcome of an operation, in terms that the model and its reference share.
enum ModelOutcome: Equatable {
    case nothing
    case made(Bool)
    case name(String)
    case steps([ModelStep])
    /// The numbers of the items that were read, and their types.
    case found([Int], [[String]])
    case failed(String)

    /// The steps that observers see.
    var steps: [ModelStep] { if case .steps(let steps) = self { steps } else { [] } }
}

/// The state of a pasteboard, in terms that the model and its reference share.
struct ModelBoard: Equatable {
    struct Representation: Equatable {
        var type: String
        var source: Int
        var length: Int?
    }

    struct Held: Equatable {
        var items: [[Representation]] = []
        /// The expiry in seconds.
        var expires: Int?
        var localOnly = false
        /// The number of blobs.
        var sources = 0
    }

    var name: String
    var count: Int
    var since: Int
    /// The contents that a client wrote; nil if no client did.
    var held: Held?
    var window: UInt32?
    var isPersistent: Bool
    var isHidden = false
    /// The clients that keep the pasteboard; nil if it is lasting.
    var clients: [Int]?
}

/// The undo and redo stacks, in terms that the model and its reference share.
struct ModelUndo: Equatable {
    var undoable: [ModelBoard.Held?] = []
    var redoable: [ModelBoard.Held?] = []
    var undoActions: [String?] = []
    var redoActions: [String?] = []
}
