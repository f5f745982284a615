extension Conversion {
    /// What was read from the property.
    package struct Reading: Sendable, Equatable {
        /// None where there is no such property.
        package var type: Atom
        package var format: Int
        /// In bytes, an item of format 32 counted as 4.
        package var length: Int
        /// The first 32-bit value, where there is one: an INCR's lower bound of the length.
        package var firstWord: UInt32?
        /// Whether another was written in its place while it was read: what was read is neither the one nor the other.
        package var isChanged: Bool

        package init(type: Atom, format: Int, length: Int, firstWord: UInt32? = nil, isChanged: Bool = false) {
            self.type = type
            self.format = format
            self.length = length
            self.firstWord = firstWord
            self.isChanged = isChanged
        }

        package static let absent = Reading(type: .none, format: 0, length: 0)
    }

    package enum Event: Sendable, Equatable {
        /// The SelectionNotify for this window; `none` refuses.
        case notified(property: Atom)
        /// The property has a new value.
        case propertyWritten
        /// The property was read, and deleted with it.
        case read(Reading)
        /// The owner died, or gave the selection up.
        case ownerGone
        /// Another owner came before the one that was asked has answered; it lives, and may answer late.
        case ownerReplaced
        /// Nobody wants the result any more.
        case cancelled
        /// It drips, and a newcomer needs its place: nothing more is taken.
        case ended
    }

    package enum Effect: Sendable, Equatable {
        /// Read the whole property, delete it, and report with ``Event/read(_:)``.
        case read
        /// Keep the bytes just read.
        case keep
        /// It is all there.
        case finish(type: Atom, format: Int)
        case fail(Failure)
        /// The window is not needed any more.
        case close
    }

    package enum Failure: Error, Sendable, Equatable {
        /// The owner says no, or there is no owner.
        case refused
        /// No answer came in time.
        case silent
        /// The owner went on for a while, then fell silent; so many bytes had come.
        case stalled(received: Int)
        /// It was slow, and a newcomer needed its place; so many bytes had come.
        case dripped(received: Int)
        case ownerGone
        case ownerReplaced
        /// A piece had another type or format than the first, or was changed while it was read.
        case inconsistent
        case tooLong
        /// The bytes could not be kept: memory or descriptors ran out.
        case noRoom
        case cancelled
        /// Something the user may raise stands against it.
        case limit(TransferQuota.Limit)
        /// The X server would have to be told one name more than it may.
        case names
    }
}
