package import UniformTypes

/// The settings of the bridge, which the user writes to `config.json` in the folder of xpb's settings.
package struct Configuration: Equatable, Sendable {
    /// True if types that a source can be converted to are offered, too.
    package var derive = true
    /// The user's converters, in the order of the file. No two filters convert between the same types.
    package var filters: [Filter] = []
    /// The time limit of a filter, in seconds.
    package var filterTimeout = 10.0
    /// The maximum output of a filter, in bytes.
    package var filterLimit = 256 << 20
    /// True if contents outlive the bridge: they are written to the folder of xpb's state.
    package var persist = true
    /// True if contents of other programs are captured, so that they outlive those programs.
    package var capture = true
    /// The time from a copy to its capture, in seconds.
    package var captureDelay = 0.2
    /// The maximum size of one captured representation, in bytes.
    package var captureLimit = 16 << 20
    /// The maximum size of all captured representations of one copy, in bytes.
    package var captureTotal = 64 << 20
    /// The maximum number of captured representations of one copy.
    package var captureCount = 32
    /// True if images are captured, in one format.
    package var captureImages = true
    /// True if owners that look like GTK 4 are captured, too, although a large read can freeze them permanently.
    package var captureGTK4 = false
    /// True if PRIMARY is captured as well as CLIPBOARD.
    package var capturePrimary = false
    /// The directions in which new contents are copied between `general` and `find`.
    package var sync = Sync.off
    /// The process names of programs whose contents are not captured.
    package var captureExcept: [String] = []
    /// The time in seconds within which a program's text is forgotten if empty text replaces it; 0 for never.
    package var forgetEmptied = 60.0
    /// True if the bridge becomes the display's clipboard manager when there is none.
    package var manager = true
    /// The process names of clipboard managers, whose reads are not pastes.
    package var managers = [
        "klipper", "plasmashell", "copyq", "xfce4-clipman", "gpaste-daemon", "clipit", "parcellite", "diodon",
        "autocutsel", "greenclip", "clipmenud", "qlipper", "clipcatd",
    ]
    /// The maximum number of changes that can be undone.
    package var undoLevels = 20
    /// True if contents are added to the history.
    package var history = true
    /// The maximum number of entries of the history.
    package var historyLimit = 100_000
    /// The maximum age of an entry of the history, in seconds; nil for no such limit.
    package var historyAge: Double?
    /// The maximum size of the history in bytes, not counting contents that pasteboards have or undo can restore.
    package var historyBytes = 1 << 30
    /// True if `xpb set` sends text to the terminal when there is neither a display nor a bridge.
    package var osc52 = false
    package var limits = Limits()

    /// A program that converts one type to another, from its standard input to its standard output.
    package struct Filter: Equatable, Sendable {
        package let source: UniformType
        package let result: UniformType
        /// The program and its arguments. They are not passed through a shell.
        package let command: [String]
    }

    /// The directions of copying between `general` (CLIPBOARD) and `find` (PRIMARY).
    package enum Sync: String, CaseIterable, Sendable {
        case off
        case generalToFind = "general-to-find"
        case findToGeneral = "find-to-general"
        case both

        /// Returns true if new contents of a pasteboard are copied to the other one.
        package func copies(fromFind: Bool) -> Bool {
            self == .both || self == (fromFind ? .findToGeneral : .generalToFind)
        }
    }

    package init() {}

    /// The name of the file, in the folder of xpb's settings.
    package static let fileName = "config.json"
    /// The maximum size of the file, in bytes.
    static let maxFileSize = 1 << 20
}

extension Configuration {
    /// The limits on the resources that the bridge spends on other programs.
    ///
    /// At a limit, the newcomer is refused, unless a slow transfer can be ended instead.
    package struct Limits: Equatable, Sendable {
        /// The maximum number of transfers at once: with X11 programs, from Wayland programs, and to Wayland programs.
        package var transfers = 1_024
        /// The maximum number of transfers with one program.
        package var programTransfers = 512
        /// The maximum size, in bytes, of data that is held only for transfers: data received from owners so far,
        /// replaced contents that are still being sent, and uploads of clients.
        package var transferBytes = 8 << 30
        /// The maximum size, in bytes, of data that is held only for the transfers of one program.
        package var programBytes = 4 << 30
        /// The age, in seconds, from which a transfer can count as slow.
        package var dripAge = 60.0
        /// The average rate, in bytes per second, below which a transfer that has reached ``dripAge`` counts as slow.
        package var dripRate = 4_096
        /// The maximum length of a type's or pasteboard's name sent to or received from X11, in bytes.
        package var typeName = 1_024
        /// The maximum number of atoms made in the X server for other programs. The server keeps each atom until the
        /// server exits.
        package var atoms = 10_000
        /// The maximum number of connected clients. At the limit, an idle client of the program with the most
        /// connections is disconnected for a new client, or the new client is refused.
        package var clients = 2_000
        /// The maximum number of connected clients of one process.
        package var programClients = 1_500
        /// The maximum length of a message from or to a client, in bytes.
        package var message = 4 << 20
        /// The maximum size, in bytes, of buffered client messages that are incomplete or wait for earlier messages.
        /// Beyond the limit, the process with the most such bytes loses connections.
        package var incoming = 128 << 20
        /// The maximum size, in bytes, of buffered client messages of one process.
        package var programIncoming = 64 << 20
        /// The maximum number of uploads and downloads of one client at once.
        package var handles = 256
        /// The maximum number of uploads and downloads of all clients of one process; each may cost a descriptor.
        package var programHandles = 4_096
        /// The maximum size, in bytes, of changes queued for a watcher that does not read. Beyond the limit, the
        /// watcher is notified that it missed changes, and its subscription ends.
        package var watchQueue = 1 << 20

        package init() {}
    }
}
