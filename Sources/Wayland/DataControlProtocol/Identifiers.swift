/// A selection of a seat.
package enum SeatSelection: Hashable, Sendable, CaseIterable {
    case clipboard
    case primary
}

/// The machine's number for a source: contents that this client offers on one selection. Numbers start at 1 and are
/// never reused.
package struct SourceID: Hashable, Sendable {
    package let number: Int

    package init(_ number: Int) {
        self.number = number
    }
}

/// The machine's number for an offer: contents of another client. Numbers start at 1 and are never reused.
package struct ForeignOfferID: Hashable, Sendable {
    package let number: Int

    package init(_ number: Int) {
        self.number = number
    }
}

/// The machine's number for a sync request to the compositor. Numbers start at 1 and are never reused.
package struct SyncID: Hashable, Sendable {
    package let number: Int

    package init(_ number: Int) {
        self.number = number
    }
}

package struct DataControlLimits: Sendable {
    /// The limit on types of an offer, besides the marker of a source. Further types are left out, since the client
    /// that copied may offer any number.
    package var types = 1_024
    /// The limit on the length of a type's name, in bytes. Longer names are left out.
    package var typeName = 1_024
    /// The limit on live offers. A compositor needs one offer for each selection, and one more while it replaces an
    /// offer.
    package var offers = 64
    /// The limit on seats, and on managers.
    package var seats = 64
    /// The limit on objects of this client that exist or whose end the compositor has not confirmed.
    package var objects = 4_096

    package init() {}
}
