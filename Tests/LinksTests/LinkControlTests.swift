import BridgeClient
import BridgeFixture
import Links
import LinuxSystem
import PasteboardWire
import Synchronization
import Testing

/// Tests of the call that keeps a link open, with a bridge played by the test.
@Suite struct LinkControlTests {
    @Test("Only the first connection may start a bridge; after a bridge has ended, the link waits for the next bridge")
    func awaitsNext() throws {
        let place = try Place(display: ":1")
        let bridge = try place.bridge(":1") {
            { _, connection in
                connection.reply(Methods.OpenLink.Reply(key: "key"), continues: true)
                try connection.flush()
                throw HangUp()
            }
        }
        let attempts = Mutex<[Bool]>([])
        try withExtendedLifetime((place, bridge)) {
            let environment = place.environment
            let control = try LinkControl(.init(name: "far")) { isFirst throws(BridgeClientError) in
                attempts.withLock { $0.append(isFirst) }
                return try BridgeClient.connect(environment: environment, timeout: .seconds(60), start: .never)
            }
            defer { control.close() }
            var opened = 0
            while opened < 2 {
                _ = try waitReadable(control.fileDescriptor, until: nil)
                for event in control.drain() {
                    if case .failed(let error) = event { throw error }
                    if case .opened = event { opened += 1 }
                }
            }
        }
        #expect(attempts.withLock { $0.prefix(2) } == [true, false])
    }
}
