import FoundationEssentials
import Pasteboard
import TestSupport
import Testing

extension Library {
    /// Pasteboards of an app.
    @Suite("Own pasteboards", .requiresXvfb) struct OwnTests {
        @Test("An app's pasteboard is found or created, and removed with the program that created it")
        func lifetime() async throws {
            try await withLibrary { sandbox in
                let name = "com.example.scratch"
                #expect(try Pasteboard(named: name, create: false) == nil)
                try await sandbox.withPeer("own", name) { peer in
                    #expect(try await peer.line() == name)
                    let found = try #require(try await AsyncPasteboard.named(name, create: false))
                    let count = try await found.setString("theirs")
                    var changes = found.changes(since: count - 1).makeAsyncIterator()
                    #expect(try await changes.next()?.count == count)
                    try await peer.kill()
                    let removal = try #require(try await changes.next())
                    #expect(removal.isRemoval)
                }
                #expect(try Pasteboard(named: name, create: false) == nil)
            }
        }

        @Test("An app's pasteboard exists until it is removed, and its change count continues")
        func removing() async throws {
            try await withLibrary { _ in
                let made = try Pasteboard.withUniqueName()
                let other = try await AsyncPasteboard.withUniqueName()
                #expect(made.name != other.name)
                let count = try made.setString("mine")
                #expect(try Pasteboard(named: made.name, create: false)?.string == "mine")
                try Pasteboard.remove(named: made.name)
                #expect(try Pasteboard(named: made.name, create: false) == nil)
                let again = try #require(try Pasteboard(named: made.name, create: true))
                #expect(try again.string == nil && again.changeCount > count)
            }
        }

        @Test("Persistence can be read and set, and the system's pasteboards are persistent")
        func persistence() async throws {
            try await withLibrary { _ in
                let own = try #require(try await AsyncPasteboard.named("com.example.kept", create: true))
                #expect(try await own.isPersistent == false)
                try await own.setPersistent(true)
                #expect(try await own.isPersistent)
                #expect(try Pasteboard.general.isPersistent)
            }
        }

        @Test(
            "An invalid name throws invalidName, and names of the system are refused",
            arguments: [
                ("", PasteboardError.Code.invalidName), ("a/b.c", .invalidName), ("a\u{1}.b", .invalidName),
                (String(repeating: "x.", count: 5_120), .invalidName), ("_NET.x", .refused), ("WM_S0", .refused),
            ])
        func names(name: String, code: PasteboardError.Code) async throws {
            for create in [true, false] {
                let error = #expect(throws: PasteboardError.self) { try Pasteboard(named: name, create: create) }
                #expect(error?.code == code)
            }
            let error = await #expect(throws: PasteboardError.self) { try await AsyncPasteboard.remove(named: name) }
            #expect(error?.code == code)
        }

        @Test("Neither a system pasteboard nor a missing pasteboard can be removed")
        func notRemoved() async throws {
            try await withLibrary { _ in
                let codes = try ["general", "clipboard", "find", "com.example.none"].map { name in
                    try #require(#expect(throws: PasteboardError.self) { try Pasteboard.remove(named: name) }).code
                }
                #expect(codes == [.refused, .refused, .refused, .noSuchPasteboard])
                #expect(try Pasteboard(named: "PRIMARY", create: true) == .find)
            }
        }
    }
}
