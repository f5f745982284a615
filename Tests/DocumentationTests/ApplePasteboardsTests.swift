// snippet: port
import ApplePasteboards  // instead of AppKit or UIKit
// end
import TestSupport
import Testing

extension Documentation {
    @Suite("Apple's names") struct ApplePasteboardsTests {
        @Test("Objects are written and read as in the article")
        func objects() async throws {
            try await withPasteboards { sandbox in
                try await waiting {
                    // snippet: objects
                    let pasteboard = NSPasteboard.general
                    pasteboard.clearContents()
                    pasteboard.writeObjects(["Hello" as NSString])
                    let texts = pasteboard.readObjects(forClasses: [NSString.self]) as? [String]
                    // end
                    #expect(texts == ["Hello"])
                }
                #expect(try await sandbox.xclipPastes() == "Hello")
            }
        }

        @Test("Strings are written and read as in the comments")
        func strings() async throws {
            try await withPasteboards { sandbox in
                try await waiting {
                    // snippet: NSPasteboard
                    let pasteboard = NSPasteboard.general
                    pasteboard.clearContents()
                    pasteboard.setString("Hello", forType: .string)
                    let text = pasteboard.string(forType: .string)
                    // end
                    #expect(text == "Hello")
                    // snippet: UIPasteboard
                    UIPasteboard.general.string = "Hello"
                    if UIPasteboard.general.hasStrings { print(UIPasteboard.general.string ?? "") }
                    // end
                }
                #expect(try await sandbox.xclipPastes() == "Hello")
            }
        }
    }
}
