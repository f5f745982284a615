import FoundationEssentials
package import LinuxSystem

/// The way a terminal shows pictures, from its replies.
package struct PictureSupport: Equatable, Sendable {
    package enum Way: Equatable, Sendable {
        /// kitty's graphics protocol.
        case kitty
        /// iTerm2's inline images.
        case inline
        /// Sixel, with a number of colors and the largest size.
        case sixel(colors: Int, largest: TerminalReplies.Size?)
    }

    package let way: Way
    /// The size of a character in pixels.
    package let cell: TerminalReplies.Size

    package init(way: Way, cell: TerminalReplies.Size) {
        self.way = way
        self.cell = cell
    }

    /// - Parameter size: The terminal's size; its pixels are used if no reply has the size of a character.
    /// - Returns: nil for a terminal that shows no pictures, or whose characters have no known size.
    package init?(_ replies: TerminalReplies, size: TerminalSize?) {
        guard replies.isComplete, let cell = replies.cell ?? Self.character(in: size) else { return nil }
        self.cell = cell
        if replies.hasKittyPictures {
            way = .kitty
        } else if replies.hasInlinePictures {
            way = .inline
        } else if replies.hasSixel {
            way = .sixel(colors: replies.sixelColors ?? 16, largest: replies.maxSixel)
        } else {
            return nil
        }
    }

    private static func character(in size: TerminalSize?) -> TerminalReplies.Size? {
        guard let size, size.columns > 0, size.rows > 0, size.width >= size.columns, size.height >= size.rows else {
            return nil
        }
        return TerminalReplies.Size(width: size.width / size.columns, height: size.height / size.rows)
    }

    /// The bytes that remove all pictures from the screen, if clearing the text does not.
    package var removal: [UInt8] { way == .kitty ? Array("\u{1B}_Ga=d,d=A,q=2\u{1B}\\".utf8) : [] }

    /// Returns a PNG file as a picture of at most these columns and rows; nil if the file is damaged or too large.
    package func picture(ofPNG file: [UInt8], columns: Int, rows: Int) -> TerminalPicture? {
        var width = columns * cell.width
        var height = rows * cell.height
        if case .sixel(_, let largest) = way {
            width = min(width, largest?.width ?? width)
            height = min(height, largest?.height ?? height)
            // A picture consists of bands of six pixels; a band that reaches below the bottom would scroll.
            if height >= 6 { height -= height % 6 }
        }
        guard let pixels = PNGReader.pixels(of: file, fitting: (width, height)) else { return nil }
        return TerminalPicture(bytes: encode(pixels), rows: (pixels.height + cell.height - 1) / cell.height)
    }

    private func encode(_ pixels: Pixels) -> [UInt8] {
        switch way {
        case .kitty: KittyPicture.encode(PNGWriter.file(pixels))
        case .inline: InlinePicture.encode(PNGWriter.file(pixels), width: pixels.width, height: pixels.height)
        case .sixel(let colors, _): Sixel.encode(pixels, colors: colors)
        }
    }
}

/// A picture in the form that a terminal accepts. It is drawn to the right of and below the cursor.
package struct TerminalPicture: Equatable, Sendable {
    package let bytes: [UInt8]
    /// The height of the picture, in characters.
    package let rows: Int

    package init(bytes: [UInt8], rows: Int) {
        self.bytes = bytes
        self.rows = rows
    }
}

/// kitty's graphics protocol: a PNG file in pieces.
package enum KittyPicture {
    /// The limit on the characters of base64 in one piece.
    package static let maxPiece = 4_096

    package static func encode(_ file: [UInt8]) -> [UInt8] {
        let text = Array(Data(file).base64EncodedString().utf8)
        var output: [UInt8] = []
        for start in stride(from: 0, to: text.count, by: maxPiece) {
            let piece = text[start..<min(start + maxPiece, text.count)]
            // Transmit and display a PNG, leave the cursor where it is, and send no reply.
            let first = start == 0 ? "a=T,f=100,C=1," : ""
            output += Array("\u{1B}_G\(first)q=2,m=\(piece.endIndex < text.count ? 1 : 0);".utf8)
            output += piece
            output += [0x1B, UInt8(ascii: "\\")]
        }
        return output
    }
}

/// iTerm2's inline images: a PNG file in one piece.
package enum InlinePicture {
    package static func encode(_ file: [UInt8], width: Int, height: Int) -> [UInt8] {
        let arguments = "inline=1;size=\(file.count);width=\(width)px;height=\(height)px;doNotMoveCursor=1"
        return Array("\u{1B}]1337;File=\(arguments):\(Data(file).base64EncodedString())\u{07}".utf8)
    }
}
