extension Conversion {
    /// The result of reading the property.
    package struct Reading: Sendable, Equatable {
        /// The type of the property; none if the property does not exist.
        package var type: Atom
        package var format: Int
        /// The length in bytes, where an item of format 32 counts as 4.
        package var length: Int
        /// The first 32-bit value, if there is one: for INCR, a lower bound of the length.
        package var firstWord: UInt32?
        /// True if the property was replaced while it was being read, so that the bytes read mix both values.
        package var isChanged: Bool

        package init(type: Atom, format: Int, length: Int, firstWord: UInt32? = nil, isChanged: Bool = false) {
            self.type = type
            self.format = format
            self.length = length
            self.firstWord = firstWord
            self.isChanged = isChanged
        }
    }

    package enum Event: Sendable, Equatable {
        /// The SelectionNotify for this window arrived; `none` is a refusal.
        case notified(property: Atom)
        case propertyWritten
        /// The property was read, which deleted it.
        case read(Reading)
        /// The owner died or released the selection.
        case ownerGone
        /// The selection got another owner before the previous one answered. The previous owner is still running and
        /// may answer late.
        case ownerReplaced
        /// The result is no longer wanted.
        case cancelled
        /// The transfer is slow and a new transfer needs its place: no more data is read.
        case evicted
    }

    package enum Effect: Sendable, Equatable {
        /// Read the whole property, delete it, and report it with ``Event/read(_:)``.
        case read
        /// Store the bytes just read.
        case store
        /// The value is complete.
        case finish(type: Atom, format: Int)
        case fail(Failure)
        /// The window is no longer needed.
        case close
    }

    package enum Failure: Error, Sendable, Equatable {
        /// The owner refused, or the selection has no owner.
        case refused
        /// The owner did not answer before the timeout.
        case silent
        /// The owner stopped sending in the middle of a transfer, after `received` bytes.
        case stalled(received: Int)
        /// The transfer was slow and a new transfer needed its place; `received` bytes had arrived.
        case tooSlow(received: Int)
        case ownerGone
        case ownerReplaced
        /// A chunk differed from the first in type or format, or was replaced while it was being read.
        case inconsistent
        case tooLong
        /// The bytes could not be stored, because memory or descriptors ran out.
        case noRoom
        case cancelled
        /// A limit that the user may raise has been reached.
        case limit(TransferQuota.Limit)
        /// The server would have to create more atoms than allowed.
        case names
    }
}
