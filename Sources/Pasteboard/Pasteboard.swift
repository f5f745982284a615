import LinuxSystem
import PasteboardModel
import PasteboardWire

/// A pasteboard of the user's desktop, as every program on it sees it.
///
/// What one program copies, another pastes: ``general`` is the selection that X11 programs know as CLIPBOARD. All work is
/// done by a bridge, a program of the user's own, which is started when none runs.
///
/// ```swift
/// try Pasteboard.general.setString("Hello")
/// let text = try Pasteboard.general.string
/// ```
///
/// Every call asks the bridge and waits for the answer. The owner of the contents may be any program of the desktop; when it
/// does not answer, the call throws ``PasteboardError`` with code ``PasteboardError/Code/silent`` after five seconds.
///
/// A TYPE is a type identifier (`public.html`), a MIME type (`text/html`), an X11 target name (`UTF8_STRING`), a filename
/// extension (`.png`) or a class (`text`, `image`, `html`, `files`, `url`, `color`, `audio`, `video`).
public struct Pasteboard: Hashable, Sendable {
    /// What is copied and pasted.
    public static let general = Pasteboard(.general)

    /// The search string, which programs share; X11 programs know it as PRIMARY.
    public static let find = Pasteboard(.find)

    private let checkedName: PasteboardName

    private init(_ name: PasteboardName) {
        checkedName = name
    }

    /// The pasteboard of that name: `general`, `find`, `secondary`, or an app's own by a reverse-DNS name such as
    /// `com.example.scratch`.
    ///
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/invalidName``, or
    ///   ``PasteboardError/Code/refused`` for a name that a program of the desktop depends on.
    public init(name: String) throws {
        do {
            checkedName = try PasteboardName(validating: name)
        } catch {
            throw PasteboardError(error)
        }
    }

    /// The pasteboard's name.
    public var name: String { checkedName.string }

    /// One step for each change of contents or of owner. It never goes back.
    public var changeCount: Int {
        get throws {
            try client().call(Methods.Count.self, .init(pasteboard: name)).reply.count
        }
    }

    /// The identifiers of the types on offer, each once, the best first, those last that would have to be made of another;
    /// none where the pasteboard is empty.
    public var types: [String] {
        get throws {
            let client = try client()
            let parameters = Methods.Describe.Parameters(pasteboard: name, timeout: client.timeoutMilliseconds)
            var seen: Set<String> = []
            return try Self.presence {
                try client.call(Methods.Describe.self, parameters).reply.items
                    .flatMap(\.representations).map(\.type).filter { seen.insert($0).inserted }
            } ?? []
        }
    }

    /// The bytes of the first item's representation of a type; nil where there is none.
    ///
    /// Asked for by identifier or class, text comes in UTF-8. Asked for by MIME type or target, the owner's bytes come
    /// unchanged.
    public func data(forType type: String) throws -> [UInt8]? {
        try Self.presence { try read([type]) }
    }

    /// The text; nil where there is none. Bytes that are not UTF-8 are replaced.
    public var string: String? {
        get throws {
            try Self.presence { String(decoding: try read(["text"]), as: UTF8.self) }
        }
    }

    /// Replaces the contents by one item with one representation.
    ///
    /// - Returns: The change count.
    @discardableResult
    public func setData(_ bytes: [UInt8], forType type: String) throws -> Int {
        let client = try client()
        let file: MemoryFile
        do {
            file = try MemoryFile.containing(bytes)
        } catch {
            throw PasteboardError(
                code: .transferBroken, message: "there is no memory for \(bytes.count) bytes: \(error)")
        }
        let representation = WireNewRepresentation(
            type: type, bytes: WireBytes(descriptor: 0, offset: 0, length: bytes.count))
        let parameters = Methods.Set.Parameters(
            pasteboards: [name], items: [WireNewItem(representations: [representation])],
            timeout: client.timeoutMilliseconds)
        return try client.call(Methods.Set.self, parameters, descriptors: [file.descriptor]).reply.counts.first ?? 0
    }

    /// Replaces the contents by a text.
    ///
    /// - Returns: The change count.
    @discardableResult
    public func setString(_ string: String) throws -> Int {
        try setData(Array(string.utf8), forType: "text")
    }

    /// Empties the pasteboard.
    ///
    /// - Returns: The change count.
    @discardableResult
    public func clear() throws -> Int {
        let client = try client()
        let parameters = Methods.Clear.Parameters(pasteboards: [name], timeout: client.timeoutMilliseconds)
        return try client.call(Methods.Clear.self, parameters).reply.counts.first ?? 0
    }

    private func client() throws -> BridgeClient {
        try BridgeClient.connect(environment: ThisProcess.environment())
    }

    private func read(_ types: [String]) throws -> [UInt8] {
        let contents = try client().get(pasteboard: name, types: types)
        do {
            return try contents.file.bytes(in: contents.range)
        } catch {
            throw PasteboardError(code: .transferBroken, message: "what the bridge passed cannot be read: \(error)")
        }
    }

    /// Nil where there is nothing of the kind.
    private static func presence<Value>(_ body: () throws -> Value) throws -> Value? {
        do {
            return try body()
        } catch let error as PasteboardError where [.empty, .noSuchType, .noSuchItem].contains(error.code) {
            return nil
        }
    }
}
