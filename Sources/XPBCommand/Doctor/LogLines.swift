import LinuxSystem
import SystemPackage

/// The lines of a bridge's log that tell of something wrong.
struct LogLines: Equatable {
    struct Trouble: Equatable {
        let message: String
        let isError: Bool
    }

    let troubles: [Trouble]

    /// The end of the file counts, of a log that is very long.
    init(inFileAt path: String) {
        let file = try? FileDescriptor.open(FilePath(lossless: path), .readOnly, options: [.closeOnExec, .noFollow])
        guard let file else {
            self.init("")
            return
        }
        let descriptor = Descriptor(adopting: file)
        let length = (try? file.seek(offset: 0, from: .end)) ?? 0
        _ = try? file.seek(offset: max(0, length - 65_536), from: .start)
        self.init(String(decoding: (try? descriptor.fileDescriptor.readBytes(atMost: 65_536)) ?? [], as: UTF8.self))
    }

    /// Lines are `TIME LEVEL LABEL: [SOURCE] MESSAGE`.
    init(_ text: String) {
        troubles = text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", maxSplits: 2)
            guard words.count == 3, ["warning", "error", "critical"].contains(words[1]) else { return nil }
            let message = words[2].firstRange(of: "] ").map { words[2][$0.upperBound...] } ?? words[2]
            return Trouble(message: String(message), isError: words[1] != "warning")
        }
    }
}
