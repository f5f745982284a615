package import WaylandWire

/// A client of ext-data-control-v1 or wlr-data-control-unstable-v1, for one seat.
///
/// This is a pure state machine: bytes and calls in, effects out, in the order in which to perform them. It has no
/// socket, no clock and no contents, only types and the places of descriptors.
///
/// ## From the start to the first selection
///
/// The compositor lists its globals; a callback ends the list. The machine then binds a manager (preferably ext) and
/// all seats, to learn their names. It creates the device of its seat, which reports the selections. Globals may come
/// and go at any time: without a seat or a manager, the machine waits for the next one.
///
/// ## Offers
///
/// The compositor introduces each offer (data_offer), lists its types, and makes it a selection. The previous offer of
/// that selection is then destroyed. An offer that is never made a selection counts towards a limit. Types whose names
/// are not UTF-8, too long or repeated are left out, as are types that arrive after the offer became a selection.
///
/// ## Sources
///
/// A source is created, filled and set in one go. The compositor reports the change to all devices, including this one,
/// without saying whose it is. A source therefore has a *marker*, a type that no other source has: the first selection
/// with this marker is ours, and any later one is another client's copy. A callback is requested after each source. If
/// the callback comes before that selection, the compositor ignored the source, as a compositor without a primary
/// selection does.
///
/// The previous source stays until it is canceled, or until the new source is the selection, because the compositor
/// may already have asked for the previous source's contents.
///
/// ## Faults
///
/// If the compositor breaks the protocol, the connection ends with ``Effect/fail(_:)``. After that, the machine returns
/// no effects.
package struct DataControlClient: Sendable {
    enum Phase: Sendable, Equatable {
        case created
        /// The list of globals is incomplete.
        case listing
        case running
        case failed
    }

    /// The purpose of a callback.
    enum Callback: Sendable, Equatable {
        /// The list of globals is complete.
        case globals
        /// The seats have their names.
        case names
        /// The device has reported its first selections.
        case device(ObjectID)
        /// The compositor has handled the setting or clearing with this number.
        case selection(SeatSelection, SourceID)
        case caller(SyncID)
    }

    struct Seat: Sendable {
        let global: UInt32
        let version: UInt32
        var object: ObjectID?
        var name: String?
        /// True once the compositor has ended a device of the seat with the event `finished`.
        var isFinished = false
    }

    struct Manager: Sendable {
        let global: UInt32
        let variant: DataControlVariant
        let version: UInt32
        var object: ObjectID?
    }

    struct Device: Sendable {
        let object: ObjectID
        let seat: ObjectID
        let variant: DataControlVariant
        /// True if this version of the protocol has the primary selection.
        let mayHavePrimary: Bool
        /// True once the compositor has sent a primary selection.
        var hasPrimary = false
        /// True once the first selections have been reported.
        var isSettled = false
    }

    struct Offer: Sendable {
        let id: ForeignOfferID
        let device: ObjectID
        var types: [String] = []
        /// The bytes of the types.
        var names: Set<WireString> = []
        var isSelection = false
    }

    struct Source: Sendable {
        let id: SourceID
        let selection: SeatSelection
        let types: Set<WireString>
        let marker: String
        /// True once the compositor has made this source the selection.
        var isConfirmed = false
        /// True once this client has set or cleared the selection again.
        var isSuperseded = false
    }

    /// The name of the seat to use; nil for the first seat.
    let seatName: String?
    let limits: DataControlLimits
    var phase = Phase.created
    var frames = FrameDecoder()
    var descriptors = DescriptorCount()
    var objects: ObjectTable
    var registry: ObjectID?
    var callbacks: [ObjectID: Callback] = [:]
    /// Seats and managers in the order of their announcement.
    var seats: [Seat] = []
    var managers: [Manager] = []
    var device: Device?
    var offers: [ObjectID: Offer] = [:]
    /// The offers that are selections.
    var selections: [SeatSelection: ObjectID] = [:]
    var sources: [ObjectID: Source] = [:]
    /// The last numbers assigned.
    private var lastSource = 0
    private var lastOffer = 0
    private var lastSync = 0

    /// - Parameter seat: The name of the seat to use; nil for the first seat.
    package init(seat: String? = nil, limits: DataControlLimits = DataControlLimits()) {
        seatName = seat
        self.limits = limits
        objects = ObjectTable(limit: limits.objects)
    }

    /// True while the selections of a seat are known.
    package var isAttached: Bool { device != nil }

    /// The names of the seats, in the order of their announcement. A seat of version 1 has no name.
    package var seatNames: [String] { seats.compactMap(\.name) }

    /// The number of descriptors that have arrived ahead of their messages.
    package var waitingDescriptors: Int { descriptors.waiting }

    // MARK: Calls

    /// Begins the connection. This is the first call.
    package mutating func start() -> [Effect] {
        perform { machine throws(Fault) in
            let registry = try machine.objects.create(.registry)
            machine.registry = registry
            machine.phase = .listing
            return [.request(.display(.getRegistry(registry: registry)))] + (try machine.sync(.globals))
        }
    }

    /// Handles bytes that arrived on the socket.
    ///
    /// - Parameters:
    ///   - bytes: Any piece of the stream.
    ///   - count: The number of descriptors that came with the bytes.
    package mutating func receive(_ bytes: [UInt8], descriptors count: Int) -> [Effect] {
        guard phase == .listing || phase == .running else { return [] }
        var effects: [Effect] = []
        do throws(Fault) {
            do throws(WireError) { try descriptors.receive(count) } catch { throw .stream(error) }
            frames.append(bytes)
            while let frame = try nextFrame() { effects += try handle(frame) }
        } catch {
            effects.append(fail(error))
        }
        return effects
    }

    /// Offers contents on a selection.
    ///
    /// - Parameters:
    ///   - types: The types in order. Names that are too long for the protocol are left out.
    ///   - marker: A further type, at the end, that no other source has.
    /// - Returns: nil, and no effects, if the selection cannot be set.
    package mutating func set(
        _ selection: SeatSelection, types: [String], marker: String
    ) -> (source: SourceID?, effects: [Effect]) {
        guard canSet(selection) else { return (nil, []) }
        let id = nextSource()
        let effects = perform { machine throws(Fault) in
            try machine.offer(id, on: selection, types: types, marker: marker)
        }
        return (phase == .failed ? nil : id, effects)
    }

    /// Empties a selection, whoever owns it.
    ///
    /// - Returns: A number from the same sequence as the numbers of sources, though its end is not reported; nil, and
    ///   no effects, if the selection cannot be set.
    package mutating func clear(_ selection: SeatSelection) -> (number: SourceID?, effects: [Effect]) {
        guard canSet(selection), let device else { return (nil, []) }
        let id = nextSource()
        let effects = perform { machine throws(Fault) in
            machine.supersede(on: selection)
            return [.request(.device(device.object, Self.setting(selection, nil)))]
                + (try machine.sync(.selection(selection, id)))
        }
        return (phase == .failed ? nil : id, effects)
    }

    /// Asks for the contents of an offer in one of its types.
    ///
    /// - Parameter descriptor: The caller's number for the descriptor that is sent with the request.
    /// - Returns: nil if the offer has ended or does not have the type.
    package func receive(
        _ offer: ForeignOfferID, type: String, into descriptor: WireDescriptor
    ) -> Effect? {
        guard phase == .running, let (object, found) = offers.first(where: { $0.value.id == offer }),
            found.types.contains(type), let name = WireString(type)
        else { return nil }
        return .request(.offer(object, .receive(mimeType: name, fd: descriptor)))
    }

    /// Asks the compositor to answer once it has handled everything sent so far.
    ///
    /// - Returns: nil, and no effects, if the connection has failed or has not begun.
    package mutating func sync() -> (id: SyncID?, effects: [Effect]) {
        guard phase == .listing || phase == .running else { return (nil, []) }
        lastSync += 1
        let id = SyncID(lastSync)
        let effects = perform { machine throws(Fault) in try machine.sync(.caller(id)) }
        return (phase == .failed ? nil : id, effects)
    }

    /// Returns true if this client can set a selection.
    package func canSet(_ selection: SeatSelection) -> Bool {
        guard phase == .running, let device, boundManager != nil else { return false }
        switch selection {
        case .clipboard: return true
        case .primary: return device.isSettled ? device.hasPrimary : device.mayHavePrimary
        }
    }

    // MARK: Steps

    private mutating func perform(
        _ body: (inout DataControlClient) throws(Fault) -> [Effect]
    ) -> [Effect] {
        do throws(Fault) {
            return try body(&self)
        } catch {
            return [fail(error)]
        }
    }

    private mutating func fail(_ fault: Fault) -> Effect {
        phase = .failed
        return .fail(fault)
    }

    private mutating func nextFrame() throws(Fault) -> WireFrame? {
        do throws(WireError) {
            return try frames.next()
        } catch {
            throw .stream(error)
        }
    }

    mutating func sync(_ callback: Callback) throws(Fault) -> [Effect] {
        let object = try objects.create(.callback)
        callbacks[object] = callback
        return [.request(.display(.sync(callback: object)))]
    }

    mutating func nextOffer() -> ForeignOfferID {
        lastOffer += 1
        return ForeignOfferID(lastOffer)
    }

    private mutating func nextSource() -> SourceID {
        lastSource += 1
        return SourceID(lastSource)
    }
}
