import BridgeState
import FormatConversion
import PasteboardModel
import PasteboardWire
import UniformTypes

/// A format that was read for a reader: its bytes, or a stream of them.
enum Reading {
    case whole(FormatChoice, EncodedBytes)
    case stream(FormatChoice, ReaderStream)

    var choice: FormatChoice {
        switch self {
        case .whole(let choice, _), .stream(let choice, _): choice
        }
    }
}

extension FormatCatalog {
    /// The maximum number of formats that are tried if the owner refuses what it offers.
    private static let maxRefusals = 32

    func choice(for request: ReadRequest, without unavailable: Set<Derivation> = []) -> FormatChoice? {
        let choice = choice(for: request.queries, item: request.item, exact: request.isExact, without: unavailable)
        return request.namesTypes ? choice : choice.map(asWritten)
    }

    /// Returns the result of `read` for the first format that answers a request and is available. Emacs and GTK 4 offer
    /// targets that they refuse, and Latin-1 cannot hold all text.
    func first<Value>(
        answering request: ReadRequest, _ read: (FormatChoice) async throws(ConversionFailure) -> Value
    ) async throws(ForeignReader.Failure) -> Value {
        var unavailable: Set<Derivation> = []
        var reason: BridgeError?
        while unavailable.count <= Self.maxRefusals, let choice = choice(for: request, without: unavailable) {
            do {
                return try await read(choice)
            } catch {
                switch error {
                case .refused(let source): unavailable.insert(.source(source))
                case .impossible(let why):
                    unavailable.insert(choice.derivation)
                    reason = reason ?? noAnswer(to: request, reason: why)
                // The reader's next type may be available. If no type is, the failure is reported.
                case .failed(let why):
                    unavailable.insert(choice.derivation)
                    reason = BridgeError(.transferBroken, why)
                case .promiseBroken(let why):
                    unavailable.insert(choice.derivation)
                    reason = BridgeError(.promiseBroken, why)
                case .noEntry(let entry, let count): throw .error(.noItem(entry, of: count))
                case .broken(let why): throw .error(BridgeError(.transferBroken, why))
                case .source(let failure): throw ForeignReader.Failure(failure)
                }
            }
        }
        throw .error(reason ?? noAnswer(to: request, isRefused: !unavailable.isEmpty))
    }

    /// Returns the error for a request that no format answers.
    private func noAnswer(to request: ReadRequest, isRefused: Bool = false, reason: String? = nil) -> BridgeError {
        if let item = request.item, item >= itemCount {
            // Each file of a list that came as one item counts as an item, which has a URL only.
            let isFile = onlyFileList != nil && !request.wantsFiles
            return isFile
                ? .noSuchType(offered: [UniformType.fileURL.identifier], isRefused: isRefused, reason: reason)
                : .noItem(item, of: itemCount)
        }
        let items = request.item.map { $0..<$0 + 1 } ?? 0..<itemCount
        let offered = real(items: items) + (request.isExact ? [] : derived(items: items))
        // A dynamic identifier means nothing to people.
        let types = offered.map { $0.type.isDynamic ? $0.target ?? $0.type.identifier : $0.type.identifier }
        return .noSuchType(offered: types, isRefused: isRefused, reason: reason)
    }
}

extension ForeignReader.Failure {
    /// Creates the failure from an error in reading a source.
    init(_ error: any Error) {
        switch error {
        case let failure as ForeignReader.Failure: self = failure
        case let error as BridgeError: self = .error(error)
        default: self = .error(BridgeError(.transferBroken, "the bytes could not be read: \(error)"))
        }
    }
}

extension ConversionFailure {
    /// The reason, for a reader.
    var message: String {
        switch self {
        case .impossible(let reason), .failed(let reason), .broken(let reason), .promiseBroken(let reason): reason
        case .noEntry(let entry, let count): BridgeError.noItem(entry, of: count).message
        case .source(let error): BridgeError(ForeignReader.Failure(error)).message
        case .refused: "the program refuses these bytes now"
        }
    }
}

extension BridgeError {
    /// Returns the error for a reader if none of its types is available. The error lists the available types.
    ///
    /// - Parameter reason: The reason why the contents could not be converted to the requested format.
    fileprivate static func noSuchType(offered: [String], isRefused: Bool, reason: String?) -> BridgeError {
        let types = offered.uniqued()
        let reason =
            reason
            ?? (isRefused
                ? "the owner refuses the requested types that it offers" : "none of the requested types is available")
        return BridgeError(.noSuchType, types.isEmpty ? "\(reason); nothing is on offer" : reason, types: types)
    }
}
