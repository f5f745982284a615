import LinuxSystem
import PasteboardWire
import SystemPackage

/// Transfers of bytes on a connection that passes no descriptors: uploads before a call, and downloads after a reply.
extension BridgeClient {
    // MARK: Outgoing

    /// Calls `body`, which makes a call, with parameters and descriptors that this connection can carry. If the
    /// connection passes no descriptors, their bytes are uploaded before the call and released after the reply.
    func passing<Parameters, Result>(
        _ parameters: Parameters, _ descriptors: [Descriptor], _ body: (Parameters, [Descriptor]) throws -> Result
    ) throws -> Result {
        if passesDescriptors || descriptors.isEmpty { return try body(parameters, descriptors) }
        let bytes = try OutgoingBytes(of: parameters, descriptors)
        let handles = try upload(bytes.ranges, ticket: (parameters as? Methods.Keep.Parameters)?.ticket)
        defer { release(handles) }
        return try body(bytes.naming(handles, in: parameters), [])
    }

    private func upload(_ ranges: [(file: MemoryFile, range: Range<Int>)], ticket: String?) throws -> [String] {
        connection.extendsIdleTimeout = isBridgeAlive
        do {
            return try connection.upload(ranges, ticket: ticket, idleTimeout: timeout + Self.grace)
        } catch ClientFault.closed {
            // The call itself was not made.
            var error = BridgeClientError(wire: ClientFault.closed)
            error.context.mayRepeat = true
            throw error
        } catch ClientFault.system(let error) {
            throw BridgeClientError(code: .transferBroken, message: "the bytes could not be sent: \(error)")
        }
    }

    /// Releases handles without waiting. In any case, handles do not outlive the connection.
    func release(_ handles: some Sequence<String>) {
        for handle in handles {
            let parameters = Methods.Release.Parameters(handle: handle)
            try? connection.callOneway(Methods.Release.self, parameters, idleTimeout: timeout + Self.grace)
        }
    }

    // MARK: Incoming

    /// The parameter of a read that asks for descriptors.
    var asksForDescriptors: Bool? { passesDescriptors ? true : nil }

    /// Downloads the bytes that replies name by handles, each byte once, and releases the handles.
    ///
    /// - Parameter onProgress: Called each time some of the bytes arrive.
    func download(
        _ named: [WireBytes], onProgress: () -> Void = {}
    ) throws(BridgeClientError) -> [String: Download] {
        let spans = Download.spans(of: named)
        if spans.isEmpty { return [:] }
        defer { release(spans.keys) }
        do {
            let wanted = spans.filter { !$0.value.isEmpty }.map {
                Methods.HandleRange(handle: $0.key, offset: $0.value.lowerBound, length: $0.value.count)
            }
            connection.extendsIdleTimeout = isBridgeAlive
            let files = try connection.download(
                wanted, idleTimeout: timeout + Self.grace, onProgress: onProgress)
            let empty = try MemoryFile.containing([])
            let found = Dictionary(uniqueKeysWithValues: zip(wanted.map(\.handle), files))
            return spans.reduce(into: [:]) { downloads, span in
                downloads[span.key] = Download(file: found[span.key] ?? empty, span: span.value)
            }
        } catch let error as Errno {
            throw BridgeClientError(code: .transferBroken, message: "there is no room for the bytes: \(error)")
        } catch {
            throw BridgeClientError(wire: error)
        }
    }
}

/// The downloaded bytes of a handle.
struct Download {
    let file: MemoryFile
    /// The range of the handle's bytes that the file holds.
    let span: Range<Int>

    /// Returns the span of the named bytes of each handle. Ranges that cannot exist are left out.
    static func spans(of named: [WireBytes]) -> [String: Range<Int>] {
        var spans: [String: Range<Int>] = [:]
        for bytes in named {
            guard let handle = bytes.handle else { continue }
            let known = spans[handle] ?? 0..<0
            spans[handle] = known
            guard bytes.offset >= 0, bytes.length > 0, bytes.length <= .max - bytes.offset else { continue }
            let range = bytes.offset..<bytes.offset + bytes.length
            spans[handle] =
                known.isEmpty
                ? range : min(known.lowerBound, range.lowerBound)..<max(known.upperBound, range.upperBound)
        }
        return spans
    }
}

