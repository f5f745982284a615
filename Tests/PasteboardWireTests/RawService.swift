import Glibc
import LinuxSystem
import PasteboardWire
import SystemPackage

/// A service on its own thread that keeps what its client uploads, and sends it back. It ends with its client.
final class RawService {
    let client: ClientConnection
    private let thread: WorkerThread
    private let socket: FileDescriptor

    /// - Parameter limit: The maximum length of an upload. A longer upload is refused while it arrives. Below 0, every
    ///   upload is refused at once.
    init(limit: Int = .max) throws {
        let (near, far) = try UnixSocket.pair()
        client = ClientConnection(socket: near)
        socket = near.fileDescriptor
        thread = try WorkerThread.start(name: "service") { try? Session(far, limit: limit).serve() }
    }

    deinit {
        shutdown(socket.rawValue, Int32(SHUT_RDWR))
        thread.join()
    }

    private final class Session {
        private let connection: ServerConnection
        private let limit: Int
        private var files: [MemoryFile] = []

        init(_ socket: Descriptor, limit: Int) throws {
            connection = try ServerConnection(socket: socket)
            self.limit = limit
        }

        func serve() throws {
            while !connection.isFinished {
                var set = PollSet()
                set.append(connection.fileDescriptor, connection.hasUnsent ? [.input, .output] : .input)
                _ = try set.wait(until: nil)
                try connection.receive()
                while let call = try connection.nextCall() { try answer(call) }
                try connection.flush()
            }
        }

        private func answer(_ call: IncomingCall) throws {
            if call.isCall(of: Methods.Upload.self) {
                try receive(try call.parameters(Methods.Upload.Parameters.self).length)
            } else if call.isCall(of: Methods.Download.self) {
                send(try call.parameters(Methods.Download.Parameters.self))
            } else {
                connection.reply(Methods.Count.Reply(count: files.count))
            }
        }

        private func receive(_ length: Int) throws {
            guard limit >= 0 else { return connection.fail(BridgeError(.refused, "nothing")) }
            let writer = try MemoryFileWriter()
            connection.receiveBytes(length) { [limit] bytes throws(BridgeError) in
                guard writer.length + bytes.count <= limit else { throw BridgeError(.refused, "too much") }
                do { try writer.append(bytes) } catch { throw BridgeError(.refused, "\(error)") }
            } end: { [unowned self] () throws(BridgeError) in
                do { files.append(try writer.seal()) } catch { throw BridgeError(.refused, "\(error)") }
                connection.reply(Methods.Upload.Reply(handle: "\(files.count - 1)"))
            }
        }

        private func send(_ wanted: Methods.HandleRange) {
            guard let index = Int(wanted.handle), files.indices.contains(index) else {
                return connection.fail(BridgeError(.invalidBytes, "unknown"))
            }
            let range = wanted.offset..<min(files[index].length, wanted.offset + wanted.length)
            connection.reply(Methods.Download.Reply(length: range.count), followedBy: files[index], range)
        }
    }
}
