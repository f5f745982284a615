import DataControlProtocol
import WaylandWire

/// The objects of a ``DataControlClient`` that result from its requests and received events, and the invariants of its
/// effects.
struct DataControlView {
    typealias Client = DataControlClient

    private(set) var alive: Set<ObjectID> = []
    /// The objects whose end the compositor has not confirmed.
    private(set) var unconfirmed: Set<ObjectID> = []
    private(set) var offers: Set<ObjectID> = []
    private(set) var device: ObjectID?
    private(set) var isAttached = false
    /// The sources that have not ended.
    private(set) var sources: [SourceID: (object: ObjectID, selection: SeatSelection, types: [String])] = [:]
    private(set) var lastOffer = 0
    private var offerNumbers: [ObjectID: ForeignOfferID] = [:]
    private var syncs: [ObjectID: SyncID] = [:]
    private var descriptors = 0

    // MARK: Events

    /// Prepares for an event, and returns the effects, other than requests and ends, that the event must have.
    mutating func expected(_ subject: CompositorModel.Subject) throws(BrokenInvariant) -> [Client.Effect] {
        switch subject {
        case .nothing, .cancelled, .finished: return []
        case .done(let callback):
            alive.remove(callback)
            unconfirmed.insert(callback)
            return syncs.removeValue(forKey: callback).map { [.synced($0)] } ?? []
        case .deleted(let number):
            guard let object = ObjectID(number), unconfirmed.remove(object) != nil else {
                throw BrokenInvariant("the end of a destroyed object is confirmed")
            }
            return []
        case .introduced(let offer, let device):
            try expect(offers.insert(offer).inserted, "an offer is destroyed before its number is used again")
            guard device == self.device else { return [] }
            lastOffer += 1
            offerNumbers[offer] = ForeignOfferID(lastOffer)
            return []
        case .selection(let device, let selection, let offer, let reported):
            guard device == self.device else { return [] }
            switch reported {
            case .nobody: return [.changed(selection, .nobody)]
            case .ours(let source): return [.changed(selection, .ours(source))]
            case .foreign(let types):
                guard let offer, let number = offerNumbers[offer] else {
                    throw BrokenInvariant("an offer is introduced first")
                }
                return [.changed(selection, .foreign(number, types: types))]
            }
        case .send(let object, let type):
            let descriptor = WireDescriptor(descriptors)
            descriptors += 1
            guard let (id, source) = sources.first(where: { $0.value.object == object }), source.types.contains(type)
            else { return [.close(descriptor)] }
            return [.write(id, type: type, to: descriptor)]
        }
    }

    /// Checks the objects that remain after an event.
    func check(after subject: CompositorModel.Subject) throws(BrokenInvariant) {
        switch subject {
        case .introduced(let offer, let device) where device != self.device:
            try expect(!offers.contains(offer), "an offer of a former device is destroyed")
        case .cancelled(let object):
            try expect(!sources.values.contains { $0.object == object }, "a cancelled source ends")
        case .selection(let device, _, _, _) where device == self.device:
            try expect(offers.count <= 2, "the offer that was the selection is destroyed")
        case .finished(let device): try expect(device != self.device, "a device of a former seat is destroyed")
        default: break
        }
    }

    // MARK: Effects

    /// Records effects.
    ///
    /// - Parameters:
    ///   - setting: The number, selection and types of the source that a call set.
    ///   - sync: The number of the callback that a call asked for.
    /// - Returns: The requests, and the effects other than requests and ends.
    mutating func record(
        _ effects: [Client.Effect], setting: (SourceID, SeatSelection, [String])? = nil, sync: SyncID? = nil
    ) throws(BrokenInvariant) -> (requests: [Client.Request], reports: [Client.Effect]) {
        var requests: [Client.Request] = []
        var reports: [Client.Effect] = []
        for effect in effects {
            switch effect {
            case .request(let request):
                try record(request, setting: setting, sync: sync)
                requests.append(request)
            case .attached:
                try expect(!isAttached && device != nil, "the client attaches to a device once")
                isAttached = true
            case .detached:
                try expect(isAttached && device == nil, "the client detaches from a device once")
                try expect(sources.isEmpty, "all sources have ended without a device")
                try expect(offers.isEmpty, "all offers are destroyed without a device")
                isAttached = false
            case .settled: try expect(isAttached, "the first selections come from a device")
            case .unavailable: try expect(!isAttached, "an attached device is available")
            case .ended(let id, _):
                guard let source = sources.removeValue(forKey: id) else {
                    throw BrokenInvariant("a source ends once")
                }
                try expect(!alive.contains(source.object), "a source that ends is destroyed")
            case .changed, .write, .synced, .close, .fail: reports.append(effect)
            }
        }
        return (requests, reports)
    }

