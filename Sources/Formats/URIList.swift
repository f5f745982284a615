/// `text/uri-list`, RFC 2483, section 5: a URL a line, each line ended by CRLF; lines that begin with `#` are comments.
package struct URIList: Hashable, Sendable {
    package var urls: [ListedURL]

    package init(_ urls: [ListedURL]) {
        self.urls = urls
    }

    /// Reads any bytes. Lines that are neither a URL nor an absolute path are left out.
    ///
    /// - Parameter host: The name of this machine, by which it may call itself in a file's URL.
    package init(_ bytes: [UInt8], host: String? = nil) {
        urls = Lines.of(bytes).filter { $0.first != UInt8(ascii: "#") }.compactMap { ListedURL($0, host: host) }
    }

    package var bytes: [UInt8] {
        urls.flatMap { Array($0.string.utf8) + [0x0D, 0x0A] }
    }
}
