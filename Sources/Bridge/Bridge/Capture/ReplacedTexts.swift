import BridgeState
import FormatConversion
import LinuxSystem
import PasteboardModel
import UniformTypes

/// Short text that other contents have replaced.
///
/// A password tool that does not mark its passwords, such as keepassxc-cli, replaces a password with empty text after a
/// timeout. The tool uses any clipboard program that it finds, perhaps xpb under the name of xclip. So text that empty
/// text soon follows is taken for a password.
struct ReplacedTexts {
    struct Text {
        let version: PasteboardState.Version
        let contents: RestorableContents
        /// The time of the copy, in milliseconds since the Unix epoch.
        let time: Int
    }

    /// The maximum length of a password, in bytes.
    private static let maxLength = 1_024

    /// The latest text of each pasteboard.
    private var texts: [PasteboardName: Text] = [:]

    /// Records the contents of a pasteboard that are about to be replaced.
    mutating func note(_ pasteboard: PasteboardState) {
        let present = pasteboard.captured ?? pasteboard.version
        // A user who runs xpb under its own name can mark a secret.
        guard let captured = present, captured.writer.program != "xpb", let contents = pasteboard.stored.contents,
            captured.isShortText(Self.maxLength)
        else {
            texts[pasteboard.name] = nil
            return
        }
        texts[pasteboard.name] = Text(version: captured, contents: contents, time: pasteboard.since)
    }

    /// Returns the text that an empty copy has replaced, unless the text is older than the given time.
    mutating func takeText(before empty: PasteboardState, within seconds: Double) -> Text? {
        guard let text = texts.removeValue(forKey: empty.name) else { return nil }
        return Double(empty.since - text.time) < seconds * 1_000 ? text : nil
    }
}

extension PasteboardState.Version {
    /// True for contents without any bytes.
    var isBlank: Bool { sources.allSatisfy { $0.bytes?.range.isEmpty == true } }

    /// Returns true for one line of text and no other contents.
    fileprivate func isShortText(_ maxLength: Int) -> Bool {
        let isText = contents.items.count == 1 && contents.types.allSatisfy { $0.conforms(to: .text) || $0.isMark }
        guard isText, !isBlank else { return false }
        return sources.allSatisfy { source in
            guard let bytes = source.bytes, bytes.range.count <= maxLength else { return false }
            let text = try? bytes.bytes()
            return text.map { $0.dropLast().contains(0x0A) } == false
        }
    }
}
