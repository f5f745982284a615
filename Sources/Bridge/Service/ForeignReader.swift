import LinuxSystem
import PasteboardWire
import SelectionProtocol
import UniformTypes

/// Reads what a foreign owner offers, live: its types, then the bytes of one of them.
///
/// One reader serves one call. It asks for TARGETS first, because xclip answers any target with its one blob, unless this
/// owner has been asked before; and it fails when the owner changes before an answer has begun, so that types and bytes are
/// of one version.
final class ForeignReader {
    enum Failure: Error {
        /// Somebody else owns the selection now, this bridge perhaps: who asked is to look anew.
        case ownerReplaced
        case error(BridgeError)
    }

    /// What is on offer under one target.
    struct Offered {
        let type: UniformType
        let target: String
    }

    struct Value {
        let offered: Offered
        let file: MemoryFile
        /// The type of the property that answered.
        let type: String
    }

    /// What an owner is asked for that does not tell its targets: xterm and AWT list none.
    private static let probes = ["UTF8_STRING", "text/plain;charset=utf-8", "STRING"]

    private let link: DisplayProxy
    private let selection: String
    private let silence: Duration
    /// Whether the contents outlive their owner: when it dies, who asks is to look anew.
    private let isCaptured: Bool
    private let isCapture: Bool
    private var ticket: Ticket?
    private var isCancelled = false
    /// Whether its owner fails who asks while it sends to another.
    private var servesOneOnly = false
    /// What the owner has listed before: it is not asked for that again.
    var known: [String]?
    /// Called with what the owner lists.
    var onList: ([String]) -> Void = { _ in }
    /// Called when it is cancelled: who waits for what it reads will not be called.
    var onCancel: () -> Void = {}

    init(
        link: DisplayProxy, selection: String, silence: Duration, isCaptured: Bool = false, isCapture: Bool = false
    ) {
        self.link = link
        self.selection = selection
        self.silence = silence
        self.isCaptured = isCaptured
        self.isCapture = isCapture
    }

    /// Ends the reader; nothing is called any more.
    func cancel() {
        isCancelled = true
        if let ticket { link.cancel(ticket) }
        onCancel()
    }

    // MARK: Types

    /// The types on offer, in the owner's order, without those that are part of the protocol or mean nothing elsewhere.
    func types(_ finish: @escaping (Result<[Offered], Failure>) -> Void) {
        targets { [self] result in
            finish(result.map { Self.contents(of: $0).map(Self.offered) }.mapError { self.failure($0) })
        }
    }

    /// All targets as the owner lists them; those that it may have where it lists none.
    func targets(_ finish: @escaping (Result<[String], DisplayProxy.FetchFailure>) -> Void) {
        if let known {
            servesOneOnly = Self.servesOneOnly(known)
            return finish(.success(known))
        }
        convert("TARGETS") { [self] result in
            switch result {
            case .success(let converted):
                guard case .targets(let names) = converted.content, !names.isEmpty else {
                    return finish(.success(Self.probes))
                }
                servesOneOnly = Self.servesOneOnly(names)
                onList(names)
                finish(.success(names))
            // It lists nothing, or more than anybody reads, and may have text all the same.
            case .failure(.conversion(.refused)): finish(.success(Self.probes))
            case .failure(.conversion(.tooLong)): finish(.success(Self.probes))
            case .failure(let failure): finish(.failure(failure))
            }
        }
    }

    /// Whether an owner with these targets looks like xclip, which has one and TARGETS, or like xsel, which lists INCR: the
    /// first never answers who asks while it sends in pieces, the second dies when it does so twice at once.
    static func servesOneOnly(_ targets: [String]) -> Bool {
        targets.contains("INCR") || (targets.count == 2 && targets.contains("TARGETS"))
    }

    /// The targets that stand for contents which mean something elsewhere.
    static func contents(of targets: [String]) -> [String] {
        targets.filter { !X11Targets.isProtocolTarget($0) && !X11Targets.isNoise($0) }
    }

    static func offered(_ target: String) -> Offered {
        Offered(type: UniformType(target: target), target: target)
    }

    // MARK: Bytes

    /// The bytes under one target, as the owner sends them, if there are no more than `limit`.
    func bytes(
        of offered: Offered, limit: Int? = nil, _ finish: @escaping (Result<Value, DisplayProxy.FetchFailure>) -> Void
    ) {
        convert(offered.target, limit: limit) { result in
            finish(
                result.flatMap { converted in
                    guard case .file(let file) = converted.content else { return .failure(.conversion(.refused)) }
                    return .success(Value(offered: offered, file: file, type: converted.type))
                })
        }
    }

