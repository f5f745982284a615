/// Files that a file manager copied, or cut in order to move them.
package struct CopiedFiles: Hashable, Sendable {
    /// What pasting does.
    package enum Verb: String, Sendable {
        case copy
        case cut

        /// Reads `application/x-kde-cutselection`: `1` is cut, `0` is copy, and so is anything else.
        package init(kdeCutSelection bytes: [UInt8]) {
            self = bytes.first == UInt8(ascii: "1") ? .cut : .copy
        }

        /// The verb as `application/x-kde-cutselection`.
        package var kdeCutSelection: [UInt8] { [UInt8(ascii: self == .cut ? "1" : "0")] }
    }

    package var verb: Verb
    package var urls: [ListedURL]

    package init(_ verb: Verb, _ urls: [ListedURL]) {
        self.verb = verb
        self.urls = urls
    }

    /// Reads `x-special/gnome-copied-files` and its likes of MATE and KDE: the verb, then a URL a line. Lines that are
    /// neither a URL nor an absolute path are left out.
    ///
    /// - Parameter host: The name of this machine, by which it may call itself in a file's URL.
    /// - Returns: nil when the first line is no verb.
    package init?(_ bytes: [UInt8], host: String? = nil) {
        let lines = Lines.of(bytes)
        guard let first = lines.first, let verb = Verb(rawValue: String(decoding: first, as: UTF8.self)) else {
            return nil
        }
        self.init(verb, lines.dropFirst().compactMap { ListedURL($0, host: host) })
    }

    /// The value as `x-special/gnome-copied-files` and its likes, without a newline at the end: Nemo and Caja take an
    /// empty line for a file.
    package var bytes: [UInt8] {
        Array(([verb.rawValue] + urls.map(\.string)).map(\.utf8).joined(separator: [0x0A]))
    }
}

extension CopiedFiles {
    private static let nautilus = "x-special/nautilus-clipboard"

    /// Reads what GNOME's file manager of 2018 to 2020 (3.30 to 3.38) put into every text target: a first line
    /// `x-special/nautilus-clipboard`, then the verb and a URL a line.
    ///
    /// - Returns: nil when there is no URL, or any other line: such a text is a text.
    package init?(nautilusText text: [UInt8], host: String? = nil) {
        guard text.starts(with: Self.nautilus.utf8) else { return nil }
        let lines = Lines.of(text)
        guard lines.count > 2, lines[0].elementsEqual(Self.nautilus.utf8),
            let files = Self(Array(lines.dropFirst().joined(separator: [0x0A])), host: host),
            files.urls.count == lines.count - 2
        else { return nil }
        self = files
    }

    /// The value as that text, with the newline at the end that those versions write.
    package var nautilusText: [UInt8] { Array(Self.nautilus.utf8) + [0x0A] + bytes + [0x0A] }
}
