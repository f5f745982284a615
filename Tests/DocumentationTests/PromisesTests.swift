import FoundationEssentials
import Pasteboard
import Synchronization
import TestSupport
import Testing

extension Documentation {
    @Suite("Promises") struct PromisesTests {
        @Test("A provider is called once, and the former owner is notified")
        func promise() async throws {
            let asked = Mutex(0)
            @Sendable func picture() async throws -> Data {
                asked.withLock { $0 += 1 }
                return Data("picture".utf8)
            }
            try await withPasteboards { sandbox in
                try await waiting {
                    // snippet: promise
                    var item = PasteboardItem()
                    item.setPromise(forType: "public.png") {
                        try await picture()
                    }
                    try Pasteboard.general.setItems([item]) {
                        print("other contents have replaced the picture")
                    }
                    // end
                    #expect(asked.withLock { $0 } == 0)
                    for _ in 0..<3 { #expect(try Pasteboard.general.data(forType: "image") == Data("picture".utf8)) }
                }
                #expect(try await sandbox.xclipPastes("image/png") == "picture")
            }
            #expect(asked.withLock { $0 } == 1)
        }

        @Test("Promises are fulfilled at an orderly exit")
        func exit() async throws {
            try await withPasteboards { sandbox in
                let isAsked = Mutex(false)
                var item = PasteboardItem()
                item.setPromise(forType: "text") {
                    isAsked.withLock { $0 = true }
                    return Data("kept".utf8)
                }
                try await Pasteboard.general.async.setItems([item])
                try await waiting {
                    // snippet: keep
                    Pasteboard.keepPromises(within: .seconds(3))
                    // end
                }
                #expect(await AsyncPasteboard.keepPromises(within: .seconds(60)))
                #expect(isAsked.withLock { $0 })
                #expect(try await sandbox.xclipPastes() == "kept")
            }
        }
    }
}
