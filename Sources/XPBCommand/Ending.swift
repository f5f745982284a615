import LinuxSystem

/// What becomes of the end of some bytes.
struct Ending: Equatable {
    /// Without the newline that is left out.
    let range: Range<Int>
    /// The newline that is added.
    let suffix: String

    /// - Parameters:
    ///   - trims: Leave out one newline, LF or CR LF.
    ///   - addsNewline: Add one where what is left does not end with one.
    init(of held: HeldBytes, _ range: Range<Int>, trims: Bool, addsNewline: Bool = false) throws(Failure) {
        guard trims || addsNewline else {
            self.range = range
            suffix = ""
            return
        }
        do {
            let last = try held.bytes(in: max(range.lowerBound, range.upperBound - 3)..<range.upperBound)
            var kept = last[...]
            if trims, kept.last == UInt8(ascii: "\n") {
                kept.removeLast()
                if kept.last == UInt8(ascii: "\r") { kept.removeLast() }
            }
            self.range = range.lowerBound..<range.upperBound - (last.count - kept.count)
            suffix = addsNewline && kept.last != UInt8(ascii: "\n") ? "\n" : ""
        } catch {
            throw Failure(.broken, "the bytes cannot be read: \(error)")
        }
    }
}