    /// What is made of the bytes under each of these targets, asked for one after the other; nil where the owner refuses.
    func all<Part>(
        _ offered: [Offered], _ part: @escaping (Value) -> Part,
        _ finish: @escaping (Result<[Part?], Failure>) -> Void
    ) {
        collect(offered[...], [], part, finish)
    }

    private func collect<Part>(
        _ offered: ArraySlice<Offered>, _ parts: [Part?], _ part: @escaping (Value) -> Part,
        _ finish: @escaping (Result<[Part?], Failure>) -> Void
    ) {
        guard let next = offered.first else { return finish(.success(parts)) }
        bytes(of: next) { [self] result in
            switch result {
            case .success(let value): collect(offered.dropFirst(), parts + [part(value)], part, finish)
            case .failure(.conversion(.refused)): collect(offered.dropFirst(), parts + [nil], part, finish)
            // The rest would be another version's, or take its time once more for each type.
            case .failure(let failure): finish(.failure(self.failure(failure)))
            }
        }
    }

    // MARK: Steps

    private func convert(
        _ target: String, limit: Int? = nil,
        _ finish: @escaping (Result<Converted, DisplayProxy.FetchFailure>) -> Void
    ) {
        guard !isCancelled else { return }
        ticket = link.convert(
            selection, to: target, silence: silence, limit: limit, isCapture: isCapture,
            isAlone: servesOneOnly && target != "TARGETS"
        ) { [self] result in
            ticket = nil
            finish(result)
        }
    }

    func failure(_ failure: DisplayProxy.FetchFailure) -> Failure {
        if case .conversion(.ownerReplaced) = failure { return .ownerReplaced }
        if case .conversion(.ownerGone) = failure, isCaptured { return .ownerReplaced }
        return .error(error(failure))
    }

    /// The failure in the words of the wire.
    private func error(_ failure: DisplayProxy.FetchFailure) -> BridgeError {
        guard case .conversion(let conversion) = failure else {
            return BridgeError(
                .displayUnavailable,
                "the X server did not answer in time; is a program holding it, or is the connection lost?")
        }
        switch conversion {
        case .refused: return BridgeError(.noSuchType, "the owner refuses that type", types: [])
        case .silent:
            return BridgeError(
                .ownerSilent,
                "the program that owns \(selection) did not answer in time; 'xpb owner' says which it is")
        case .stalled(let received):
            return BridgeError(
                .transferBroken, "the program that owns \(selection) stopped sending after \(received) bytes")
        case .dripped(let received):
            return BridgeError(
                .transferBroken,
                "the transfer from the program that owns \(selection) ended after \(received) bytes: it was slower than "
                    + "limit-drip-rate, and another needed its place")
        case .ownerGone:
            return BridgeError(.transferBroken, "the program that owned \(selection) ended before it had answered")
        case .ownerReplaced: return .ownerKeepsChanging
        case .inconsistent:
            return BridgeError(
                .transferBroken, "the program that owns \(selection) changed the type in the middle of the transfer")
        case .tooLong: return BridgeError(.refused, "the contents are longer than a transfer may be")
        case .noRoom: return BridgeError(.transferBroken, "no memory is left for the contents")
        case .limit(let limit):
            return BridgeError(
                .refused, "\(limit.reason.rawValue); 'xpb status' tells which, and '\(limit.key)' how many there may be"
            )
        case .names:
            return BridgeError(
                .refused,
                "the X server would have to be told more names than 'limit-atoms' allows; raise that or restart it")
        case .cancelled: return BridgeError(.transferBroken, "the transfer was cancelled")
        }
    }
}

extension BridgeError {
    static let ownerKeepsChanging = BridgeError(
        .transferBroken, "the owner changed again and again while it was asked; try once more")

    /// None of the types asked for is there; says which are.
    ///
    /// - Parameter reason: Why what was there could not be brought into the form asked for.
    static func noSuchType(offered: [String], refused: Bool = false, reason: String? = nil) -> BridgeError {
        var seen: Set<String> = []
        let types = offered.filter { seen.insert($0).inserted }
        let reason =
            reason
            ?? (refused
                ? "the owner refuses what it offers of the types asked for" : "none of the types asked for is there")
        let more = types.count - Self.shownTypes
        let shown = types.prefix(Self.shownTypes).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        if types.isEmpty { return BridgeError(.noSuchType, "\(reason); nothing is on offer", types: []) }
        return BridgeError(.noSuchType, "\(reason); on offer: \(shown)", types: types)
    }

    /// A message names at most so many.
    private static let shownTypes = 12
}
