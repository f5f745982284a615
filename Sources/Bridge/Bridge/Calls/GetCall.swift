import BridgeServer
import BridgeState
import FormatConversion
import LinuxSystem
import PasteboardModel
import PasteboardWire
import UniformTypes

/// The format that answers a `Get`, with details for its reply.
struct GetResult {
    let reading: Reading
    /// The count of the version that was read.
    let count: Int
    /// True for captured contents of an owner that has not answered.
    var isStale = false
    /// Records that the client has the contents; called after the reply.
    var noteRead: (() -> Void)?
}

extension Service {
    /// Reads the format of a pasteboard that answers a call.
    ///
    /// - Parameter streams: True if the client reads several replies.
    func get(
        _ parameters: Methods.Get.Parameters, for client: Client, streams: Bool = false
    ) async throws(BridgeError) -> GetResult {
        var request = try ReadRequest(parameters)
        // A connection of a link passes no descriptors.
        request.streams =
            streams && parameters.stream == true && parameters.descriptors == true && client.link == nil
        return try await withHolder(of: parameters.pasteboard) {
            [self] (pasteboard) async throws(ForeignReader.Failure) in
            // Another version may come during the reading.
            let (count, version) = (pasteboard.count, pasteboard.version)
            try await client.checkMayRead(pasteboard, within: request.timeout)
            let (reading, isStale) = try await readHolder(
                of: pasteboard, request, for: client, allowsStale: parameters.stale == true)
            try client.checkUnchanged(pasteboard, since: count)
            var result = GetResult(reading: reading, count: count, isStale: isStale)
            if let version, parameters.watching != true {
                result.noteRead = { [self] in
                    pasteOnce.noteRead([reading.choice.type], of: version, on: pasteboard, isManager: isManager(client))
                }
            }
            return result
        }
    }

    /// Reads the format of a history entry that answers a call.
    func getEntry(
        _ parameters: Methods.Get.Parameters, for client: Client
    ) async throws(BridgeError) -> GetResult {
        let request = try ReadRequest(parameters)
        let (version, count) = try await historyEntry(parameters.entry ?? 0)
        try client.link?.checkMayDisclose(version)
        do {
            let formats = client.permitted(version.formats)
            let (choice, bytes) = try await readFormat(of: formats, request, by: version.conversions)
            return GetResult(reading: .whole(choice, bytes), count: count)
        } catch {
            throw BridgeError(error)
        }
    }

    func isManager(_ client: Client) -> Bool { clipboardManager.isManager(process: client.process) }
}

extension Client {
    /// Replies to a `Get` with a descriptor, or with a handle for a client that takes no descriptors. A stream gets one
    /// reply when it begins, and another when it has ended.
    func reply(to parameters: Methods.Get.Parameters, with result: GetResult) async throws(BridgeError) {
        let choice = result.reading.choice
        var reply = Methods.Get.Reply(
            count: result.count, item: choice.item, type: choice.type.identifier, target: choice.target,
            bytes: WireBytes(descriptor: 0, offset: 0, length: 0), stale: result.isStale ? true : nil)
        switch result.reading {
        case .whole(_, let bytes) where parameters.descriptors == true:
            let passed = try bytes.held.pass(bytes.range)
            reply.bytes = WireBytes(descriptor: 0, offset: passed.offset, length: bytes.range.count)
            self.reply(reply, descriptors: [passed.descriptor])
        case .whole(_, let bytes):
            let handle = try transfers.download(bytes.held, bytes.range)
            reply.bytes = WireBytes(handle: handle, offset: 0, length: bytes.range.count)
            self.reply(reply)
        case .stream(_, let stream):
            reply.stream = true
            replyInPart(reply, descriptors: [stream.takeReadingEnd()].compactMap(\.self))
            reply.bytes = WireBytes(offset: 0, length: try await stream.length())
            self.reply(reply)
        }
        // A client that gets an error may ask again.
        if !isClosed { result.noteRead?() }
    }
}
