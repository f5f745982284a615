import DataControlProtocol
import EventLoop
import LinuxSystem
import WaylandWire

/// The effects of the machine.
extension WaylandDisplay {
    func perform(_ effect: DataControlClient.Effect) {
        switch effect {
        case .request(let request): send(request)
        case .attached(let variant, let version):
            onEvent(.attached(protocol: "\(DataControlManager.interface(of: variant).name) version \(version)"))
        case .settled(let seat, let hasPrimary): onEvent(.settled(seat: seat, hasPrimary: hasPrimary))
        case .unavailable(let reason): onEvent(.unavailable(reason))
        case .changed(let selection, let owner): changed(selection, owner)
        case .ended(let source, let reason): onEvent(.ended(source, reason))
        case .detached(let reason):
            let ended = offers.values
            offers = [:]
            onEvent(.detached(reason))
            for offer in ended { offerDidEnd(offer) }
        case .write(let source, let type, let place):
            if let descriptor = arrived.removeValue(forKey: place) { onRequest(source, type, descriptor) }
        case .close(let place): arrived[place] = nil
        case .synced(let id):
            let answered = syncs.answered(id)
            askForSync()
            for value in answered { value.deliver(true) }
        case .fail(let fault): lose(.fault(fault))
        }
    }

    private func send(_ request: DataControlClient.Request) {
        guard let message = try? request.encoded() else {
            preconditionFailure("the machine leaves out names that are too long for a request")
        }
        let descriptors = message.descriptors.compactMap { attachments.removeValue(forKey: $0) }
        guard !isUnwritable else { return }
        outbox.append(message.bytes, descriptors: descriptors)
        if outbox.count > Self.maxUnsent { lose(.flooded(limit: Self.maxUnsent)) }
    }

    /// Reports the change, and then tells transfers of the previous owner's contents that the offer has ended.
    private func changed(_ selection: SeatSelection, _ owner: DataControlClient.Owner) {
        let ended = offers.removeValue(forKey: selection)
        if case .foreign(let offer, _) = owner { offers[selection] = offer }
        onEvent(.changed(selection, owner))
        if let ended { offerDidEnd(ended) }
    }

    private func offerDidEnd(_ offer: ForeignOfferID) {
        for transfer in incoming.values where transfer.offer == offer { transfer.offerDidEnd() }
    }

    /// Sends a sync request if tasks are waiting for one and no earlier request is unanswered.
    func askForSync() {
        guard isConnected, syncs.isDue else { return }
        let (id, effects) = client.sync()
        if let id { syncs.sent(id) }
        perform(effects)
    }
}
