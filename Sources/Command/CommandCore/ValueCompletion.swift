package import ArgumentParser
import BridgeClient
import FoundationEssentials
import LinuxSystem
import PasteboardModel
import PasteboardWire
import Terminal
import UniformTypes

/// Values that a shell completes, from the running bridge; none is started.
///
/// A function of a completion script calls `xpb` for the values. In zsh and fish a value has a description.
package struct ValueCompletion: Equatable {
    package let value: String
    let summary: String

    package init?(_ value: String, _ summary: String = "") {
        guard Self.isPlain(value) else { return nil }
        self.value = value
        self.summary = summary
    }

    /// Returns true for a value without a meaning to a shell. Other programs name types, and bash expands the words
    /// that it is offered, including command substitutions.
    package static func isPlain(_ value: String) -> Bool {
        !value.isEmpty
            && value.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-./+_=;:@".utf8.contains(byte)
            } && !value.hasPrefix("-")
    }

    /// Returns the candidate in the form that the shell's function reads.
    package func line(for shell: CompletionShell?) -> String {
        switch shell {
        case .zsh?: summary.isEmpty ? escapedColons : "\(escapedColons):\(summary)"
        case .fish? where !summary.isEmpty: "\(value)\t\(summary)"
        default: value
        }
    }

    /// The value for zsh, where an unescaped colon would end it.
    private var escapedColons: String { value.replacing(":", with: "\\:") }
}

extension CompletionKind {
    /// The names of pasteboards, with their owners.
    package static var pasteboards: CompletionKind {
        completion { session, _ in
            let boards = try session.connect(start: .never).call(Methods.List.self, .init()).reply.boards
            return boards.map { ValueCompletion($0.name, $0.owner.program ?? "") }
        }
    }

    /// The names of pasteboards that can be removed.
    package static var removablePasteboards: CompletionKind {
        completion { session, _ in
            let boards = try session.connect(start: .never).call(Methods.List.self, .init()).reply.boards
            return boards.filter { (try? PasteboardName(validating: $0.name).isSystem) == false }
                .map { ValueCompletion($0.name, $0.owner.program ?? "") }
        }
    }

    /// The types on offer on the pasteboard that the line names.
    package static var offeredTypes: CompletionKind {
        completion { session, line in
            // An entry of the history has its own types, not those of a pasteboard.
            guard !line.contains("history") else { return [] }
            let client = try session.connect(start: .never)
            let contents = try session.describe(session.pasteboard(), by: client)
            return contents.items.flatMap(\.representations).map { ValueCompletion($0.type) }
        }
    }

    /// The types that every desktop knows, with their MIME types.
    package static var builtInTypes: CompletionKind {
        completion { _, _ in
            UniformType.builtIn.map { ValueCompletion($0.identifier, $0.preferredMIMEType ?? "") }
        }
    }

    /// The entries of the history, the latest first, with their previews.
    package static var historyEntries: CompletionKind {
        completion { session, line in
            let client = try session.connect(start: .never)
            var found: [ValueCompletion?] = []
            let pasteboard = session.common.pasteboards.isEmpty ? nil : try session.pasteboard()
            let parameters = Methods.History.Parameters(pasteboard: pasteboard, limit: 50)
            try client.stream(Methods.History.self, parameters, timeoutFor: .everyReply) { reply, _ in
                let preview = Preview()
                found += reply.entries.map { entry in
                    ValueCompletion(String(entry.id), Columns.cut(preview.text(entry), to: 60))
                }
                return true
            }
            return found.filter { entry in !line.contains(entry?.value ?? "") }
        }
    }

    /// - Parameter values: Returns the values for the words of the line, in a session with its pasteboard.
    private static func completion(
        _ values: @escaping @Sendable (Session, [String]) throws -> [ValueCompletion?]
    ) -> CompletionKind {
        .custom { line, _, _ in
            // A user who presses Tab waits for it.
            var common = CommonOptions(pasteboards: CompletedLine(line).pasteboards, quiet: true)
            common.timeout = Seconds(1)
            common.display = CompletedLine(line).display
            let found = (try? values(Session(common), line)) ?? []
            return found.compactMap(\.self).map { $0.line(for: CompletionShell.requesting) }.uniqued()
        }
    }
}

/// The options of an unfinished line on which its completion depends.
package struct CompletedLine: Equatable {
    package private(set) var pasteboards: [String] = []
    package private(set) var display: String?

    package init(_ words: [String]) {
        for (option, value) in zip(words, words.dropFirst()) where !value.isEmpty {
            if option == "-p" || option == "--pasteboard" { pasteboards = [value] }
            if option == "--display" { display = value }
        }
        for word in words where word.hasPrefix("--pasteboard=") { pasteboards = [String(word.dropFirst(13))] }
        for word in words where word.hasPrefix("--display=") { display = String(word.dropFirst(10)) }
    }
}
