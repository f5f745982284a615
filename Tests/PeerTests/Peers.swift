import TestSupport
import Testing

/// Tests of the built programs together with programs of real toolkits, on a real X server.
///
/// The tests run one at a time, because the toolkits are slow. Toolkits have their own timeouts, 5 seconds in Qt and
/// Tk; the timeouts of the tests are much longer.
@Suite(.serialized, .timeLimit(.minutes(5)), .requiresXvfb, .printsMatrix)
enum Peers {}

/// A toolkit with programs that copy and paste.
enum Toolkit: String, CaseIterable, Sendable, CustomStringConvertible {
    case gtk3 = "GTK 3"
    case qt5 = "Qt 5"
    case tk = "Tk"

    var description: String { rawValue }

    /// The program in Tests/Fixtures/Toolkits; its command line is described in toolkit.py.
    var program: String {
        switch self {
        case .gtk3: Binaries.fixture("Toolkits/gtk3.py")
        case .qt5: Binaries.fixture("Toolkits/qt.py")
        case .tk: Binaries.fixture("Toolkits/tk.py")
        }
    }
}

extension Sandbox {
    /// Runs `body` while a program of the toolkit owns CLIPBOARD.
    /// - Parameter contents: The copied contents: the kind as an argument of the program, and a file in the folder.
    func owning<Result: Sendable>(
        _ toolkit: Toolkit, _ contents: [(form: String, file: String)], _ body: (Running) async throws -> Result
    ) async throws -> Result {
        let command = [toolkit.program, "own"] + contents.flatMap { [$0.form, path($0.file)] }
        return try await running(command) { program in
            let word = try await program.line()
            try #require(word == "owned", "\(toolkit) says “\(word)”")
            return try await body(program)
        }.result
    }

    /// Makes a program of the toolkit paste into a file of the folder. The status is 0, or 3 if the toolkit finds
    /// nothing of this kind.
    func pasting(_ toolkit: Toolkit, _ form: String, into file: String) async throws -> Outcome {
        try await run([toolkit.program, "read", form, path(file)])
    }

    /// Runs `xpb` with a long timeout, and requires success.
    @discardableResult
    func require(_ command: String, _ arguments: String...) async throws -> Outcome {
        let outcome = try await run(["\(Binaries.folder)/xpb", command, "--timeout", "60"] + arguments)
        try #require(outcome.status == 0, "\(outcome)")
        return outcome
    }
}

/// The kind of contents, a column of the matrix.
enum Kind: CaseIterable, Sendable {
    case text, emptyText, html, image, files, undecodableFiles, fileList, note, reverseDNS, absent
    case fourByteText, largeText, largeNote

    /// The title of the column.
    var title: String {
        switch self {
        case .text: "text"
        case .emptyText: "empty"
        case .html: "HTML"
        case .image: "image"
        case .files: "files"
        case .undecodableFiles: "odd names"
        case .fileList: "file list"
        case .note: "custom"
        case .reverseDNS: "reverse-DNS"
        case .absent: "absent"
        case .fourByteText: "4-byte text"
        case .largeText: "20 MB text"
        case .largeNote: "20 MB custom"
        }
    }

    /// The phrase that names the kind in a sentence.
    var phrase: String {
        switch self {
        case .text: "text"
        case .emptyText: "empty text"
        case .html: "HTML"
        case .image: "an image"
        case .files: "files"
        case .undecodableFiles: "a file whose name is not UTF-8"
        case .fileList: "a file manager's list"
        case .note: "bytes of a custom type"
        case .reverseDNS: "bytes under a reverse-DNS name"
        case .absent: "a type other than the pasted type"
        case .fourByteText: "text whose characters of four bytes are cut at the ends of chunks"
        case .largeText: "20 MB of text"
        case .largeNote: "20 MB of a custom type"
        }
    }

    /// The KIND argument of a toolkit's program.
    var form: String {
        switch self {
        case .text, .emptyText, .fourByteText, .largeText: "text"
        case .html: "html"
        case .image: "image"
        case .files, .undecodableFiles: "files"
        case .fileList: "x-special/gnome-copied-files"
        case .note, .largeNote, .absent: "application/x-example-note"
        case .reverseDNS: "com.example.note"
        }
    }

    /// The TYPE argument of xpb.
    var type: String {
        switch self {
        case .text, .emptyText, .fourByteText, .largeText: "text"
        case .html: "html"
        case .image: "public.png"
        case .files, .undecodableFiles: "text/uri-list"
        case .fileList, .note, .largeNote, .absent, .reverseDNS: form
        }
    }
}

/// A cell of the matrix: a kind of contents, in one direction between xpb and a toolkit.
struct Cell: Hashable, Sendable, CustomTestStringConvertible {
    enum Direction: CaseIterable, Sendable {
        /// The toolkit copies and xpb pastes.
        case copies
        /// xpb copies and the toolkit pastes.
        case pastes
    }

    let toolkit: Toolkit
    let direction: Direction
    let kind: Kind

    static let all = Toolkit.allCases.flatMap { toolkit in
        Direction.allCases.flatMap { direction in
            Kind.allCases.map { Cell(toolkit: toolkit, direction: direction, kind: $0) }
        }
    }

    var testDescription: String {
        switch direction {
        case .copies: "\(toolkit) copies \(kind.phrase), xpb pastes"
        case .pastes: "xpb copies \(kind.phrase), \(toolkit) pastes"
        }
    }

    /// Copies and pastes, and returns the result.
    func transfer(in sandbox: Sandbox) async throws -> Verdict {
        try await sandbox.prepare(kind)
        switch direction {
        case .copies:
            let form = kind == .absent ? "text" : kind.form
            return try await sandbox.owning(toolkit, [(form, "in")]) { _ in
                try await sandbox.verdict(on: kind, pastedBy: "xpb", "get", "--timeout", "60", "-t", kind.type)
            }
        case .pastes:
            try await sandbox.xpbCopies(kind)
            return try await sandbox.verdict(on: kind, pastedBy: toolkit)
        }
    }
}
