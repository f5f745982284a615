import CopyingSupport
import Terminal
import TestSupport
import Testing

extension Integration {
    /// The conversions of pictures, which gdk-pixbuf makes in a process of its own.
    @Suite("Pictures", .requiresXvfb)
    struct PictureTests {
        private static let (width, height) = (31, 17)

        /// The red, green and blue of a pixel.
        private static func color(_ x: Int, _ y: Int) -> [UInt8] {
            [UInt8(x * 8), UInt8(y * 15), UInt8((x * y) % 256)]
        }

        /// A BMP file with 24 bits for each pixel, whose rows begin at the bottom.
        private static let bmp: [UInt8] = {
            let row = (width * 3 + 3) / 4 * 4
            func little(_ number: Int, _ count: Int) -> [UInt8] {
                (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            }
            var file: [UInt8] = [0x42, 0x4D] + little(54 + row * height, 4) + little(0, 4) + little(54, 4)
            file += little(40, 4) + little(width, 4) + little(height, 4) + little(1, 2) + little(24, 2)
            file += little(0, 4) + little(row * height, 4) + little(2_835, 4) + little(2_835, 4) + little(0, 8)
            for y in (0..<height).reversed() {
                let pixels = (0..<width).flatMap { color($0, y).reversed() }
                file += pixels + [UInt8](repeating: 0, count: row - pixels.count)
            }
            return file
        }()

        /// Checks that a PNG file has the colors of ``color(_:_:)``.
        private static func expectColors(_ png: [UInt8]) throws {
            let pixels = try #require(PNGReader.pixels(of: png, fitting: (width, height)))
            var expected: [UInt8] = []
            for y in 0..<height { for x in 0..<width { expected += color(x, y) + [255] } }
            #expect(pixels.width == width && pixels.height == height)
            #expect(Payload.difference(pixels.bytes, expected) == nil)
        }

        @Test("PNG is made of a BMP and of a TIFF, and these of PNG, without a change of any pixel")
        func conversions() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-t", "image/bmp", "-f", "-", input: Self.bmp)
                #expect(try await sandbox.require("types").lines == ["com.microsoft.bmp", "public.png"])
                let png = try await sandbox.xclipPastes("image/png").output
                try Self.expectColors(png)
                try await sandbox.require("set", "-t", "image/png", "-f", "-", input: png)
                #expect(try await sandbox.require("types").lines.contains("public.tiff"))
                for type in ["image/bmp", "image/tiff"] {
                    let made = try await sandbox.xclipPastes(type).output
                    try await sandbox.require("set", "-t", type, "-f", "-", input: made)
                    try Self.expectColors(try await sandbox.require("get", "-t", "image/png").output)
                    try await sandbox.require("set", "-t", "image/png", "-f", "-", input: png)
                }
            }
        }

        @Test("Another program's BMP is read as PNG, with its file header or without", arguments: [true, false])
        func foreign(hasFileHeader: Bool) async throws {
            try await Sandbox.with { sandbox in
                _ = try await sandbox.count()
                let file = try sandbox.write(hasFileHeader ? Self.bmp : Array(Self.bmp.dropFirst(14)), to: "in.bmp")
                let target = hasFileHeader ? "image/x-MS-bmp" : "image/x-dib"
                try await sandbox.withPeer(["own", "--offer", target, file]) { peer in
                    _ = try await peer.await("owned")
                    try Self.expectColors(try await sandbox.require("get", "-t", "image/png").output)
                }
            }
        }

        @Test("A file that is cut short, huge or no picture is refused with the reason, and nothing is written")
        func refusals() async throws {
            try await Sandbox.with { sandbox in
                let png = try await Self.png(sandbox)
                var huge = png
                huge.replaceSubrange(16..<24, with: [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
                for (type, bytes, reason) in [
                    ("image/bmp", Array(Self.bmp.dropLast()), "is cut short"),
                    ("image/png", Array(png.dropLast(13)), "is cut short"),
                    ("image/png", huge, "more than 100000000 pixels"),
                    ("image/bmp", [0x41], "none of the requested types"),
                ] {
                    try await sandbox.require("set", "-t", type, "-f", "-", input: bytes)
                    let outcome = try await sandbox.xpb("get", "-t", type == "image/bmp" ? "image/png" : "image/bmp")
                    #expect(outcome.status != 0 && outcome.output.isEmpty, "\(outcome)")
                    #expect(outcome.error.contains(reason), "\(outcome)")
                }
            }
        }

        private static func png(_ sandbox: Sandbox) async throws -> [UInt8] {
            try await sandbox.require("set", "-t", "image/bmp", "-f", "-", input: bmp)
            return try await sandbox.require("get", "-t", "image/png").output
        }
    }
}
