package import DataControlProtocol
import EventLoop
package import LinuxSystem
import SystemPackage

/// The selections.
extension WaylandDisplay {
    package func canSet(_ selection: SeatSelection) -> Bool { isConnected && client.canSet(selection) }

    package func set(
        _ selection: SeatSelection, types: [String], marker: String, isWithheld: Bool
    ) -> SourceID? {
        guard canSet(selection) else { return nil }
        let (source, effects) = client.set(selection, types: types, marker: marker)
        perform(effects)
        return isConnected ? source : nil
    }

    package func clear(_ selection: SeatSelection) -> SourceID? {
        guard canSet(selection) else { return nil }
        let (number, effects) = client.clear(selection)
        perform(effects)
        return isConnected ? number : nil
    }

    package func synchronize(within timeout: Duration) async -> Bool {
        guard isConnected else { return false }
        let value = PendingValue<Bool>()
        syncs.add(value)
        askForSync()
        return await value.get(within: timeout, on: timers)
    }
}

/// Contents on their way through pipes.
extension WaylandDisplay {
    package func receive(
        _ offer: ForeignOfferID, type: String, idleTimeout: Duration, limit: Int?,
        onStream: ((SpooledSocket) -> Void)?
    ) async throws(PipeFailure) -> MemoryFile? {
        guard !Task.isCancelled else { throw .cancelled }
        let transfer = try startReceiving(
            offer, type: type, idleTimeout: idleTimeout, limit: limit, onStream: onStream)
        defer { incoming[ObjectIdentifier(transfer)] = nil }
        let file = try await transfer.contents()
        // A program that dies closes the pipe, as a program with empty contents does. The compositor can tell the two
        // apart.
        if file?.length == 0 { try await checkOffer(offer, within: idleTimeout) }
        return file
    }

    private func startReceiving(
        _ offer: ForeignOfferID, type: String, idleTimeout: Duration, limit: Int?,
        onStream: ((SpooledSocket) -> Void)?
    ) throws(PipeFailure) -> IncomingTransfer {
        guard isConnected else { throw .lost }
        guard incoming.count < maxIncoming else { throw .tooManyTransfers }
        // Both ends are blocking, as a program expects of the writing end that it gets.
        let pipe: (reading: Descriptor, writing: Descriptor)
        do throws(Errno) {
            pipe = try Descriptor.pipe()
        } catch {
            throw .noRoom(error)
        }
        guard !DescriptorReserve.contains(pipe.writing) else { throw .noRoom(.tooManyOpenFiles) }
        guard attach(pipe.writing, to: { client.receive(offer, type: type, into: $0) }) else { throw .offerEnded }
        let transfer = IncomingTransfer(
            of: offer, from: pipe.reading, limit: min(limit ?? maxLength, maxLength),
            hasRoom: { [unowned self] in bytesHeld <= maxBytesHeld }, idleTimeout: idleTimeout, loop: loop,
            timers: timers, onStream: onStream
        ) { [drains] in drains.add($0) }
        incoming[ObjectIdentifier(transfer)] = transfer
        return transfer
    }

    /// Throws if the compositor has ended an offer.
    private func checkOffer(_ offer: ForeignOfferID, within timeout: Duration) async throws(PipeFailure) {
        let isSynchronized = await synchronize(within: timeout)
        guard !Task.isCancelled else { throw .cancelled }
        guard isConnected else { throw .lost }
        guard isSynchronized else { throw .silent }
        guard offers.values.contains(offer) else { throw .offerEnded }
    }

    package var transferCount: Int { incoming.count + outgoing.count }

    /// The number of bytes that transfers under way hold: received bytes, and memory that is being sent.
    package var bytesHeld: Int { incoming.values.map(\.held).reduce(0, +) + outgoing.bytesHeld }
}
