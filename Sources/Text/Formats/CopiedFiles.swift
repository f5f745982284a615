/// Files that a file manager copied, or cut in order to move them.
package struct CopiedFiles: Hashable, Sendable {
    /// The operation that pasting performs.
    package enum Verb: String, Sendable {
        case copy
        case cut

        /// KDE's target for the mark of files that are cut.
        package static let kdeCutSelectionType = "application/x-kde-cutselection"

        /// Reads `application/x-kde-cutselection`: `1` means cut. `0` and any other contents mean copy.
        package init(kdeCutSelection bytes: [UInt8]) {
            self = bytes.first == UInt8(ascii: "1") ? .cut : .copy
        }

        /// The contents of `application/x-kde-cutselection`.
        package var kdeCutSelection: [UInt8] { [UInt8(ascii: self == .cut ? "1" : "0")] }
    }

    package var verb: Verb
    package var urls: [ListedURL]

    package init(_ verb: Verb, _ urls: [ListedURL]) {
        self.verb = verb
        self.urls = urls
    }

    /// Reads `x-special/gnome-copied-files` and the same format under the names that MATE and KDE give it: the verb,
    /// then one URL per line. Lines that are neither a URL nor an absolute path are left out.
    ///
    /// - Parameter host: The name of this machine, which the URL of a file may use instead of `localhost`.
    /// - Returns: nil if the first line is not a verb.
    package init?(_ bytes: [UInt8], host: String? = nil) {
        let lines = Lines.of(bytes)
        guard let first = lines.first, let verb = Verb(rawValue: String(decoding: first, as: UTF8.self)) else {
            return nil
        }
        self.init(verb, lines.dropFirst().compactMap { ListedURL($0, host: host) })
    }

    /// GNOME's target for files and the verb.
    package static let gnomeType = "x-special/gnome-copied-files"

    /// The contents of `x-special/gnome-copied-files`. They do not end with a newline, because Nemo and Caja would read
    /// an empty line as a file.
    package var bytes: [UInt8] {
        Array(([verb.rawValue] + urls.map(\.string)).map(\.utf8).joined(separator: [0x0A]))
    }

    private static let nautilusHeader = "x-special/nautilus-clipboard"

    /// Reads the text that GNOME's file manager put into every text target from 2018 to 2020 (versions 3.30 to 3.38): a
    /// first line `x-special/nautilus-clipboard`, then the verb and one URL per line.
    ///
    /// - Returns: nil if there is no URL, or if a line is not a URL: the text is then ordinary text.
    package init?(nautilusText text: [UInt8], host: String? = nil) {
        guard text.starts(with: Self.nautilusHeader.utf8) else { return nil }
        let lines = Lines.of(text)
        guard lines.count > 2, lines[0].elementsEqual(Self.nautilusHeader.utf8),
            let files = Self(Array(lines.dropFirst().joined(separator: [0x0A])), host: host),
            files.urls.count == lines.count - 2
        else { return nil }
        self = files
    }
}
