/// Text with a look: paragraphs of runs. What HTML and RTF both can say, and what is asked of them on a pasteboard.
package struct StyledText: Equatable, Sendable {
    package var paragraphs: [Paragraph]

    package init(_ paragraphs: [Paragraph] = []) {
        self.paragraphs = paragraphs
    }

    /// A stretch of text that looks alike.
    package struct Run: Equatable, Sendable {
        /// Never empty. A line feed is a line break within the paragraph; a cell of a table ends with a tab.
        package var text: String
        package var style: TextStyle

        package init(_ text: String, _ style: TextStyle = TextStyle()) {
            self.text = text
            self.style = style
        }
    }

    package struct Paragraph: Equatable, Sendable {
        /// No two neighbours have the same style.
        package private(set) var runs: [Run] = []
        package var style: ParagraphStyle

        package init(_ runs: [Run] = [], _ style: ParagraphStyle = ParagraphStyle()) {
            self.style = style
            for run in runs { append(run.text, run.style) }
        }

        /// Adds text; it becomes part of the last run where the style is the same.
        package mutating func append(_ text: some StringProtocol, _ style: TextStyle) {
            guard !text.isEmpty else { return }
            if runs.last?.style == style {
                runs[runs.count - 1].text += text
            } else {
                runs.append(Run(String(text), style))
            }
        }

        package var text: String { runs.map(\.text).joined() }

        /// Takes a line break from the end.
        mutating func removeLastLineBreak() {
            guard let last = runs.last, last.text.utf8.last == 0x0A else { return }
            runs[runs.count - 1].text.unicodeScalars.removeLast()
            if runs[runs.count - 1].text.isEmpty { runs.removeLast() }
        }
    }

    /// UTF-8 without a look: paragraphs are lines, parted by an empty one where one of them is spaced; items of lists
    /// begin with their number or bullet, four blanks deeper for each list around theirs.
    package var plainText: [UInt8] {
        var result: [UInt8] = []
        for (index, paragraph) in paragraphs.enumerated() {
            if index > 0 {
                result.append(0x0A)
                if paragraph.style.isSpaced || paragraphs[index - 1].style.isSpaced { result.append(0x0A) }
            }
            if let list = paragraph.style.list, let marker = list.marker {
                for _ in 1..<list.level { result += Array("    ".utf8) }
                result += Array(marker.text.utf8)
            }
            for run in paragraph.runs { result += Array(run.text.utf8) }
        }
        return result
    }
}

/// How a run of text looks. Nil is the reader's own choice.
package struct TextStyle: Hashable, Sendable {
    package var isBold = false
    package var isItalic = false
    package var isUnderlined = false
    package var isStruckThrough = false
    /// In points; written as 0.5 to 1,638, in RTF to half a point.
    package var fontSize: Double?
    /// The name of a family, or one of CSS' generic ones as `monospace`.
    package var fontFamily: String?
    package var foreground: TextColor?
    package var background: TextColor?
    /// The address as it was written.
    package var link: String?

    package init() {}

    /// The size as it is written: what is out of range is the nearest that is not, what is no number is not said.
    var writtenSize: Double? {
        fontSize.flatMap { $0.isNaN ? nil : min(max(CSSFontSize.range.lowerBound, $0), CSSFontSize.range.upperBound) }
    }
}

/// A colour in sRGB.
package struct TextColor: Hashable, Sendable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }
}

/// Where the lines of a paragraph stand. `natural` is the side on which the script begins.
package enum TextAlignment: CaseIterable, Hashable, Sendable {
    case natural
    case left
    case right
    case center
    case justified
}

/// The paragraph's place in a list.
package struct ListItem: Hashable, Sendable {
    /// 1 to ``deepest``: how many lists it stands in.
    package var level: Int
    /// Nil for a further paragraph of an item; RTF does not know those.
    package var marker: ListMarker?

    package static let deepest = 9

    /// A level out of range is the nearest that is not.
    package init(level: Int, marker: ListMarker?) {
        self.level = min(max(1, level), Self.deepest)
        self.marker = marker
    }
}

/// How a paragraph is laid out.
package struct ParagraphStyle: Hashable, Sendable {
    package var alignment = TextAlignment.natural
    package var list: ListItem?
    /// 1 to 6; nil for what is no heading.
    package var headingLevel: Int?
    /// HTML's `pre`; RTF does not know it.
    package var isPreformatted = false
    /// Whether there is space around it, as around HTML's `p`.
    package var isSpaced = false

    package init() {}
}

extension StyledText {
    /// A fragment of HTML in UTF-8, without a `meta`. Control characters but tab and line feed are left out.
    package var html: [UInt8] { HTMLWriter.bytes(of: self) }

    /// RTF, in ASCII. Control characters but tab and line feed are left out.
    package var rtf: [UInt8] { RTFWriter.bytes(of: self) }
}
