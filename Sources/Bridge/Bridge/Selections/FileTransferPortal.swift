import EventLoop
import FormatConversion
import Formats
import LinuxSystem
import SessionBus
import SystemPackage

/// The portal that gives a sandboxed program access to copied files, which its own file system lacks:
/// org.freedesktop.portal.FileTransfer.
///
/// The program that pastes asks for a key, and exchanges the key for paths of its own. The portal is called when the
/// key is requested, and not before. A key is for any number of pastes, and ends with the connection, so the connection
/// is kept once it is made.
final class FileTransferPortal {
    private static let service = "org.freedesktop.portal.Documents"
    private static let path = "/org/freedesktop/portal/documents"
    private static let interface = "org.freedesktop.portal.FileTransfer"
    /// The number of files in a call: a bus limits the descriptors of a message.
    private static let filesAtOnce = 16
    /// The timeout for an answer: the session may have to start the portal.
    private static let timeout = Duration.seconds(5)
    /// The limit on the number of files. Each is opened for its call.
    private static let maxFiles = 10_000

    private let address: String
    private let loop: EventLoop
    private let timers: TimerQueue
    private var bus: SessionBus?
    /// The latest keys. Older contents are no longer pasted.
    private var keys: [String] = []
    private static let maxKeys = 8

    /// - Parameter address: The address of the session bus.
    init(address: String, loop: EventLoop, timers: TimerQueue) {
        self.address = address
        self.loop = loop
        self.timers = timers
    }

    /// Returns a new key for the files of a list.
    ///
    /// - Throws: ``ConversionFailure/failed(_:)`` if a file cannot be transferred: then no file is, so that a part
    ///   never looks like the whole. The portal takes regular files alone.
    func key(for list: URIList) async throws(ConversionFailure) -> String {
        guard list.urls.count <= Self.maxFiles else { throw .failed("there are more than \(Self.maxFiles) files") }
        let started = try await call("StartTransfer", [.flags(["autostop": false])])
        guard let key = started.first?.string else { throw .broken("the portal's answer has no key") }
        keys.append(key)
        if keys.count > Self.maxKeys { _ = try await call("StopTransfer", [.string(keys.removeFirst())]) }
        for start in stride(from: 0, to: list.urls.count, by: Self.filesAtOnce) {
            let part = list.urls[start..<min(start + Self.filesAtOnce, list.urls.count)]
            var files: [Descriptor] = []
            for url in part {
                guard case .file(let file) = url else { throw .failed("\(url.string) is not a file of this machine") }
                do {
                    files.append(try Descriptor.openPath(file.path))
                } catch {
                    throw .failed("\(url.string) cannot be opened: \(error)")
                }
            }
            _ = try await call("AddFiles", [.string(key), .descriptors(files), .flags([:])])
        }
        return key
    }

    private func call(
        _ member: String, _ arguments: [BusCall.Argument]
    ) async throws(ConversionFailure) -> [BusValue] {
        let answer = PendingValue<SessionBus.Answer>()
        do throws(BusFailure) {
            let bus = try connected { answer.deliver(.failure($0)) }
            bus.call(BusCall(member, of: Self.interface, at: Self.path, to: Self.service, arguments)) {
                answer.deliver($0)
            }
        } catch {
            answer.deliver(.failure(error))
        }
        let timer = timers.set(.now + Self.timeout) { answer.deliver(.failure(.system(.timedOut))) }
        defer { timers.cancel(timer) }
        switch await answer.get() {
        case .success(let message): return message.arguments
        case .failure(let failure): throw .broken("the portal for files cannot be used: \(failure)")
        }
    }

    /// - Parameter onEnd: Called if the connection ends.
    private func connected(onEnd: @escaping (BusFailure) -> Void) throws(BusFailure) -> SessionBus {
        let bus =
            if let known = self.bus { known } else { try SessionBus(address: address, loop: loop, timers: timers) }
        self.bus = bus
        bus.onEnd = { [weak self] failure in
            self?.bus = nil
            self?.keys = []
            onEnd(failure)
        }
        return bus
    }
}
