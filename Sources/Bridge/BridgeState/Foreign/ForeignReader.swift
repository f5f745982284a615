package import FormatConversion
package import LinuxSystem
package import PasteboardWire
import SelectionProtocol
package import UniformTypes
package import X11Bridge

/// A reader of one foreign owner's contents: first its types, then the bytes of one of them.
///
/// One reader serves one call. The reader asks an X11 program for TARGETS first, unless the program has listed its
/// targets before, because xclip answers any target with the same text. The reader fails if the owner changes before an
/// answer has begun, so that types and bytes are of one version (invariant 6).
package final class ForeignReader {
    package enum Failure: Error {
        /// Another program or this bridge owns the selection now: the caller must start over.
        case ownerReplaced
        case error(BridgeError)
    }

    /// A target on offer, with its type.
    package struct Offered {
        package let type: UniformType
        package let target: String
    }

    /// The bytes under one target.
    package struct Value {
        package let offered: Offered
        package let file: MemoryFile
        /// The type of the property that answered.
        package let type: String
    }

    /// The targets to ask for if the owner lists none, as xterm and AWT do.
    private static let probes = ["UTF8_STRING", "text/plain;charset=utf-8", "STRING"]

    private let selection: ForeignSelection
    package let idleTimeout: Duration
    /// True if the contents outlive their owner: if the owner dies, the caller starts over.
    private let isCaptured: Bool
    private let isCapture: Bool
    /// True if the owner fails other requestors while it sends to one of them.
    private var isExclusive = false
    /// False if bytes that the owner sends in pieces count as too long.
    package var acceptsPieces = true
    /// The targets that the owner has already listed, and is not asked for again.
    package var known: [String]?
    /// True once the owner has listed more targets than are read.
    package private(set) var isShortened = false
    /// True once the owner has refused to list its targets.
    package private(set) var isUnlisted = false
    /// Called with the targets that the owner has listed.
    package var onList: ([String]) -> Void = { _ in }

    package init(
        _ selection: ForeignSelection, idleTimeout: Duration, isCaptured: Bool = false, isCapture: Bool = false
    ) {
        self.selection = selection
        known = selection.targets
        self.idleTimeout = idleTimeout
        self.isCaptured = isCaptured
        self.isCapture = isCapture
    }

    // MARK: Types

    /// Returns the types on offer in the owner's order, without targets that belong to the protocol or mean nothing
    /// elsewhere.
    package func types() async throws(Failure) -> [Offered] {
        do {
            return Self.contents(of: try await targets()).map(Self.offered)
        } catch {
            throw failure(error)
        }
    }

    /// Returns all targets that the owner lists, or targets that it may have if it lists no targets.
    package func targets() async throws(DisplayProxy.FetchFailure) -> [String] {
        if let known {
            isExclusive = Self.isExclusive(known)
            return known
        }
        let converted: Converted
        do {
            converted = try await convert("TARGETS")
        } catch {
            switch error {
            // The owner lists nothing, or more than is read, but may still have text.
            case .conversion(.refused), .conversion(.tooLong):
                isUnlisted = error == .conversion(.refused)
                return Self.probes
            default: throw error
            }
        }
        guard case .targets(let names) = converted.content, !names.isEmpty else { return Self.probes }
        isExclusive = Self.isExclusive(names)
        let marked = selection.marked(names)
        isShortened = converted.isShortened
        onList(marked)
        return marked
    }

    /// Returns true for the targets of xclip, which has TARGETS and one other target, and of xsel, which lists INCR.
    /// While xclip sends long text, it answers no other requestor, and xsel dies if it sends to two at once.
    static func isExclusive(_ targets: [String]) -> Bool {
        targets.contains("INCR") || (targets.count == 2 && targets.contains("TARGETS"))
    }

    /// Returns the targets of contents that other programs understand.
    package static func contents(of targets: [String]) -> [String] {
        // Next to a position, FILE_NAME is the file of an editor's buffer, and not the contents (ICCCM 2.6.2). Emacs
        // lists FILE_NAME with all text.
        let hasPosition = targets.contains("CHARACTER_POSITION") || targets.contains("LINE_NUMBER")
        return targets.filter {
            !X11Targets.isProtocolTarget($0) && !X11Targets.isIgnored($0) && !(hasPosition && $0 == "FILE_NAME")
        }
    }

    package static func offered(_ target: String) -> Offered {
        Offered(type: UniformType(target: target), target: target)
    }

    // MARK: Bytes

    /// Returns the bytes under one target as the owner sends them, at most `limit` bytes.
    ///
    /// - Parameter timeout: The timeout for each step of the owner, if it is not ``idleTimeout``.
    package func bytes(
        of offered: Offered, limit: Int? = nil, within timeout: Duration? = nil
    ) async throws(DisplayProxy.FetchFailure) -> Value {
        try value(of: offered, try await convert(offered.target, limit: limit, within: timeout))
    }

    private func value(of offered: Offered, _ converted: Converted) throws(DisplayProxy.FetchFailure) -> Value {
        guard case .file(let file) = converted.content else { throw .conversion(.refused) }
        return Value(offered: offered, file: file, type: converted.type)
    }

    /// Returns the bytes under one target, or nil once all of them are in a socket.
    ///
    /// - Parameters:
    ///   - source: The number of the target among the sources of a conversion, for its failure.
    ///   - onPart: Called when the owner begins to send pieces, which go to the socket, and after each piece.
    package func bytes(
        of offered: Offered, source: Int, onPart: @escaping (SpooledSocket) -> Void
    ) async throws(ConversionFailure) -> EncodedBytes? {
        var hasBegun = false
        do throws(DisplayProxy.FetchFailure) {
            let converted = try await convert(offered.target) { socket in
                hasBegun = true
                onPart(socket)
            }
            if case .streamed = converted.content { return nil }
            let value = try value(of: offered, converted)
            return EncodedBytes(value.file, target: value.offered.target, propertyType: value.type)
        } catch {
            // The reader has already received a part, which no other version can replace.
            if hasBegun { throw .source(Failure.error(self.error(error))) }
            throw conversionFailure(error, of: source)
        }
    }

    /// Returns the result of `part` for the bytes under each target, one after the other; nil where the owner refuses.
    package func all<Part>(_ offered: [Offered], _ part: (Value) -> Part) async throws(Failure) -> [Part?] {
        var parts: [Part?] = []
        for one in offered {
            do {
                parts.append(part(try await bytes(of: one)))
            } catch {
                // After any other failure the rest would be of another version, or take a timeout for each type.
                guard case .conversion(.refused) = error else { throw failure(error) }
                parts.append(nil)
            }
        }
        return parts
    }

    private func convert(
        _ target: String, limit: Int? = nil, within timeout: Duration? = nil,
        onStream: ((SpooledSocket) -> Void)? = nil
    ) async throws(DisplayProxy.FetchFailure) -> Converted {
        guard !Task.isCancelled else { throw .conversion(.cancelled) }
        return try await selection.convert(
            target, idleTimeout: timeout ?? idleTimeout, limit: limit, isCapture: isCapture,
            isExclusive: isExclusive && target != "TARGETS", acceptsPieces: acceptsPieces, onStream: onStream)
    }

    // MARK: Failures

    package func failure(_ failure: DisplayProxy.FetchFailure) -> Failure {
        if case .conversion(.ownerReplaced) = failure { return .ownerReplaced }
        if case .conversion(.ownerGone) = failure, isCaptured { return .ownerReplaced }
        return .error(error(failure))
    }

    /// Returns the failure of a conversion that needs the bytes of a source.
    func conversionFailure(_ failure: DisplayProxy.FetchFailure, of source: Int) -> ConversionFailure {
        if case .conversion(.refused) = failure { return .refused(source: source) }
        return .source(self.failure(failure))
    }

    package func error(_ failure: DisplayProxy.FetchFailure) -> BridgeError {
        guard case .conversion(let conversion) = failure else {
            return BridgeError(
                .displayUnavailable,
                "the X server did not answer in time; a program may block it, or the connection is lost")
        }
        switch conversion {
        case .refused: return BridgeError(.noSuchType, "the owner refuses that type", types: [])
        case .silent:
            return BridgeError(.ownerSilent, "the program that owns \(selection.name) did not answer in time")
        case .stalled(let received):
            return BridgeError(
                .transferBroken, "the program that owns \(selection.name) stopped sending after \(received) bytes")
        case .tooSlow(let received):
            return BridgeError(
                .transferBroken,
                "the transfer from the program that owns \(selection.name) ended after \(received) bytes: it was slower "
                    + "than limit-drip-rate, and another transfer needed its place")
        case .ownerGone:
            return BridgeError(.transferBroken, "the program that owned \(selection.name) ended before it had answered")
        case .ownerReplaced: return .ownerKeepsChanging
        case .inconsistent:
            return BridgeError(
                .transferBroken,
                "the program that owns \(selection.name) changed the type in the middle of the transfer")
        case .tooLong: return BridgeError(.refused, "the contents are longer than a transfer may be")
        case .noRoom: return BridgeError(.transferBroken, "no memory is left for the contents")
        case .limit(let limit):
            return BridgeError(
                .refused, "\(limit.reason.rawValue), which the setting '\(limit.key)' limits", reason: limit.key)
        case .names:
            return BridgeError(
                .refused,
                "the X server would need more names than 'limit-atoms' allows; raise that or restart it")
        case .cancelled: return BridgeError(.transferBroken, "the transfer was cancelled")
        }
    }
}

extension BridgeError {
    package init(_ failure: ForeignReader.Failure) {
        switch failure {
        case .ownerReplaced: self = .ownerKeepsChanging
        case .error(let error): self = error
        }
    }

    package static let ownerKeepsChanging = BridgeError(
        .transferBroken, "the owner changed again and again while it was asked; try again")
}