/// The bytes that a call names by descriptors, to be uploaded instead of passing the descriptors.
private struct OutgoingBytes {
    /// The part of each file that the call names. A file of the store holds other bytes too.
    private(set) var ranges: [(file: MemoryFile, range: Range<Int>)] = []
    /// The index in `ranges` for each descriptor.
    private var places: [Int: Int] = [:]

    /// - Throws: Code `refused` for a secret, code `transferBroken` for a descriptor that cannot be read.
    init(of parameters: some Any, _ descriptors: [Descriptor]) throws(BridgeClientError) {
        for (index, descriptor) in descriptors.enumerated() {
            let named = Self.named(by: parameters).filter { $0.descriptor == index }
            guard let end = named.map(\.end).max(), let start = named.map(\.offset).min() else { continue }
            let file = try Self.file(of: descriptor)
            let bounds = 0...file.length
            places[index] = ranges.count
            ranges.append((file, bounds.clamped(start)..<bounds.clamped(max(start, end))))
        }
    }

    /// Returns parameters that name the uploads with these handles instead of the descriptors.
    func naming<Parameters>(_ handles: [String], in parameters: Parameters) -> Parameters {
        guard var naming = parameters as? any BytesNaming else { return parameters }
        naming.mapBytes { bytes in
            guard let place = bytes.descriptor.flatMap({ places[$0] }) else { return bytes }
            let offset = bytes.offset - ranges[place].range.lowerBound
            return WireBytes(handle: handles[place], offset: offset, length: bytes.length)
        }
        return naming as? Parameters ?? parameters
    }

    private static func named(by parameters: some Any) -> [WireBytes] {
        var named: [WireBytes] = []
        var naming = parameters as? any BytesNaming
        naming?.mapBytes { bytes in
            named.append(bytes)
            return bytes
        }
        return named
    }

    private static func file(of descriptor: Descriptor) throws(BridgeClientError) -> MemoryFile {
        do {
            if try descriptor.isPipe { throw BridgeClientError.concealed }
            // A caller may pass a file on disk instead of a memory file.
            return try (try? MemoryFile(adopting: descriptor)) ?? MemoryFile(.borrowed, onDisk: descriptor)
        } catch let error as BridgeClientError {
            throw error
        } catch {
            throw BridgeClientError(code: .transferBroken, message: "the bytes cannot be sent: \(error)")
        }
    }
}

extension BridgeClientError {
    fileprivate static let concealed = BridgeClientError(
        code: .refused, message: "concealed contents are not sent over a link to another machine")
}

/// The parameters of a call that name bytes.
private protocol BytesNaming {
    mutating func mapBytes(_ body: (WireBytes) -> WireBytes)
}

extension Methods.Keep.Parameters: BytesNaming {
    fileprivate mutating func mapBytes(_ body: (WireBytes) -> WireBytes) {
        bytes = body(bytes)
    }
}

extension Methods.Set.Parameters: BytesNaming {
    fileprivate mutating func mapBytes(_ body: (WireBytes) -> WireBytes) {
        for item in items.indices {
            for place in items[item].representations.indices {
                items[item].representations[place].bytes = items[item].representations[place].bytes.map(body)
            }
        }
    }
}

extension ClosedRange<Int> {
    fileprivate func clamped(_ value: Int) -> Int { Swift.min(Swift.max(value, lowerBound), upperBound) }
}

extension WireBytes {
    /// The end of the range; 0 or `Int.max` if the range cannot exist.
    fileprivate var end: Int {
        let (end, overflow) = offset.addingReportingOverflow(length)
        return overflow ? .max : max(end, 0)
    }
}
