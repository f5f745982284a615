import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// Contents of several items on X11, where a selection has only one.
    @Suite("Several items on X11", .requiresXvfb)
    struct SeveralItemsTests {
        private static let target = "application/vnd.xpb.items"

        @Test("Text is joined by newlines, and for other types the first item's bytes are offered")
        func joined() async throws {
            try await Sandbox.with { sandbox async throws in
                try await sandbox.require(
                    "set", "-t", "image/png", "--text", "PNG1", "--text", "one", "--next", "-t", "image/png", "--text",
                    "PNG2", "--text", "two")
                #expect(try await sandbox.xclipPastes("UTF8_STRING").text == "one\ntwo")
                #expect(try await sandbox.xclipPastes("image/png").text == "PNG1")
            }
        }

        @Test("All items can be read from another program that keeps the stream of items")
        func archive() async throws {
            try await Sandbox.with { sandbox async throws in
                try await sandbox.require(
                    "set", "-t", "text/html", "--text", "<b>one</b>", "--text", "one", "--next", "--text", "two",
                    "-t", "com.example.note", "--text", "")
                let before = try await sandbox.require("items").text
                let archive = try await sandbox.xclipPastes(Self.target).output
                // xclip stands for a clipboard manager, which offers the same bytes under the same name.
                try sandbox.write(archive, to: "archive")
                try await sandbox.xclipCopies("archive", as: Self.target)
                #expect(try await sandbox.require("owner").text.contains("owner: window"))
                #expect(try await sandbox.require("items").text == before)
                #expect(try await sandbox.require("get", "-t", "text", "--item", "1").text == "two")
                #expect(try await sandbox.require("get", "-t", "public.html").text == "<b>one</b>")
                #expect(try await sandbox.require("get", "-t", "com.example.note", "--item", "1").output == [])
                #expect(try await sandbox.require("add", "three").status == 0)
                #expect(try await sandbox.require("get", "-t", "text", "--item", "2").text == "three")
            }
        }

        @Test("A damaged stream of items is a type like any other")
        func damaged() async throws {
            try await Sandbox.with { sandbox async throws in
                try sandbox.write(Array("xpb-items 1\n{}".utf8), to: "archive")
                try await sandbox.xclipCopies("archive", as: Self.target)
                #expect(try await sandbox.require("get", "-t", Self.target).text == "xpb-items 1\n{}")
            }
        }

        @Test("A single item is offered only under its own names")
        func alone() async throws {
            try await Sandbox.with { sandbox async throws in
                try await sandbox.require("set", "one")
                #expect(try await sandbox.xclipPastes(Self.target).status != 0)
            }
        }

        @Test("A pasteboard of an app is the selection of the same name, in both directions and on demand")
        func selection() async throws {
            try await Sandbox.with { sandbox async throws in
                let name = "com.example.scratch"
                let outcome = try await sandbox.xpb("get", "-p", name)
                #expect(outcome.status == 1 && outcome.error.contains("there is no pasteboard"), "\(outcome)")
                let page = try sandbox.write(Array("<i>peer</i>".utf8), to: "page")
                try await sandbox.withPeer(["own", "--selection", name, "--offer", "text/html", page]) { peer in
                    _ = try await peer.await("owned")
                    #expect(try await sandbox.require("get", "-p", name, "-t", "html").text == "<i>peer</i>")
                    #expect(try await sandbox.require("owner", "-p", name).text.contains("owner: window"))
                    try await sandbox.require("set", "-p", name, "mine")
                    let reply = try await sandbox.ask("--selection", name, "--target", "UTF8_STRING")
                    #expect(reply.text == "mine", "\(reply)")
                }
            }
        }
    }
}
