import CX11
package import SelectionProtocol

/// The value of a property as received from the server.
@safe package final class PropertyValue {
    package let type: SelectionProtocol.Atom
    /// The format: 8, 16 or 32; 0 if the property does not exist.
    package let format: Int
    private let bytes: UnsafeMutablePointer<UInt8>?
    private let items: Int
    /// The number of bytes of the property after this part.
    let remaining: Int

    /// Takes ownership of bytes that Xlib allocated.
    init(type: SelectionProtocol.Atom, format: Int, bytes: UnsafeMutablePointer<UInt8>?, items: Int, remaining: Int) {
        self.type = type
        self.format = format
        unsafe self.bytes = unsafe bytes
        self.items = items
        self.remaining = remaining
    }

    deinit {
        if let bytes = unsafe bytes { unsafe XFree(bytes) }
    }

    /// The length in bytes on the wire, where an item of format 32 takes 4.
    package var length: Int { items * format / 8 }

    /// Calls `body` with the bytes as they were on the wire. Xlib stores each item of format 32 in a `long`.
    package func withBytes<R>(_ body: (RawSpan) throws -> R) rethrows -> R {
        guard let bytes = unsafe bytes, items > 0 else {
            return try body(RawSpan())
        }
        if format == 32 {
            return unsafe try words.withUnsafeBytes { unsafe try body($0.bytes) }
        }
        return unsafe try body(UnsafeRawBufferPointer(start: bytes, count: length).bytes)
    }

    /// The items of a value of format 32; empty for other formats.
    package var words: [UInt32] {
        guard format == 32, items > 0, let bytes = unsafe bytes else { return [] }
        return unsafe bytes.withMemoryRebound(to: UInt.self, capacity: items) { longs in
            unsafe UnsafeBufferPointer(start: longs, count: items).map { UInt32(truncatingIfNeeded: $0) }
        }
    }
}

extension XDisplay {
    /// Replaces a property of a foreign window with 32-bit values.
    package func write(
        _ words: [UInt32], to property: SelectionProtocol.Atom, of window: WindowID, type: SelectionProtocol.Atom
    ) {
        guard !isBroken else { return }
        let longs = words.map { UInt($0) }
        expectError(on: window)
        unsafe longs.withUnsafeBytes { buffer in
            _ = unsafe XChangeProperty(
                handle, window.xlib, property.xlib, type.xlib, 32, PropModeReplace,
                buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(words.count))
        }
    }

    /// Replaces a property of a foreign window with bytes. Long values are written to the socket in place, without a
    /// copy.
    ///
    /// - Parameter format: 8, or 16 if the bytes are 16-bit values in native byte order.
    package func write(
        _ bytes: RawSpan, to property: SelectionProtocol.Atom, of window: WindowID, type: SelectionProtocol.Atom,
        format: Int = 8
    ) {
        guard !isBroken else { return }
        expectError(on: window)
        unsafe bytes.withUnsafeBytes { buffer in
            _ = unsafe XChangeProperty(
                handle, window.xlib, property.xlib, type.xlib, Int32(format), PropModeReplace,
                buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(buffer.count * 8 / format))
        }
    }

    /// Reads at most `maximum` bytes of a property from a byte offset, and deletes the property if this reaches its
    /// end. The offset must be a multiple of 4, the protocol's unit.
    package func read(
        _ property: SelectionProtocol.Atom, of window: WindowID, from offset: Int = 0, maximum: Int,
        deleting: Bool = true
    ) -> PropertyValue {
        var type: CX11.Atom = 0
        var format: Int32 = 0
        var items: UInt = 0
        var remaining: UInt = 0
        var bytes: UnsafeMutablePointer<UInt8>?
        expectError(on: window)
        roundTrips += 1
        guard !isBroken,
            unsafe XGetWindowProperty(
                handle, window.xlib, property.xlib, offset / 4, (maximum + 3) / 4, deleting ? 1 : 0,
                CX11.Atom(AnyPropertyType), &type, &format, &items, &remaining, &bytes) == Success
        else {
            return unsafe PropertyValue(type: .none, format: 0, bytes: nil, items: 0, remaining: 0)
        }
        return unsafe PropertyValue(
            type: SelectionProtocol.Atom(type), format: Int(format), bytes: bytes, items: Int(items),
            remaining: Int(remaining))
    }

    /// Deletes a property and waits for the server, so that a value written afterwards is not deleted.
    private func delete(_ property: SelectionProtocol.Atom, of window: WindowID) {
        guard !isBroken else { return }
        expectError(on: window)
        unsafe XDeleteProperty(handle, window.xlib, property.xlib)
        synchronize()
    }

    /// Reads a whole property in parts, passes each part to `body`, and deletes the property. A format-32 item is never
    /// split.
    ///
    /// - Parameter limit: A property longer than this, in bytes, is deleted as soon as its length is seen, even if it
    ///   grew during the read. `body` has received at most this many bytes.
    /// - Returns: The type, format and total length of the property, as far as they were seen, and its first 32-bit
    ///   value.
    package func readWhole(
        _ property: SelectionProtocol.Atom, of window: WindowID, part: Int = 4 << 20, limit: Int = .max,
        _ body: (PropertyValue) throws -> Void
    ) rethrows -> Conversion.Reading {
        var value = read(property, of: window, maximum: part)
        let (type, format) = (value.type, value.format)
        let firstWord = value.remaining == 0 ? value.words.first : nil
        var length = 0
        while true {
            let end = length + value.length + value.remaining
            // An offset beyond the end or a different type shows that the property has been replaced by another.
            let isChanged = value.type != type || value.format != format
            guard end <= limit, !isChanged else {
                // A read that reaches the end of the property has already deleted it.
                if value.remaining > 0 || isChanged { delete(property, of: window) }
                return Conversion.Reading(
                    type: type, format: format, length: end, firstWord: firstWord, isChanged: isChanged)
            }
            if value.length > 0 { try body(value) }
            length += value.length
            guard value.remaining > 0, value.length > 0 else {
                return Conversion.Reading(type: type, format: format, length: length, firstWord: firstWord)
            }
            value = read(property, of: window, from: length, maximum: part)
        }
    }
}
