package import ArgumentParser
import BridgeClient
import FoundationEssentials
import LinuxSystem
import PasteboardModel
import PasteboardWire
import Terminal
import UniformTypes

/// A value that a shell completes, from the running bridge; no bridge is started.
///
/// A function of a completion script calls `xpb` for the values. In zsh and fish, a value has a description.
package struct ValueCompletion: Equatable {
    package let value: String
    let summary: String

    package init?(_ value: String, _ summary: String = "") {
        guard Self.isPlain(value) else { return nil }
        self.value = value
        self.summary = summary
    }

    /// Returns true for a value without a special meaning to a shell. Other programs name types, and bash expands the
    /// words that it is offered, including command substitutions.
    package static func isPlain(_ value: String) -> Bool {
        !value.isEmpty
            && value.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-./+_=;:@".utf8.contains(byte)
            } && !value.hasPrefix("-")
    }

    /// Returns the candidate in the form that the shell's function reads.
    package func line(for shell: CompletionShell?) -> String {
        switch shell {
        case .zsh?: summary.isEmpty ? escapedColons : "\(escapedColons):\(summary.replacing("\\", with: "\\\\"))"
        // Without a tab, fish shows the help of the option on each row.
        case .fish?: "\(value)\t\(summary)"
        default: value
        }
    }

    /// The value for zsh, where an unescaped colon would end it. In a summary, zsh reads a backslash as an escape.
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

    /// The types of a source: common names before anything is typed, and then all types too.
    package static var sourceTypes: CompletionKind {
        completion { _, line in
            let common = commonTypes.map { ValueCompletion($0, SourceType.concrete(named: $0)?.type.identifier ?? "") }
            guard line.last?.isEmpty == false else { return common }
            return common + UniformType.builtIn.map { ValueCompletion($0.identifier, $0.preferredMIMEType ?? "") }
        }
    }

    private static let commonTypes = [
        "text", "html", ".png", ".jpg", ".svg", ".pdf", "url", "color", ".json", ".csv", ".rtf", "text/markdown",
    ]

    /// The hosts that ssh knows by name, from its configuration and its file of known hosts.
    package static var hosts: CompletionKind {
        completion { session, _ in
            guard let home = session.environment["HOME"] else { return [] }
            func text(_ name: String) -> String {
                (try? String(contentsOfFile: "\(home)/.ssh/\(name)", encoding: .utf8)) ?? ""
            }
            return SSHNames.hosts(configuration: text("config"), known: text("known_hosts")).map { ValueCompletion($0) }
        }
    }

    /// The entries of the history, latest first, with their previews.
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
            // A user who presses Tab waits for the values.
            var common = CommonOptions(pasteboards: CompletedLine(line).pasteboards, quiet: true)
            common.timeout = Seconds(1)
            common.display = CompletedLine(line).display
            let found = (try? values(Session(common), line)) ?? []
            return found.compactMap(\.self).map { $0.line(for: CompletionShell.requesting) }.uniqued()
        }
    }
}

/// The names of hosts in ssh's files.
package enum SSHNames {
    /// - Parameters:
    ///   - configuration: The text of ssh_config(5). Patterns are left out.
    ///   - known: The text of the file of known hosts; see sshd(8). Hashed names and those with a port are left out.
    package static func hosts(configuration: String, known: String) -> [String] {
        let lines = configuration.split(whereSeparator: \.isNewline).map {
            $0.split { $0 == " " || $0 == "\t" || $0 == "=" }
        }
        let named = lines.filter { $0.first?.lowercased() == "host" }.flatMap { $0.dropFirst() }
        let visited = known.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") && !$0.hasPrefix("@") }
            .compactMap { $0.split(separator: " ").first }.flatMap { $0.split(separator: ",") }
        return (named + visited).filter { name in !name.contains { "*?!|[".contains($0) } }.map(String.init).uniqued()
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
