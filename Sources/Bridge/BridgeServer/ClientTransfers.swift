import Configuration
import FoundationEssentials
package import LinuxSystem
package import PasteboardWire
import SystemPackage
package import X11Bridge

/// The uploads and downloads of one client that passes no descriptors, until the end of its connection.
package final class ClientTransfers {
    private enum Transfer {
        /// An upload, which has no file while it is empty, since each file costs a descriptor.
        case upload(MemoryFileWriter?)
        case committed(MemoryFile)
        case download(MemoryFile, Range<Int>)
    }

    private var transfers: [String: Transfer] = [:]
    private var handles = 0
    /// True once the connection has ended. A call that still waits for the disk may reach its reply later.
    private var isClosed = false
    package var limits: WireLimits
    private let quota: UploadQuota
    private let process: Int32
    private let onRefusal: (Refusals.Reason) -> Void
    /// The limit on the bytes of a link, if the connection belongs to a link.
    package var link: LinkTransfers?

    package init(
        limits: WireLimits, quota: UploadQuota = UploadQuota(), process: Int32 = 0,
        onRefusal: @escaping (Refusals.Reason) -> Void = { _ in }
    ) {
        self.limits = limits
        self.quota = quota
        self.process = process
        self.onRefusal = onRefusal
    }

    package var count: Int { transfers.count }

    /// Releases everything when the connection has ended.
    package func removeAll() {
        isClosed = true
        for transfer in transfers.values { removeFromQuota(transfer) }
        transfers = [:]
    }

    // MARK: Downloads

    /// Returns a handle with which the client reads a range of bytes.
    package func download(_ held: ImmutableBytes, _ range: Range<Int>) throws(BridgeError) -> String {
        guard let file = held.file else {
            throw BridgeError(.refused, "a secret is passed by a descriptor only; ask with 'descriptors'")
        }
        try link?.checkRoom(forDownloadOf: file)
        let handle = try add(.download(file, range))
        link?.addDownload(file)
        return handle
    }

    package func read(_ parameters: Methods.Read.Parameters) throws(BridgeError) -> Methods.Read.Reply {
        let (file, range) = try bytes(of: parameters, limit: limits.pieceBytes)
        do {
            return Methods.Read.Reply(data: Data(try file.bytes(in: range)).base64EncodedString())
        } catch {
            throw BridgeError(.transferBroken, "the bytes could not be read: \(error)")
        }
    }

    /// Returns the part of a download that a client asks for, up to the end of the download.
    ///
    /// - Parameter limit: The maximum length that a client may ask for.
    package func bytes(
        of part: Methods.HandleRange, limit: Int = .max
    ) throws(BridgeError) -> (file: MemoryFile, range: Range<Int>) {
        guard case .download(let file, let range)? = transfers[part.handle] else { throw unknown(part.handle) }
        guard part.offset >= 0, (0...limit).contains(part.length) else {
            let lengths = limit == .max ? "0 bytes or more" : "from 0 to \(limit) bytes"
            throw BridgeError(.invalidBytes, "the piece must have \(lengths), at an offset of 0 or more")
        }
        let start = range.lowerBound + min(part.offset, range.count)
        return (file, start..<start + min(part.length, range.upperBound - start))
    }

    // MARK: Uploads

    package func begin() throws(BridgeError) -> Methods.Handle {
        Methods.Handle(handle: try add(.upload(nil)))
    }

    /// Begins an upload of raw bytes, if the quota has room for all of them.
    ///
    /// - Parameter length: The number of bytes that follow, which count as they arrive.
    package func begin(length: Int) throws(BridgeError) -> String {
        guard length >= 0 else { throw BridgeError(.invalidBytes, "the length of an upload cannot be negative") }
        try link?.checkRoom(for: length)
        if let reason = quota.limit(against: length, of: process) { throw refusing(reason) }
        return try add(.upload(nil))
    }

    package func append(_ parameters: Methods.Append.Parameters) throws(BridgeError) -> Methods.Length {
        let started = try upload(parameters.handle)
        guard let data = Data(base64Encoded: parameters.data), data.count <= limits.pieceBytes else {
            throw BridgeError(.invalidBytes, "the piece is not base64 of at most \(limits.pieceBytes) bytes")
        }
        let writer = try add(data.count, to: parameters.handle, started) { writer throws(Errno) in
            try writer.append(data)
        }
        return Methods.Length(length: writer.length)
    }

    /// Appends raw bytes to an upload, and returns its file.
    @discardableResult
    package func append(_ bytes: [UInt8], to handle: String) throws(BridgeError) -> MemoryFileWriter {
        try add(bytes.count, to: handle, try upload(handle)) { writer throws(Errno) in try writer.append(bytes) }
    }

    /// Adds bytes that `write` appends, and returns the file of the upload.
    private func add(
        _ count: Int, to handle: String, _ started: MemoryFileWriter?, _ write: (MemoryFileWriter) throws(Errno) -> Void
    ) throws(BridgeError) -> MemoryFileWriter {
        try addBytes(count)
        do throws(Errno) {
            let writer = if let started { started } else { try MemoryFileWriter() }
            try write(writer)
            transfers[handle] = .upload(writer)
            return writer
        } catch {
            removeBytes(count)
            throw refusing(error)
        }
    }

    package func commit(_ handle: String) throws(BridgeError) -> Methods.Length {
        let started = try upload(handle)
        do throws(Errno) {
            let writer = if let started { started } else { try MemoryFileWriter() }
            let file = try writer.seal()
            transfers[handle] = .committed(file)
            return Methods.Length(length: file.length)
        } catch .tooManyOpenFiles {
            throw refusing(.tooManyOpenFiles)
        } catch {
            throw BridgeError(.transferBroken, "the upload could not be sealed: \(error)")
        }
    }

    package func committed(_ handle: String) throws(BridgeError) -> MemoryFile {
        guard case .committed(let file)? = transfers[handle] else {
            throw BridgeError(.invalidBytes, "'\(handle)' is not a committed upload of this connection")
        }
        return file
    }

    package func release(_ handle: String) throws(BridgeError) {
        guard let transfer = transfers.removeValue(forKey: handle) else { throw unknown(handle) }
        removeFromQuota(transfer)
    }

    // MARK: Bytes

    private func addBytes(_ count: Int) throws(BridgeError) {
        guard !isClosed else { throw .connectionEnded }
        try link?.addUploaded(count)
        guard let reason = quota.add(count, of: process) else { return }
        link?.removeUploaded(count)
        throw refusing(reason)
    }

    /// Returns the error for bytes that a limit does not allow, and records the refusal.
    private func refusing(_ reason: Refusals.Reason) -> BridgeError {
        onRefusal(reason)
        let limit = reason == .programBytes ? "limit of one program" : "limit of all programs"
        return BridgeError(
            .refused,
            "the \(limit) on bytes in uploads is reached; set uploads or release them, or raise "
                + (reason.setting ?? "the limit"))
    }

    /// Returns the error for bytes that cannot be stored, and records the refusal.
    private func refusing(_ error: Errno) -> BridgeError {
        if error == .tooManyOpenFiles { onRefusal(.descriptors) }
        return .noRoom(error, for: "the upload")
    }

    /// Throws if the process has too few descriptors left for the descriptors that came with a call: the call keeps
    /// them open until it is answered, and contents keep them for longer.
    package func checkPassed(_ descriptors: [Descriptor]) throws(BridgeError) {
        guard descriptors.contains(where: DescriptorReserve.contains) else { return }
        onRefusal(.descriptors)
        throw .noRoom(.tooManyOpenFiles, for: "the descriptors that were passed")
    }

    private func removeFromQuota(_ transfer: Transfer) {
        quota.removeHandle(of: process)
        switch transfer {
        case .upload(let writer): removeBytes(writer?.length ?? 0)
        case .committed(let file): removeBytes(file.length)
        case .download(let file, _): link?.removeDownload(file)
        }
    }

    private func removeBytes(_ count: Int) {
        quota.remove(count, of: process)
        link?.removeUploaded(count)
    }

    // MARK: Handles

    /// Returns the writer of an upload under way; nil if the upload is empty.
    private func upload(_ handle: String) throws(BridgeError) -> MemoryFileWriter? {
        guard case .upload(let writer)? = transfers[handle] else {
            throw BridgeError(.invalidBytes, "'\(handle)' is not an open upload of this connection")
        }
        return writer
    }

    private func unknown(_ handle: String) -> BridgeError {
        BridgeError(.invalidBytes, "unknown handle '\(handle)'")
    }

    private func add(_ transfer: Transfer) throws(BridgeError) -> String {
        guard !isClosed else { throw .connectionEnded }
        guard transfers.count < limits.handles else {
            onRefusal(.handles)
            throw BridgeError(.refused, "this connection has \(limits.handles) handles, the limit; release some")
        }
        guard quota.addHandle(of: process) else {
            onRefusal(.programHandles)
            throw BridgeError(
                .refused,
                "this program has \(quota.limits.programHandles) handles, which is the limit; release some, or raise "
                    + "limit-program-handles")
        }
        handles += 1
        let handle = "\(handles)"
        transfers[handle] = transfer
        return handle
    }
}

extension ImmutableBytes {
    /// Returns a descriptor that passes a range of the bytes to a client once, and the offset of the range in it.
    package func pass(_ range: Range<Int>) throws(BridgeError) -> (descriptor: Descriptor, offset: Int) {
        do {
            return try passed(range)
        } catch {
            throw BridgeError(.refused, "there is no pipe to pass the secret through: \(error)")
        }
    }
}

extension BridgeError {
    fileprivate static let connectionEnded = BridgeError(.refused, "the connection has ended")
}
