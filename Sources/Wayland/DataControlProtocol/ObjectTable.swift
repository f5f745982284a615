import WaylandWire

/// The objects of a connection: existing objects, and destroyed objects for which events may still arrive.
///
/// A number of the client's range is free again once the compositor has confirmed the end of its object with
/// wl_display.delete_id. The smallest free number is used next, since libwayland refuses gaps. The compositor does not
/// confirm numbers of its own range: it reuses them once it has seen the destructor. In these protocols it creates only
/// offers, and libwayland's rule against gaps applies to them too, so a counter is enough to recognize the numbers of
/// ended offers.
struct ObjectTable: Sendable {
    enum Kind: Hashable, Sendable {
        case display, registry, callback, seat
        case manager(DataControlVariant)
        case device(DataControlVariant)
        case source(DataControlVariant)
        case offer(DataControlVariant)

        var interface: WireInterface {
            switch self {
            case .display: WlDisplay.interface
            case .registry: WlRegistry.interface
            case .callback: WlCallback.interface
            case .seat: WlSeat.interface
            case .manager(let variant): DataControlManager.interface(of: variant)
            case .device(let variant): DataControlDevice.interface(of: variant)
            case .source(let variant): DataControlSource.interface(of: variant)
            case .offer(let variant): DataControlOffer.interface(of: variant)
            }
        }
    }

    struct Entry: Hashable, Sendable {
        let kind: Kind
        var isAlive = true
    }

    private let limit: Int
    /// The client's objects by number minus 1; nil for free numbers.
    private var own: [Entry?] = [Entry(kind: .display)]
    /// The count of object numbers that the compositor has used.
    private var usedByCompositor: UInt32 = 0
    private var offers: [ObjectID: Entry] = [:]
    /// The kind of the last offer that ended.
    private var lastEndedOfferKind = Kind.offer(.ext)

    init(limit: Int) {
        self.limit = limit
    }

    subscript(object: ObjectID) -> Entry? {
        guard object.isOfCompositor else {
            let index = Int(object.number) - 1
            return index < own.count ? own[index] : nil
        }
        if let entry = offers[object] { return entry }
        let isFormer = object.number - ObjectID.firstOfCompositor.number < usedByCompositor
        return isFormer ? Entry(kind: lastEndedOfferKind, isAlive: false) : nil
    }

    /// Creates an object of the client.
    mutating func create(_ kind: Kind) throws(DataControlClient.Fault) -> ObjectID {
        let index = own.firstIndex(of: nil) ?? own.count
        guard index < limit, let object = ObjectID(UInt32(index + 1)) else { throw .tooManyObjects(limit: limit) }
        if index == own.count { own.append(nil) }
        own[index] = Entry(kind: kind)
        return object
    }

    /// Adds an offer that the compositor created.
    mutating func add(_ offer: ObjectID, of variant: DataControlVariant) throws(DataControlClient.Fault) {
        guard offer.isOfCompositor, offers[offer] == nil else { throw .createdObject(offer) }
        let index = offer.number - ObjectID.firstOfCompositor.number
        guard index <= usedByCompositor else { throw .createdObject(offer) }
        usedByCompositor = max(usedByCompositor, index + 1)
        offers[offer] = Entry(kind: .offer(variant))
    }

    /// Records that an object was destroyed: by its destructor or, for a callback, by its event.
    mutating func destroy(_ object: ObjectID) {
        if let offer = offers.removeValue(forKey: object) {
            lastEndedOfferKind = offer.kind
        } else if !object.isOfCompositor {
            own[Int(object.number) - 1]?.isAlive = false
        }
    }

    /// Frees a number after wl_display.delete_id.
    mutating func free(_ number: UInt32) throws(DataControlClient.Fault) {
        guard let object = ObjectID(number), !object.isOfCompositor, let entry = self[object], !entry.isAlive else {
            throw .deletedObject(number)
        }
        own[Int(number) - 1] = nil
    }
}
