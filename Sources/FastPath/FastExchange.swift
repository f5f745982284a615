import LinuxSystem
import SystemPackage

/// One call to the bridge, made, and what came back in a short while.
struct FastExchange {
    private let connection: Descriptor
    private let path: [UInt8]
    /// Empty where nothing has come yet, or no more will.
    let received: [UInt8]
    let descriptors: [Descriptor]

    /// What an answer that is not slow stays below, in milliseconds. Who waits for longer is the ordinary way.
    private static let timeout: Int32 = 200

    /// - Returns: nil where there is no bridge that can be asked at once: the call was not made.
    init?(_ call: FastPath.PendingCall) {
        guard let place = BridgePlace(),
            let connection = try? UnixSocket.connectAtOnce(to: place.socket),
            // Who poses as the bridge would be handed what is copied.
            let peer = try? PeerCredentials.of(connection.fileDescriptor), peer.user == PeerCredentials.own.user
        else { return nil }
        let message = FastCall.attach(place) + call.message
        let sent = try? UnixSocket.send(
            message[...], descriptors: call.descriptors, to: connection.fileDescriptor, waits: false)
        // Of a call without its end the bridge takes no notice.
        guard sent == message.count else { return nil }
        self.init(on: connection, listeningAt: place.socket)
    }

    /// Of a call that was made on that connection.
    init(on connection: Descriptor, listeningAt path: [UInt8]) {
        self.connection = connection
        self.path = path
        guard (try? UnixSocket.waitReadable(connection.fileDescriptor, milliseconds: Self.timeout)) == true,
            let answer = try? UnixSocket.receive(from: connection.fileDescriptor, limit: 4_096, waits: false)
        else {
            received = []
            descriptors = []
            return
        }
        received = answer.bytes
        descriptors = answer.descriptors
    }

    /// For who goes on with it.
    func sentCall(_ line: FastLine, written: Int = 0) -> FastPath.SentCall {
        FastPath.SentCall(
            line: line, connection: connection, path: String(decoding: path, as: UTF8.self), received: received,
            descriptors: descriptors, written: written)
    }
}