    private mutating func record(
        _ request: Client.Request, setting: (SourceID, SeatSelection, [String])?, sync: SyncID?
    ) throws(BrokenInvariant) {
        do throws(WireError) {
            let size = try request.encoded().bytes.count
            try checkSize(size)
        } catch {
            throw BrokenInvariant("a request is short enough: \(error)")
        }
        switch request {
        case .display(.getRegistry(let registry)): try create(registry)
        case .display(.sync(let callback)):
            try create(callback)
            if let sync { syncs[callback] = sync }
        case .registry(let registry, .bind(_, _, _, let id)):
            try use(registry)
            try create(id)
        case .seat(let seat, _): try destroy(seat)
        case .manager(let manager, .createDataSource(let id)):
            try use(manager)
            try create(id)
            guard let (source, selection, types) = setting else {
                throw BrokenInvariant("a source is created when it is set")
            }
            sources[source] = (id, selection, types)
        case .manager(let manager, .getDataDevice(let id, let seat)):
            try use(manager)
            try use(seat)
            try create(id)
            try expect(device == nil, "there is one device")
            device = id
        case .manager(let manager, .destroy): try destroy(manager)
        case .device(let device, .destroy):
            try destroy(device)
            self.device = nil
        case .device(let device, .setSelection(let source)), .device(let device, .setPrimarySelection(let source)):
            try use(device)
            if let source { try use(source) }
        case .source(let source, .offer): try use(source)
        case .source(let source, .destroy): try destroy(source)
        case .offer(let offer, .receive): try expect(offers.contains(offer), "an offer is received while it exists")
        case .offer(let offer, .destroy): try expect(offers.remove(offer) != nil, "each offer is destroyed once")
        }
    }

    private func checkSize(_ size: Int) throws(WireError) {
        guard size <= WaylandWire.maxMessageLength else { throw .size(size) }
    }

    private mutating func create(_ object: ObjectID) throws(BrokenInvariant) {
        let free = (2...).lazy.compactMap { ObjectID($0) }.first { !alive.contains($0) && !unconfirmed.contains($0) }
        try expect(object == free, "a new object has the smallest free number")
        alive.insert(object)
    }

    private func use(_ object: ObjectID) throws(BrokenInvariant) {
        try expect(alive.contains(object), "a request is for an object that exists")
    }

    private mutating func destroy(_ object: ObjectID) throws(BrokenInvariant) {
        try expect(alive.remove(object) != nil, "an object is destroyed once")
        unconfirmed.insert(object)
    }

    // MARK: The end

    /// Checks that both sides agree once everything has been handled.
    func agree(with model: CompositorModel) throws(BrokenInvariant) {
        try expect(unconfirmed.isEmpty && syncs.isEmpty, "nothing is awaited at the end")
        try expect(Set(model.objects.keys) == alive, "both sides have the same objects")
        try expect(model.offers == offers, "both sides have the same offers")
        try expect(
            isAttached == !(model.seats.isEmpty || model.managers.isEmpty), "the client attaches to an available seat")
        for selection in SeatSelection.allCases {
            let own = sources.values.filter { $0.selection == selection }
            try expect(own.count <= 1, "a selection has at most one source")
            guard let source = own.first, case .device(let seat, _) = device.flatMap({ model.objects[$0] }) else {
                continue
            }
            let contents = model.seats.first { $0.global == seat }?.contents[selection]
            try expect(contents == .source(source.object), "a source that has not ended is the selection")
        }
    }
}
