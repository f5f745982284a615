import LinuxSystem
package import PasteboardWire

/// The bytes in uploads and downloads of all connections of a link.
package final class LinkTransfers {
    /// The maximum number of bytes in uploads.
    package static let maxBytes = 256 << 20
    /// The maximum number of bytes in the files of downloads. A longer file is passed on if there is no other download.
    package static let maxDownloaded = 1 << 30

    private var uploaded = 0
    /// The files that downloads keep even if the contents have been replaced, each with the number of its downloads.
    private var downloads: [ObjectIdentifier: (length: Int, count: Int)] = [:]

    package init() {}

    func checkRoom(for count: Int) throws(BridgeError) {
        guard count > Self.maxBytes - uploaded else { return }
        throw .tooLongForLink
    }

    func addUploaded(_ count: Int) throws(BridgeError) {
        try checkRoom(for: count)
        uploaded += count
    }

    func removeUploaded(_ count: Int) { uploaded -= count }

    func checkRoom(forDownloadOf file: MemoryFile) throws(BridgeError) {
        let others = downloads.filter { $0.key != ObjectIdentifier(file) }.values.reduce(0) { $0 + $1.length }
        guard others > 0, others + file.length > Self.maxDownloaded else { return }
        throw BridgeError(.refused, "downloads exceed \(Self.maxDownloaded >> 20) MiB, a limit of links; release some")
    }

    func addDownload(_ file: MemoryFile) {
        downloads[ObjectIdentifier(file), default: (file.length, 0)].count += 1
    }

    func removeDownload(_ file: MemoryFile) {
        guard let known = downloads[ObjectIdentifier(file)] else { return }
        downloads[ObjectIdentifier(file)] = known.count > 1 ? (known.length, known.count - 1) : nil
    }
}

extension BridgeError {
    package static let tooLongForLink = BridgeError(
        .refused, "the bytes exceed \(LinkTransfers.maxBytes >> 20) MiB, the limit of a link")
}
