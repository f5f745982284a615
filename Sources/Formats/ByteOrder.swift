/// Which byte of a number comes first.
package enum ByteOrder: Hashable, Sendable {
    /// The least significant.
    case little
    /// The most significant.
    case big

    /// The machine's own.
    package static var native: ByteOrder { UInt16(littleEndian: 1) == 1 ? .little : .big }
}
