import LinuxSystem

/// Descriptors that came with a stream of messages, until the messages are taken that name them.
struct DescriptorInbox {
    /// Of one message.
    var limit: Int
    private var descriptors: [Descriptor] = []

    /// - Parameter limit: The most of one message.
    init(limit: Int) {
        self.limit = limit
    }

    /// Whether one message would have more than it may.
    var isOverfull: Bool { descriptors.count > limit }

    /// Whether some are of the ``DescriptorReserve``.
    var takesReserve: Bool { descriptors.contains(where: DescriptorReserve.has) }

    mutating func append(_ received: [Descriptor]) {
        descriptors += received
    }

    /// - Throws: `tooManyDescriptors` where ``isOverfull``.
    func check() throws(WireFault) {
        if isOverfull { throw .tooManyDescriptors(limit: limit) }
    }

    /// Takes those that a message names.
    ///
    /// - Parameter isLast: Whether nothing of the next message has come. Descriptors come with the first byte of theirs at
    ///   the latest, so those that are left belong to none.
    /// - Throws: `tooManyDescriptors`, `strayDescriptors`.
    mutating func take(for message: [UInt8], isLast: Bool) throws(WireFault) -> [Descriptor] {
        // Few messages have any, and looking for the names takes its time.
        guard !descriptors.isEmpty else { return [] }
        let count = DescriptorIndices.count(in: message)
        guard count <= limit else { throw .tooManyDescriptors(limit: limit) }
        let taken = Array(descriptors.prefix(count))
        descriptors.removeFirst(taken.count)
        guard !isLast || descriptors.isEmpty else { throw .strayDescriptors(descriptors.count) }
        return taken
    }
}
