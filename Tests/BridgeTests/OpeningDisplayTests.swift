import Bridge
import EventLoop
import PasteboardWire
import Testing
import X11Bridge
import X11Display

@Suite("While the first display is being opened")
struct OpeningDisplayTests {
    /// Waits until the owners are known, and calls `finish` with the outcome.
    private func awaitOwners(of fixture: ServiceFixture, _ finish: @escaping (Result<Void, BridgeError>) -> Void) {
        fixture.executor.start { [service = fixture.service] in
            do throws(BridgeError) {
                finish(.success(try await service.awaitCurrentOwners()))
            } catch {
                finish(.failure(error))
            }
        }
    }

    @Test("A call waits for the owners of selections that are watched while a display is being opened")
    func owners() throws {
        let fixture = try ServiceFixture()
        fixture.succeed()
        fixture.display.attach(":1")
        fixture.succeed()
        // A pasteboard that was restored from the store.
        fixture.display.watch("com.example.restored")
        var answer: Result<Void, BridgeError>?
        awaitOwners(of: fixture) { answer = $0 }
        fixture.report(.attached(display: ":1"))
        #expect(answer == nil)
        fixture.succeed()
        #expect(fixture.watched.contains("com.example.restored"))
        #expect(throws: Never.self) { try #require(answer).get() }
    }

    @Test("Calls do not wait for a display that cannot be opened")
    func fails() throws {
        let fixture = try ServiceFixture()
        fixture.display.attach(":1")
        fixture.succeed()
        var answer: Result<Void, BridgeError>?
        awaitOwners(of: fixture) { answer = $0 }
        fixture.report(.attachFailed(.display(.cannotOpen(":1"))))
        #expect(throws: Never.self) { try #require(answer).get() }
    }
}
