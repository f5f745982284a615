package import UniformTypes
package import UserFiles

/// How the bridge is to behave, as its user writes it into `config.json` in the folder of xpb's settings.
package struct Configuration: Equatable, Sendable {
    /// Types that can be derived from those a source gives are on offer, too.
    package var derive = true
    /// In the order they are written; no two are of the same types.
    package var filters: [Filter] = []
    /// How long a filter may take, in seconds.
    package var filterTimeout = 10.0
    /// The most bytes a filter may make.
    package var filterLimit = 256 << 20
    /// Contents outlive the bridge: they are written to the folder of xpb's state.
    package var persist = true
    /// Contents of other programs are captured, so that they outlive those.
    package var capture = true
    /// How long contents are to be there before they are captured, in seconds.
    package var captureDelay = 0.2
    /// The most bytes of one captured representation.
    package var captureLimit = 16 << 20
    /// The most bytes of all captured representations of one copy.
    package var captureTotal = 64 << 20
    /// The most captured representations of one copy.
    package var captureCount = 32
    /// Images are captured, in one format.
    package var captureImages = true
    /// Owners that look like GTK 4 are captured, too, which may freeze them for good.
    package var captureGTK4 = false
    /// PRIMARY is captured as well as CLIPBOARD.
    package var capturePrimary = false
    /// Programs, by the names of their processes, whose contents are not captured.
    package var captureExcept: [String] = []
    /// The bridge becomes the display's clipboard manager where there is none.
    package var manager = true
    /// Programs, by the names of their processes, that are clipboard managers: what they read is no paste.
    package var managers = [
        "klipper", "plasmashell", "copyq", "xfce4-clipman", "gpaste-daemon", "clipit", "parcellite", "diodon",
        "autocutsel",
        "greenclip", "clipmenud",
    ]
    /// How many earlier contents can be gone back to.
    package var undoLevels = 20
    /// Contents go to the history.
    package var history = true
    /// The most entries of the history.
    package var historyLimit = 1_000
    /// How long an entry stays in the history, in seconds; nil for as long as the other limits allow.
    package var historyAge: Double?
    /// The most bytes of the history.
    package var historyBytes = 1 << 30
    package var limits = Limits()

    /// A program that makes one type of another. It reads the one from its standard input and writes the other to its
    /// standard output.
    package struct Filter: Equatable, Sendable {
        package let source: UniformType
        package let result: UniformType
        /// The program and its arguments; no shell reads them.
        package let command: [String]
    }

    package init() {}

    /// In the folder of xpb's settings.
    package static let fileName = "config.json"
    /// The most bytes of a file that counts.
    static let fileLimit = 1 << 20

    /// - Parameter file: What faults call the file.
    /// - Returns: What can be used, and what is wrong with the rest, in place of which the default counts.
    package static func parse(
        _ bytes: [UInt8], file: String = "config.json"
    ) -> (configuration: Configuration, faults: [FileFault]) {
        let effective = EffectiveConfiguration(bytes, file: file, environment: [:])
        return (effective.configuration, effective.faults)
    }
}
