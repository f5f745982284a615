import Configuration
import FormatConversion
import FoundationEssentials
import LinuxSystem
import PasteboardWire
import SystemPackage
import X11Bridge

/// The uploads and downloads of one client that passes no descriptors. They go with its connection.
final class ClientTransfers {
    private enum Transfer {
        /// Without a file as long as nothing is in it: each costs a descriptor.
        case upload(MemoryFileWriter?)
        case committed(MemoryFile)
        case download(MemoryFile, Range<Int>)
    }

    private var transfers: [String: Transfer] = [:]
    private var handles = 0
    var limits: WireLimits
    private let quota: UploadQuota
    private let process: Int32
    /// Told whenever something is refused.
    private let onRefusal: (Refusals.Reason) -> Void

    /// - Parameters:
    ///   - quota: Where the bytes of uploads are noted.
    ///   - process: Whose they are.
    init(
        limits: WireLimits, quota: UploadQuota = UploadQuota(), process: Int32 = 0,
        onRefusal: @escaping (Refusals.Reason) -> Void = { _ in }
    ) {
        self.limits = limits
        self.quota = quota
        self.process = process
        self.onRefusal = onRefusal
    }

    /// How many there are.
    var count: Int { transfers.count }

    /// Lets go of all, when the connection has ended.
    func removeAll() {
        for transfer in transfers.values { forget(transfer) }
        transfers = [:]
    }

    // MARK: Downloads

    /// A handle under which the client reads that range.
    func download(_ held: HeldBytes, _ range: Range<Int>) throws(BridgeError) -> String {
        guard let file = held.file else {
            throw BridgeError(.refused, "a secret is passed by a descriptor only; ask with 'descriptors'")
        }
        return try add(.download(file, range))
    }

    func read(_ parameters: Methods.Read.Parameters) throws(BridgeError) -> Methods.Read.Reply {
        guard case .download(let file, let range)? = transfers[parameters.handle] else {
            throw unknown(parameters.handle)
        }
        guard parameters.offset >= 0, parameters.length >= 0, parameters.length <= limits.pieceBytes else {
            throw BridgeError(.invalidBytes, "a piece has from 0 to \(limits.pieceBytes) bytes, at an offset from 0 on")
        }
        let start = range.lowerBound + min(parameters.offset, range.count)
        let end = start + min(parameters.length, range.upperBound - start)
        do {
            return Methods.Read.Reply(data: Data(try file.bytes(in: start..<end)).base64EncodedString())
        } catch {
            throw BridgeError(.transferBroken, "the bytes could not be read: \(error)")
        }
    }

    // MARK: Uploads

    func begin() throws(BridgeError) -> Methods.Handle {
        Methods.Handle(handle: try add(.upload(nil)))
    }

    func append(_ parameters: Methods.Append.Parameters) throws(BridgeError) -> Methods.Length {
        let begun = try upload(parameters.handle)
        guard let data = Data(base64Encoded: parameters.data), data.count <= limits.pieceBytes else {
            throw BridgeError(.invalidBytes, "a piece is base64 of at most \(limits.pieceBytes) bytes")
        }
        try note(data.count)
        do throws(Errno) {
            let writer = if let begun { begun } else { try MemoryFileWriter() }
            try writer.append(data)
            transfers[parameters.handle] = .upload(writer)
            return Methods.Length(length: writer.length)
        } catch {
            quota.remove(data.count, of: process)
            throw refusing(error)
        }
    }

    func commit(_ handle: String) throws(BridgeError) -> Methods.Length {
        let begun = try upload(handle)
        do throws(Errno) {
            let writer = if let begun { begun } else { try MemoryFileWriter() }
            let file = try writer.seal()
            transfers[handle] = .committed(file)
            return Methods.Length(length: file.length)
        } catch .tooManyOpenFiles {
            throw refusing(.tooManyOpenFiles)
        } catch {
            throw BridgeError(.transferBroken, "the upload could not be sealed: \(error)")
        }
    }

    /// What was uploaded, once it is committed.
    func committed(_ handle: String) throws(BridgeError) -> MemoryFile {
        guard case .committed(let file)? = transfers[handle] else {
            throw BridgeError(.invalidBytes, "'\(handle)' is no upload of this connection that was committed")
        }
        return file
    }

    func release(_ handle: String) throws(BridgeError) {
        guard let transfer = transfers.removeValue(forKey: handle) else { throw unknown(handle) }
        forget(transfer)
    }

    // MARK: Bytes

    private func note(_ count: Int) throws(BridgeError) {
        guard let reason = quota.add(count, of: process) else { return }
        onRefusal(reason)
        let whose = reason == .programBytes ? "this program holds" : "all programs hold"
        throw BridgeError(
            .refused,
            "\(whose) as many bytes in uploads as may be; set what is uploaded, or release it, or raise \(reason.setting ?? "the limit")"
        )
    }

    /// There is no room for bytes.
    private func refusing(_ error: Errno) -> BridgeError {
        if error == .tooManyOpenFiles { onRefusal(.descriptors) }
        return .noRoom(error, for: "the upload")
    }

    /// What the client passes with a call is not taken where the process has too few descriptors left: the call holds
    /// it until it is answered, and the contents for longer.
    func checkPassed(_ descriptors: [Descriptor]) throws(BridgeError) {
        guard descriptors.contains(where: DescriptorReserve.has) else { return }
        onRefusal(.descriptors)
        throw .noRoom(.tooManyOpenFiles, for: "what was passed")
    }

    private func forget(_ transfer: Transfer) {
        quota.removeHandle(of: process)
        switch transfer {
        case .upload(let writer): quota.remove(writer?.length ?? 0, of: process)
        case .committed(let file): quota.remove(file.length, of: process)
        case .download: break
        }
    }

    // MARK: Handles

    private func upload(_ handle: String) throws(BridgeError) -> MemoryFileWriter? {
        guard case .upload(let writer)? = transfers[handle] else {
            throw BridgeError(.invalidBytes, "'\(handle)' is no upload of this connection under way")
        }
        return writer
    }

    private func unknown(_ handle: String) -> BridgeError {
        BridgeError(.invalidBytes, "'\(handle)' is no handle of this connection")
    }

    private func add(_ transfer: Transfer) throws(BridgeError) -> String {
        guard transfers.count < limits.handles else {
            onRefusal(.handles)
            throw BridgeError(.refused, "a connection has at most \(limits.handles) handles; release some")
        }
        guard quota.addHandle(of: process) else {
            onRefusal(.programHandles)
            throw BridgeError(
                .refused,
                "this program has as many handles as it may, \(quota.limits.programHandles); release some, or raise limit-program-handles"
            )
        }
        handles += 1
        let handle = "\(handles)"
        transfers[handle] = transfer
        return handle
    }
}

extension BridgeError {
    /// Bytes cannot be taken for want of memory, or of descriptors.
    static func noRoom(_ error: Errno, for what: String) -> BridgeError {
        let next =
            error == .tooManyOpenFiles
            ? "the bridge has as many files open as it may; clear pasteboards, or release uploads and downloads"
            : "\(error)"
        return BridgeError(.refused, "no room is left for \(what): \(next)")
    }
}
