import CSQLite
import TextSearch

/// The tokenizer of the search index, for FTS5, which divides text into ``SearchGrams``. So the index finds parts of
/// words, and words in scripts without spaces. See "SQLite FTS5 Extension", 7.
///
/// The types of contents follow ``typeMark`` and are indexed whole, each with that mark before it. There are few types,
/// so the search itself compares them with its words.
enum SearchTokenizer {
    static let name = "xpb_grams"
    /// The control character before each type in the index.
    static let typeMark = "\u{1F}"

    /// Makes the tokenizer known to a connection. A statement that uses the index needs the tokenizer.
    static func register(on database: OpaquePointer) throws(DatabaseError) {
        unsafe try withInterface(of: database) { (interface) throws(DatabaseError) in
            var tokenizer = unsafe fts5_tokenizer(
                xCreate: { _, _, _, made in
                    // The tokenizer has no state, but FTS5 asks for a pointer.
                    unsafe made?.pointee = OpaquePointer(bitPattern: 1)
                    return SQLITE_OK
                },
                xDelete: { _ in },
                xTokenize: { _, context, flags, text, length, add in
                    guard let add = unsafe add, let text = unsafe text else { return SQLITE_OK }
                    let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Int(length))
                    let sink = unsafe TokenSink(context: context, add: add)
                    return flags & FTS5_TOKENIZE_QUERY != 0
                        ? unsafe sink.add(bytes) : unsafe SearchTokenizer.tokenize(bytes, into: sink)
                })
            let code = unsafe interface.pointee.xCreateTokenizer(interface, name, nil, &tokenizer, nil)
            guard code == SQLITE_OK else { throw DatabaseError(code: code, message: "no tokenizer can be added") }
        }
    }

    /// Calls `body` with the interface of FTS5. See "SQLite FTS5 Extension", 7.
    private static func withInterface(
        of database: OpaquePointer, _ body: (UnsafeMutablePointer<fts5_api>) throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        var statement: OpaquePointer?
        defer { unsafe sqlite3_finalize(statement) }
        var interface: UnsafeMutablePointer<fts5_api>?
        let pointerType: StaticString = "fts5_api_ptr"
        let code = unsafe sqlite3_prepare_v2(database, "SELECT fts5(?1)", -1, &statement, nil)
        guard code == SQLITE_OK else { throw DatabaseError(code: code, message: "FTS5 cannot be used") }
        unsafe withUnsafeMutablePointer(to: &interface) { place in
            let name = unsafe UnsafeRawPointer(pointerType.utf8Start).assumingMemoryBound(to: CChar.self)
            unsafe sqlite3_bind_pointer(statement, 1, place, name, nil)
            unsafe sqlite3_step(statement)
        }
        guard let found = unsafe interface else {
            throw DatabaseError(code: SQLITE_ERROR, message: "this SQLite has no FTS5")
        }
        unsafe try body(found)
    }

    private static func tokenize(_ bytes: UnsafeRawBufferPointer, into sink: TokenSink) -> Int32 {
        let text = unsafe String(decoding: bytes, as: UTF8.self)
        if text.hasPrefix(typeMark) { return tokenize(types: text.dropFirst().split(separator: " "), into: sink) }
        let folded = FoldedText(text).bytes
        var code = SQLITE_OK
        unsafe folded.withUnsafeBytes { bytes in
            SearchGrams.forEach(in: folded) { range in
                guard code == SQLITE_OK else { return }
                code = unsafe sink.add(UnsafeRawBufferPointer(rebasing: bytes[range]))
            }
        }
        return code
    }

    private static func tokenize(types: [Substring], into sink: TokenSink) -> Int32 {
        for type in types {
            let code = unsafe Array((typeMark + type).utf8).withUnsafeBytes { unsafe sink.add($0) }
            guard code == SQLITE_OK else { return code }
        }
        return SQLITE_OK
    }
}

/// The function by which FTS5 takes tokens, with its context.
@safe
private struct TokenSink {
    typealias Function =
        @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32) -> Int32

    let context: UnsafeMutableRawPointer?
    let function: Function

    init(context: UnsafeMutableRawPointer?, add function: @escaping Function) {
        unsafe self.context = context
        unsafe self.function = function
    }

    /// Adds a token, and returns the code of SQLite. The index has no positions.
    func add(_ token: UnsafeRawBufferPointer) -> Int32 {
        let start = unsafe token.baseAddress?.assumingMemoryBound(to: CChar.self)
        return unsafe function(context, 0, start, Int32(token.count), 0, 0)
    }
}
