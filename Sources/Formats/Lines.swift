/// Bytes taken apart into lines.
enum Lines {
    /// The lines that are not empty. CR, LF and NUL each end one: lists come with CRLF by rule, with LF alone, and from C
    /// programs with a NUL at the end or between two lines.
    static func of(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split { $0 == 0x0A || $0 == 0x0D || $0 == 0 }
    }
}
