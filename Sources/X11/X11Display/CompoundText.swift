import CX11
import Glibc
import Synchronization

/// The lock for Xlib's converters. They share unguarded tables across all displays of the process, so two threads that
/// convert at the same time corrupt the heap.
private let converters = Mutex(())

/// Conversion of compound text, the encoding of X11 before Unicode, by Xlib (X Consortium, Compound Text Encoding).
extension XDisplay {
    /// The maximum length of text to be converted, in bytes: a megabyte takes about 50 ms, during which no request is
    /// served.
    package static let maxCompoundText = 1 << 20

    /// Converts UTF-8 to compound text; nil if the text contains control characters other than tab and newline, which
    /// compound text cannot hold, or if it is too long.
    package func compoundText(fromUTF8 text: [UInt8]) -> [UInt8]? {
        guard !isBroken, text.count <= Self.maxCompoundText, !text.contains(where: Self.isControl) else {
            return nil
        }
        // Xlib silently omits or replaces characters that it cannot convert. Text with such characters is encoded as a
        // single segment of UTF-8 (the extension of XFree86: ESC % G to ESC % @).
        let segment = [0x1B, 0x25, 0x47] + text + [0x1B, 0x25, 0x40]
        return [encoded(text), segment].compactMap(\.self).first { utf8(fromCompoundText: $0) == text }
    }

    /// Converts compound text to UTF-8; nil if the text is malformed or too long. The elements of a list become lines.
    package func utf8(fromCompoundText text: [UInt8]) -> [UInt8]? {
        guard !isBroken, text.count <= Self.maxCompoundText else { return nil }
        if text.isEmpty { return [] }
        // The atom is interned before taking the lock, because interning may wait for the server.
        let compoundTextAtom = compoundTextAtom
        return converters.withLock { _ in decoded(text, compoundTextAtom) }
    }

    private func decoded(_ text: [UInt8], _ compoundTextAtom: CX11.Atom) -> [UInt8]? {
        var value = text
        return unsafe value.withUnsafeMutableBufferPointer { buffer in
            var property = unsafe XTextProperty(
                value: buffer.baseAddress, encoding: compoundTextAtom, format: 8, nitems: UInt(buffer.count))
            var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
            var count: Int32 = 0
            let result = unsafe Xutf8TextPropertyToTextList(handle, &property, &list, &count)
            guard result >= Success, let list = unsafe list else { return nil }
            defer { unsafe XFreeStringList(list) }
            // A positive result is the number of unconvertible characters, which were replaced by a placeholder.
            guard result == Success else { return nil }
            let parts = (0..<Int(count)).map { index -> [UInt8] in
                guard let part = unsafe list[index] else { return [] }
                return unsafe Array(UnsafeRawBufferPointer(start: part, count: strlen(part)))
            }
            return Array(parts.joined(separator: [0x0A]))
        }
    }

    /// Returns true for control characters other than tab and newline. Compound text has none; ESC starts its own
    /// sequences (section 4).
    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x09 && byte != 0x0A || byte == 0x7F
    }

    private func encoded(_ text: [UInt8]) -> [UInt8]? {
        if text.isEmpty { return [] }
        return converters.withLock { _ in converted(text) }
    }

    private func converted(_ text: [UInt8]) -> [UInt8]? {
        var terminated = text.map { CChar(bitPattern: $0) } + [0]
        return unsafe terminated.withUnsafeMutableBufferPointer { buffer in
            var list: [UnsafeMutablePointer<CChar>?] = unsafe [buffer.baseAddress]
            var property = unsafe XTextProperty()
            let result = unsafe Xutf8TextListToTextProperty(handle, &list, 1, XCompoundTextStyle, &property)
            guard result == Success, let value = unsafe property.value else { return nil }
            defer { unsafe XFree(value) }
            return unsafe Array(UnsafeBufferPointer(start: value, count: Int(property.nitems)))
        }
    }

    private var compoundTextAtom: CX11.Atom { intern("COMPOUND_TEXT").xlib }
}
