import Formats

func checkMozURL(_ bytes: [UInt8]) throws(BrokenInvariant) {
    let links = MozURL.links(in: bytes)
    try expect(MozURL.links(in: MozURL.bytes(of: links)) == links, "links come back as they were written")
    // A byte that is no UTF-8 becomes one or two units at most, and each link gets a line for its title.
    try expect(MozURL.bytes(of: links).count <= 4 * bytes.count + 4 * links.count, "links grow little")
    for link in links + [MozURL.link(inNetscape: bytes)].compactMap(\.self) {
        try expect(MozURL.link(inNetscape: MozURL.netscapeBytes(of: link)) == link, "a link comes back from bytes")
        try expect(link.url.unicodeScalars.first?.isASCII == true, "a URL begins with an ASCII character")
        try expect(link.title != "", "an empty title is none")
        try expect(!"\(link.url)\(link.title ?? "")".utf8.contains(0x0A), "URL and title are a line each")
        try expect(MozURL.url(in: MozURL.bytes(of: link.url)) == link.url, "a URL alone comes back")
    }
    try expect(MozURL.url(in: bytes) == links.first?.url, "the URL is that of the first link")
    if let title = MozURL.title(in: bytes) { try expect(!title.isEmpty, "an empty title is none") }
}
