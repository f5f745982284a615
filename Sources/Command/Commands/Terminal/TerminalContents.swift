import BridgeClient
import CommandCore
import LinuxSystem
import PasteboardWire
import SystemPackage
import Terminal
import UniformTypes

/// The contents of a terminal's clipboard, read and written by OSC 5522: any type, both ways, after the user has
/// allowed it. Text alone can also be sent by OSC 52; see ``TerminalClipboard``.
struct TerminalContents {
    private let session: Session

    init(_ session: Session) {
        self.session = session
    }

    // MARK: Reading

    /// Reads the representation that matches a request best.
    func read(_ options: GetOptions, types wanted: [String]) throws(Failure) -> FetchedRepresentation {
        try check(options)
        session.installTypes()
        let (offer, file) = try converse { terminal in
            let offers = try terminal.types().map { (type: UniformType(target: $0), target: $0 as String?) }
            let offer = try Self.choice(among: offers, for: wanted)
            return (offer, try terminal.read(offer.target ?? offer.type.identifier))
        }
        return FetchedRepresentation(
            count: 0, item: 0, type: offer.type.identifier, target: offer.target, bytes: .file(file),
            range: 0..<file.length, isStale: false)
    }

    private static func choice(
        among offers: [TypeQuery.Offer], for wanted: [String]
    ) throws(Failure) -> TypeQuery.Offer {
        guard let first = offers.first else { throw Failure(.nothing, "the terminal's clipboard is empty") }
        let queries = (wanted.isEmpty ? ["text"] : wanted).compactMap { TypeQuery.parse($0) }
        if let best = TypeQuery.best(of: offers, for: queries) { return offers[best] }
        if wanted.isEmpty { return first }
        let names = offers.compactMap(\.target).joined(separator: ", ")
        throw Failure(
            .nothing,
            "the terminal's clipboard has no \(wanted.joined(separator: " or ")); on offer: \(Line.visible(names))")
    }

    private func check(_ options: GetOptions) throws(Failure) {
        let refused: String? =
            if options.all != nil {
                "--all: a terminal gives one representation at a time"
            } else if options.stale {
                "--stale: nothing is captured from a terminal"
            } else if options.item ?? 0 > 0 {
                "--item: a terminal has only one item"
            } else if session.common.json {
                "--json: a terminal counts no changes"
            } else {
                nil
            }
        if let refused { throw .usage("--osc5522 excludes \(refused)") }
    }

    // MARK: Writing

    func send(_ loaded: LoadedSources, _ options: SetOptions) throws(Failure) {
        guard let representations = loaded.items.first?.representations, !representations.isEmpty else { return }
        let places = try representations.map { (representation) throws(Failure) in
            guard let place = representation.bytes, let blob = place.descriptor else {
                throw Failure.usage("--osc5522 needs the bytes of each source at once")
            }
            return (blob: loaded.blobs[blob], range: place.offset..<place.offset + place.length)
        }
        let types = representations.map { Self.name(of: $0.type) }
        try converse { terminal in
            // A terminal that does not know the requests would print nothing, but would have to read all bytes.
            _ = try terminal.types()
            try terminal.write(Array(zip(types, places.map(\.range.count)))) { index, range throws(Errno) in
                let start = places[index].range.lowerBound
                do {
                    return try places[index].blob.bytes(in: start + range.lowerBound..<start + range.upperBound)
                } catch {
                    throw error as? Errno ?? .ioError
                }
            }
        }
        let length = places.reduce(0) { $0 + $1.range.count }
        session.console.detail("the terminal has \(length.counting("byte")) as \(types.joined(separator: ", "))")
        guard session.common.json, !options.tee else { return }
        do {
            try session.output.write(json: ["copied": length])
        } catch {
            throw Failure(reporting: error)
        }
    }

    /// Returns the MIME type that other programs know a type by; the identifier itself for a type without one.
    private static func name(of name: String) -> String {
        let type = SourceType.concrete(named: name)?.type ?? UniformType(target: name)
        if type == .utf8PlainText { return "text/plain" }
        return type.preferredMIMEType ?? type.identifier
    }

    // MARK: Conversation

    private func converse<Result>(_ body: (ClipboardTerminal) throws -> Result) throws(Failure) -> Result {
        let name = try session.pasteboard()
        guard name == "general" || name == "find" else {
            throw .usage("a terminal has no pasteboard '\(name)', only general and find")
        }
        let isPrimary = name == "find"
        do {
            return try ClipboardTerminal.converse(
                isPrimary: isPrimary, timeout: session.timeout.duration, body)
        } catch let fault as ClipboardTerminal.Fault {
            throw failure(fault, isPrimary: isPrimary)
        } catch {
            throw Failure(reporting: error)
        }
    }

    private func failure(_ fault: ClipboardTerminal.Fault, isPrimary: Bool) -> Failure {
        let multiplexer =
            session.environment["TMUX"] != nil ? "tmux" : session.environment["STY"] != nil ? "screen" : nil
        switch fault {
        case .noTerminal(let error): return Failure(.unavailable, "there is no terminal: \(error)")
        case .ended(let error): return Failure(.broken, "the terminal has ended: \(error)")
        case .inBackground: return Failure(.unavailable, "a job in the background cannot ask the terminal; run: fg")
        case .unsupported:
            let cause = multiplexer.map { "\($0) does not pass it on" } ?? "kitty from version 0.27 does"
            return Failure(
                .unavailable,
                "this terminal does not exchange its clipboard by OSC 5522 (\(cause)); 'xpb link' works with any terminal, "
                    + "and 'xpb set --osc52' sends text")
        case .silent: return Failure(.silent, "the terminal does not answer; a longer --timeout allows more time")
        case .denied: return Failure(.refused, "the terminal, or its user, denied access to the clipboard")
        case .refused("ENOSYS") where isPrimary: return Failure(.refused, "the terminal has no PRIMARY selection")
        case .refused("EBUSY"): return Failure(.refused, "the terminal's clipboard is busy; try again")
        case .refused(let code): return Failure(.broken, "the terminal reports an error: \(Line.visible(code))")
        case .damaged: return Failure(.broken, "the contents were damaged on their way from the terminal")
        case .tooLong:
            return Failure(.refused, "the contents have more than \(ClipboardTerminal.maxLength >> 20) MiB")
        case .interrupted: return Failure(.broken, "interrupted")
        }
    }
}
