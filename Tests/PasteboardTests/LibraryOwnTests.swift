import FoundationEssentials
import Pasteboard
import TestSupport
import Testing

extension Library {
    /// Pasteboards of an app's own.
    @Suite("Own pasteboards", .requiresXvfb) struct OwnTests {
        @Test("Found where there is one, made where it is wanted, and gone with the program that made it")
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

        @Test("One that this program made is there until it is removed, and its count goes on")
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

        @Test("Persistence is told and set; the system's pasteboards persist")
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
            "A name that cannot be is told as that, and what belongs to the system is not removed",
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

        @Test("The system's pasteboards cannot be removed, and what is not there cannot either")
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
