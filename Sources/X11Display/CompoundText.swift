import CX11
import Glibc
import Synchronization

/// Xlib's converters share tables in the process that nobody guards, whatever display they are used for: two threads at once
/// spoil the heap.
private let converters = Mutex(())

/// Compound text, the encoding of X11 before Unicode, by Xlib's own converter (X Consortium, Compound Text Encoding).
extension XDisplay {
    /// Texts longer than this, in bytes, are not converted here: a megabyte takes some 50 ms, in which nobody is served.
    package static let longestCompoundText = 1 << 20

    /// A UTF-8 text as compound text; nil where that cannot hold it: with control characters other than tab and newline,
    /// or when it is too long.
    package func compoundText(fromUTF8 text: [UInt8]) -> [UInt8]? {
        guard !isBroken, text.count <= Self.longestCompoundText, !text.contains(where: Self.isControl) else {
            return nil
        }
        // Xlib leaves out what it cannot bring over, or takes something else for it, and says nothing. Such a text goes
        // as the one segment of UTF-8 that it is (the extension of XFree86: ESC % G to ESC % @).
        let segment = [0x1B, 0x25, 0x47] + text + [0x1B, 0x25, 0x40]
        return [encoded(text), segment].compactMap(\.self).first { utf8(fromCompoundText: $0) == text }
    }

    /// A compound text in UTF-8; nil where it is damaged or too long. The parts of a list stand on lines of their own.
    package func utf8(fromCompoundText text: [UInt8]) -> [UInt8]? {
        guard !isBroken, text.count <= Self.longestCompoundText else { return nil }
        if text.isEmpty { return [] }
        // Asked for before the lock is held, as it may wait for the server.
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
            // Above zero: so many characters were not known, and stand as a placeholder.
            guard result == Success else { return nil }
            let parts = (0..<Int(count)).map { index -> [UInt8] in
                guard let part = unsafe list[index] else { return [] }
                return unsafe Array(UnsafeRawBufferPointer(start: part, count: strlen(part)))
            }
            return Array(parts.joined(separator: [0x0A]))
        }
    }

    /// Compound text has no control characters but tab and newline; ESC begins its own sequences (section 4).
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
