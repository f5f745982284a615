import EventLoop
import LinuxSystem
import PasteboardWire
import SystemPackage

/// A reader of the lines that a program writes to a pipe.
final class LineReader {
    private let pipe: Descriptor
    private let onLine: (String) -> Void
    private var registration: Registration?
    private var rest: [UInt8] = []
    /// The last lines.
    private(set) var lines: [String] = []

    /// The maximum length of a line, in bytes. The rest of a longer line counts as another line.
    private static let maxLength = 4_096
    /// The number of lines that are kept.
    private static let maxLines = 40

    init(_ pipe: Descriptor, on loop: EventLoop, onLine: @escaping (String) -> Void = { _ in }) {
        self.pipe = pipe
        self.onLine = onLine
        registration = loop.add(pipe.fileDescriptor, interest: .readable) { [unowned self] _ in read() }
    }

    deinit { registration?.cancel() }

    private func read() {
        guard let bytes = try? pipe.fileDescriptor.readBytes(atMost: 1 << 16), !bytes.isEmpty else {
            registration?.cancel()
            return
        }
        take(bytes)
    }

    /// Reads the rest after the end of the program, without waiting for other processes that have the pipe open.
    func readRest() {
        while (try? waitReadable(pipe.fileDescriptor, until: .now)) == true,
            let bytes = try? pipe.fileDescriptor.readBytes(atMost: 1 << 16), !bytes.isEmpty
        {
            take(bytes)
        }
        registration?.cancel()
        if !rest.isEmpty { take([UInt8(ascii: "\n")]) }
    }

    private func take(_ bytes: [UInt8]) {
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") || rest.count == Self.maxLength else {
                rest.append(byte)
                continue
            }
            let line = String(decoding: rest, as: UTF8.self).printable
            rest = byte == UInt8(ascii: "\n") ? [] : [byte]
            guard !line.isEmpty else { continue }
            lines = lines.suffix(Self.maxLines - 1) + [line]
            onLine(line)
        }
    }
}

extension String {
    /// The maximum number of scalars that are shown.
    private static let maxShown = 4_096

    /// The beginning of the text, without control characters: text from another machine is shown on a terminal.
    var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.lazy.filter(\.isPrintable).prefix(Self.maxShown)))
    }
}
