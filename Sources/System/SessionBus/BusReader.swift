import CSessionBus
import LinuxSystem
import SystemPackage

/// A reader of a message's arguments. sd-bus has checked the message against its signature.
@safe struct BusReader {
    private let functions: sd_bus_functions
    private let message: OpaquePointer

    /// The limit on nested containers, since messages come from any program. Messages of mutter have four.
    private static let maxDepth = 8

    init(_ functions: sd_bus_functions, _ message: OpaquePointer) {
        self.functions = functions
        unsafe self.message = message
    }

    func arguments() -> [BusValue] { values(depth: 0) }

    /// Returns the values up to the end of the container.
    private func values(depth: Int) -> [BusValue] {
        var values: [BusValue] = []
        while let value = value(depth: depth) { values.append(value) }
        return values
    }

    /// Returns the next value; nil at the end.
    private func value(depth: Int) -> BusValue? {
        var kind: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard unsafe functions.message_peek_type(message, &kind, &contents) > 0 else { return nil }
        switch kind {
        case Kind.string, Kind.path:
            var text: UnsafePointer<CChar>?
            guard unsafe functions.message_read_basic(message, kind, &text) > 0, let text = unsafe text else {
                return nil
            }
            return .string(unsafe String(cString: text))
        case Kind.uint32:
            var number: UInt32 = 0
            return unsafe functions.message_read_basic(message, kind, &number) > 0 ? .uint32(number) : nil
        case Kind.bool:
            var number: Int32 = 0
            return unsafe functions.message_read_basic(message, kind, &number) > 0 ? .bool(number != 0) : nil
        case Kind.descriptor: return descriptor()
        case Kind.array, Kind.structure, Kind.variant, Kind.entry:
            guard depth < Self.maxDepth else { return nil }
            guard unsafe functions.message_enter_container(message, kind, contents) > 0 else { return nil }
            let values = values(depth: depth + 1)
            guard unsafe functions.message_exit_container(message) >= 0 else { return nil }
            return value(of: kind, values)
        default: return unsafe functions.message_skip(message, nil) > 0 ? .other : nil
        }
    }

    /// Returns a copy of a descriptor: the message's own descriptor is closed with the message.
    private func descriptor() -> BusValue? {
        var number: Int32 = -1
        guard unsafe functions.message_read_basic(message, Kind.descriptor, &number) > 0,
            let copy = try? FileDescriptor(rawValue: number).duplicatedCloseOnExec(atLeast: 0)
        else { return nil }
        return .descriptor(Descriptor(adopting: copy))
    }

    private func value(of kind: CChar, _ values: [BusValue]) -> BusValue {
        if kind == Kind.variant { return values.first ?? .other }
        let entries = values.compactMap(\.entry)
        guard kind == Kind.array, !entries.isEmpty, entries.count == values.count else {
            return kind == Kind.entry ? entry(values) : .list(values)
        }
        return .options(Dictionary(entries.map { ($0.key, $0.value) }) { first, _ in first })
    }

    private func entry(_ values: [BusValue]) -> BusValue {
        guard values.count == 2, let key = values[0].string else { return .other }
        return .entry(key: key, value: values[1])
    }
}
