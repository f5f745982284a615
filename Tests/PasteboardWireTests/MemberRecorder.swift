@testable import PasteboardWire

/// Finds the members of a `Decodable` type, by having it decoded from nothing and noting what it asks for.
final class MemberRecorder {
    private(set) var members: InterfaceDefinition.Members = [:]

    static func members<Value: Decodable>(of _: Value.Type) throws -> InterfaceDefinition.Members {
        let recorder = MemberRecorder()
        _ = try Value(from: RecordingDecoder(recorder: recorder))
        return recorder.members
    }

    fileprivate func record(_ key: any CodingKey, _ type: String) {
        members[key.stringValue] = type
    }

    /// The name of a type in the interface definition.
    fileprivate static func name(of type: Any.Type) -> String {
        switch type {
        case is String.Type, is WireOwner.Kind.Type, is Methods.Set.Reply.Ending.Type, is WireCapture.State.Type,
            is WireStore.State.Type, is WireSetting.Origin.Type, is WireTransfer.Direction.Type:
            "string"
        case is Int.Type: "int"
        case is Bool.Type: "bool"
        case let array as any ArrayType.Type: "[]" + name(of: array.elementType)
        default: String(String(describing: type).trimmingPrefix("Wire"))
        }
    }
}

private protocol ArrayType {
    static var elementType: Any.Type { get }
}

extension Array: ArrayType {
    static var elementType: Any.Type { Element.self }
}

private struct RecordingDecoder: Decoder {
    let recorder: MemberRecorder
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key>(keyedBy _: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(RecordingContainer<Key>(recorder: recorder))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Unsupported() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Unsupported() }
}

private struct Unsupported: Error {}

private struct RecordingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let recorder: MemberRecorder
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_: Key) -> Bool { true }
    func decodeNil(forKey _: Key) -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        recorder.record(key, MemberRecorder.name(of: type))
        let values: [Any] = [
            "", 0, false, WireOwner.Kind.none, WireCapture.State.waiting, WireStore.State.kept,
            WireSetting.Origin.default, WireTransfer.Direction.sending,
        ]
        if let value = values.lazy.compactMap({ $0 as? Value }).first { return value }
        if let empty = ([] as [Any]) as? Value { return empty }
        return try Value(from: RecordingDecoder(recorder: MemberRecorder()))
    }

    // The library has these for each type and for none in particular.
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try any(type, key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try any(type, key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try any(type, key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { throw Unsupported() }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { throw Unsupported() }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { throw Unsupported() }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { throw Unsupported() }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { throw Unsupported() }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { throw Unsupported() }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { throw Unsupported() }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { throw Unsupported() }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { throw Unsupported() }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { throw Unsupported() }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { throw Unsupported() }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { optional(type, key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { optional(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { optional(type, key) }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? { optional(type, key) }

    private func any<Value>(_ type: Value.Type, _ key: Key) throws -> Value {
        recorder.record(key, MemberRecorder.name(of: type))
        let values: [Any] = ["", 0, false]
        guard let value = values.lazy.compactMap({ $0 as? Value }).first else { throw Unsupported() }
        return value
    }

    private func optional<Value>(_ type: Value.Type, _ key: Key) -> Value? {
        recorder.record(key, "?" + MemberRecorder.name(of: type))
        return nil
    }

    func nestedContainer<Nested>(keyedBy _: Nested.Type, forKey _: Key) throws -> KeyedDecodingContainer<Nested> {
        throw Unsupported()
    }
    func nestedUnkeyedContainer(forKey _: Key) throws -> any UnkeyedDecodingContainer { throw Unsupported() }
    func superDecoder() throws -> any Decoder { throw Unsupported() }
    func superDecoder(forKey _: Key) throws -> any Decoder { throw Unsupported() }
}
