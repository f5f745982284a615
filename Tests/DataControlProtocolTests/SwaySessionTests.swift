import DataControlProtocol
import LinuxSystem
import SystemPackage
import Testing
import WaylandWire

/// A session with sway 1.7, recorded from another client program. Each line of the file is a call of this client, or
/// the bytes that the recorded client or the server sent, in hexadecimal and with the number of descriptors.
@Suite struct SwaySessionTests {
    private enum Line {
        case call([String])
        case client(descriptors: Int, [UInt8])
        case server(descriptors: Int, [UInt8])
    }

    private static func lines() throws -> [Line] {
        let path = "\(#filePath)".split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/Sessions/sway-1.7"
        let file = Descriptor(adopting: try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec))
        let text = String(decoding: try file.fileDescriptor.readBytes(atMost: 1 << 20), as: UTF8.self)
        return try text.split(separator: "\n").map { line in
            let words = line.split(separator: " ").map(String.init)
            if words[0] == "call" { return .call(Array(words.dropFirst())) }
            let digits = Array(words[2].utf8)
            let bytes = try stride(from: 0, to: digits.count, by: 2).map { start in
                try #require(UInt8(String(decoding: digits[start..<start + 2], as: UTF8.self), radix: 16))
            }
            let count = try #require(Int(words[1]))
            return words[0] == "client" ? .client(descriptors: count, bytes) : .server(descriptors: count, bytes)
        }
    }

    private func perform(_ call: [String], on client: inout Client) throws -> [Client.Effect] {
        switch call[0] {
        case "start": return client.start()
        case "receive":
            let offer = ForeignOfferID(try #require(Int(call[1])))
            let effect = client.receive(offer, type: call[2], into: WireDescriptor(try #require(Int(call[3]))))
            return [try #require(effect)]
        case "set":
            let types = call[2].split(separator: ",").map(String.init)
            let selection: SeatSelection = call[1] == "primary" ? .primary : .clipboard
            return client.set(selection, types: types, marker: call[3]).effects
        case "clear": return client.clear(.clipboard).effects
        default: return client.sync().effects
        }
    }

    /// Returns the effects of the session, with the server's bytes in pieces of the given size.
    private func replay(pieceSize: Int) throws -> [Client.Effect] {
        var client = Client()
        var effects: [Client.Effect] = []
        var unsent: [UInt8] = []
        var unsentDescriptors = 0
        func add(_ more: [Client.Effect]) throws {
            effects += more.reports
            for request in more.requests {
                let message = try request.encoded()
                unsent += message.bytes
                unsentDescriptors += message.descriptors.count
            }
        }
        for line in try Self.lines() {
            switch line {
            case .call(let call): try add(try perform(call, on: &client))
            case .client(let descriptors, let bytes):
                #expect(unsent.starts(with: bytes), "the requests differed from the recording")
                unsent.removeFirst(min(bytes.count, unsent.count))
                unsentDescriptors -= descriptors
            case .server(let descriptors, let bytes):
                for start in stride(from: 0, to: bytes.count, by: pieceSize) {
                    let piece = Array(bytes[start..<min(start + pieceSize, bytes.count)])
                    try add(client.receive(piece, descriptors: start == 0 ? descriptors : 0))
                }
            }
        }
        #expect(unsent.isEmpty && unsentDescriptors == 0)
        return effects
    }

    /// The types that wl-copy offers for text.
    private static let text = ["text/plain", "text/plain;charset=utf-8", "TEXT", "STRING", "UTF8_STRING"]

    @Test("The client sends the requests of the recorded client, and reports what happened", arguments: [1, 7, 4_096])
    func session(pieceSize: Int) throws {
        let (first, second, third, fourth) = (SourceID(1), SourceID(2), SourceID(3), SourceID(4))
        #expect(
            try replay(pieceSize: pieceSize) == [
                .attached(.wlr, version: 2), .changed(.clipboard, .nobody), .changed(.primary, .nobody),
                .settled(seat: "seat0", hasPrimary: true),
                .changed(.clipboard, .foreign(ForeignOfferID(1), types: Self.text)),
                .changed(.clipboard, .ours(first)),
                .write(first, type: "text/html", to: WireDescriptor(0)),
                .ended(first, .superseded), .changed(.clipboard, .ours(second)),
                .ended(second, .replaced), .changed(.clipboard, .foreign(ForeignOfferID(4), types: Self.text)),
                .changed(.primary, .ours(third)),
                .ended(third, .replaced), .changed(.primary, .foreign(ForeignOfferID(6), types: Self.text)),
                // wl-copy --clear, and the end of the program that owned the clipboard.
                .changed(.primary, .nobody), .changed(.clipboard, .nobody),
                .changed(.clipboard, .ours(fourth)),
                .ended(fourth, .superseded), .changed(.clipboard, .nobody),
                .synced(SyncID(1)),
            ])
    }
}
