import BridgeClient
package import CommandCore
import Commands
package import FastPath
import LinuxSystem
import PasteboardModel
import PasteboardWire
import SystemPackage
import UniformTypes

/// One run of `xpb` under the name of another program.
///
/// The program's parser turns the line into a ``DropInRequest``, whose steps are carried out here by the commands of
/// `xpb`. The bridge keeps the contents, while the other program would serve them in the background.
package struct DropIn {
    /// The text after the version of the other program.
    static let version = "xpb \(ProgramVersion.number)"

    let request: DropInRequest
    let session: Session

    /// - Parameter arguments: The arguments without the program's name.
    package static func run(_ program: DropInName, _ arguments: [String]) -> ExitStatus {
        let request = DropInRequest(program, arguments, .current)
        var common = CommonOptions(pasteboards: [request.pasteboard.string], quiet: true)
        common.display = request.display
        common.timeout = request.timeout.flatMap { Seconds(argument: String(Double($0) / 1_000)) }
        let dropIn = DropIn(request: request, session: Session(common))
        do {
            for step in request.steps {
                let status = try dropIn.perform(step)
                if status != .done { return status }
            }
            try dropIn.session.output.finish()
            return .done
        } catch {
            let failure = Failure(reporting: error)
            DropInWords(request, dropIn.session.environment).report(failure)
            return failure.status == .brokenPipe ? .brokenPipe : ExitStatus(rawValue: 1)
        }
    }

    private func perform(_ step: DropInRequest.Step) throws -> ExitStatus {
        if case .say(let message) = step { return try say(message) }
        switch step {
        case .copy(let copy): try perform(copy)
        case .paste(let paste): try perform(paste)
        case .listTargets(let withProtocol):
            let targets = (withProtocol ? ["TARGETS", "TIMESTAMP", "MULTIPLE"] : []) + (try offered())
            try session.output.write(rows: targets.uniqued().map { [$0] })
        case .clear: try clear()
        case .exchange: try exchange()
        case .watch(let command, let choice): try watch(command, choice)
        case .say: break
        }
        return .done
    }

    func say(_ message: DropInMessage) throws -> ExitStatus {
        if message.toStandardError {
            try? FileDescriptor.standardError.writeBytes(LosslessText.bytes(of: message.text))
        } else {
            try session.output.write(message.text)
        }
        return ExitStatus(rawValue: message.status)
    }

    // MARK: Pasting

    private func perform(_ paste: DropInPaste) throws {
        if paste.isCutBuffer { return try session.output.write(trimmed(cutBuffer().read(), paste)) }
        let found: FetchedRepresentation
        let name: String
        do {
            (name, found) = try fetch(paste.choice, on: request.pasteboard)
        } catch let failure as Failure where failure.status == .nothing && isSilentWhenEmpty {
            return
        }
        if found.bytes.secret != nil { ThisProcess.forbidDumping() }
        let ending = try Ending(of: found.bytes, found.range, trims: paste.trims, keepsReturn: true)
        try session.output.write(found.bytes, ending.range)
        if paste.addsNewline, TargetChoice.isText(name) { try session.output.write("\n") }
        if paste.remarksMissingNewline, let last = ending.range.last,
            try found.bytes.bytes(in: last..<last + 1) != [UInt8(ascii: "\n")]
        {
            _ = try say(DropInMessage("\n\\ No newline at end of selection\n", toStandardError: true))
        }
        if paste.clears { try clear() }
    }

    private func trimmed(_ bytes: [UInt8], _ paste: DropInPaste) -> [UInt8] {
        paste.trims && bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes
    }

    /// True if the program succeeds without output when there is nothing to paste.
    private var isSilentWhenEmpty: Bool { request.program == .xsel || request.program == .pbpaste }

    /// Returns the chosen name and its representation. Names not on offer are not requested: `xclip` as an owner
    /// answers any of them with the same bytes.
    private func fetch(
        _ choice: TargetChoice, on pasteboard: PasteboardName
    ) throws -> (name: String, found: FetchedRepresentation) {
        guard let name = choice.name(among: try offered(on: pasteboard)) else {
            throw Failure(.nothing, DropInWords.unavailable)
        }
        let client = try session.connect()
        do {
            let found = try client.get(pasteboard: pasteboard.string, types: [Self.type(ofTarget: name)])
            // Some browsers offer HTML in UTF-16, with a byte order mark.
            let mark = try found.bytes.bytes(in: found.range.prefix(2))
            guard name == "text/html", mark == [0xFF, 0xFE] || mark == [0xFE, 0xFF] else { return (name, found) }
            return (name, try client.get(pasteboard: pasteboard.string, types: [UniformType.html.identifier]))
        } catch let error as BridgeClientError {
            throw Failure(error)
        }
    }

    /// Returns the X11 names of the contents, best first.
    private func offered(on pasteboard: PasteboardName? = nil) throws -> [String] {
        let client = try session.connect()
        let name = (pasteboard ?? request.pasteboard).string
        let contents: Methods.Describe.Reply
        do {
            contents = try session.describe(name, by: client, targets: true)
        } catch {
            throw Failure(reporting: error)
        }
        return contents.items.flatMap { $0.targets ?? [] }.uniqued()
    }

    /// Returns the text on a pasteboard; empty if there is none.
    func text(on pasteboard: PasteboardName) throws -> [UInt8] {
        do {
            let found = try fetch(.first(TargetChoice.text), on: pasteboard).found
            return try found.bytes.bytes(in: found.range)
        } catch {
            guard Failure(reporting: error).status == .nothing else { throw error }
            return []
        }
    }

    // MARK: Other changes

    func clear() throws {
        let client = try session.connect()
        let parameters = Methods.Clear.Parameters(
            pasteboards: [request.pasteboard.string], timeout: client.timeoutMilliseconds)
        _ = try client.call(Methods.Clear.self, parameters, isLong: true)
    }

    private func exchange() throws {
        let texts = (try text(on: .find), try text(on: .secondary))
        for (pasteboard, bytes) in [(PasteboardName.find, texts.1), (.secondary, texts.0)] {
            var other = DropInRequest(request.program, pasteboard)
            (other.display, other.timeout) = (request.display, request.timeout)
            var common = session.common
            common.pasteboards = [pasteboard.string]
            var copy = DropInCopy()
            copy.targets = ["UTF8_STRING"]
            copy.clearsIfEmpty = true
            let dropIn = DropIn(request: other, session: Session(common))
            _ = try dropIn.write([.joined([.text(LosslessText.string(of: bytes))])], copy)
        }
    }

    // MARK: Watching

    private func watch(_ command: [String], _ choice: TargetChoice) throws {
        let client = try session.connect()
        let parameters = Methods.Monitor.Parameters(
            pasteboards: [request.pasteboard.string], initial: true, types: true, timeout: client.timeoutMilliseconds)
        _ = try client.stream(Methods.Monitor.self, parameters) { change in
            guard !change.types.isEmpty else {
                try CommandRunner(command: command, types: [], session: session).run(for: change)
                return true
            }
            // Contents replaced before they were read are part of the next change.
            guard let offered = try? offered(), let name = choice.name(among: offered) else { return true }
            try CommandRunner(command: command, types: [Self.type(ofTarget: name)], session: session).run(for: change)
            return true
        }
        throw Failure(.unavailable, "the bridge ended")
    }
}
