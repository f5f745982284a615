import Formats

func checkURIList(_ bytes: [UInt8]) throws(BrokenInvariant) {
    let list = URIList(bytes, host: "tuxedo")
    try checkURLs(list.urls, from: bytes)
    try expect(URIList(list.bytes) == list, "a list comes back as it was written")
    // Each byte is escaped at most, and a path takes a scheme.
    try expect(list.bytes.count <= 3 * bytes.count + 9 * list.urls.count, "a list grows little")
    if let file = FileURL(fileName: bytes, host: "tuxedo") {
        try expect(FileURL(fileName: file.path) == file, "a path is its own file name")
        try expect(FileURL(file.string) == file, "a path comes back from its URL")
    }
}

func checkCopiedFiles(_ bytes: [UInt8]) throws(BrokenInvariant) {
    if let files = CopiedFiles(bytes, host: "tuxedo") {
        try checkURLs(files.urls, from: bytes)
        try expect(CopiedFiles(files.bytes) == files, "copied files come back as they were written")
        let fromText = CopiedFiles(nautilusText: files.nautilusText)
        try expect(fromText == (files.urls.isEmpty ? nil : files), "copied files come back from a text")
    }
    if let files = CopiedFiles(nautilusText: bytes, host: "tuxedo") {
        try checkURLs(files.urls, from: bytes)
        try expect(!files.urls.isEmpty, "a text without a file is a text")
        try expect(CopiedFiles(nautilusText: files.nautilusText) == files, "a text comes back as it was written")
    }
    let verb = CopiedFiles.Verb(kdeCutSelection: bytes)
    try expect(CopiedFiles.Verb(kdeCutSelection: verb.kdeCutSelection) == verb, "a verb comes back")
}

private func checkURLs(_ urls: [ListedURL], from bytes: [UInt8]) throws(BrokenInvariant) {
    try expect(urls.count <= bytes.count, "no URL is of no byte")
    for url in urls {
        try expect(ListedURL(url.string) == url, "a URL comes back from its string")
        try expect(url.string.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }, "a URL is one word")
        guard case .file(let file) = url else { continue }
        try expect(file.path.first == UInt8(ascii: "/") && !file.path.contains(0), "a path is absolute and has no NUL")
        try expect(FileURL(path: file.path) == file, "a path is normal")
    }
}
