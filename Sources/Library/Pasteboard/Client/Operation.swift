import PasteboardWire

/// One request to a pasteboard: the call, and the meaning of its answer. Blocking and asynchronous calls are two ways
/// to wait for the same operation.
struct Operation<Value: Sendable>: Sendable {
    struct Started: Sendable {
        let replies: Completion<[EncodedReply]>
        let value: @Sendable ([EncodedReply]) throws -> Value
        /// Called instead of `value` if the waiting task is cancelled before the replies have come.
        var abandon: @Sendable () -> Void = {}
    }

    let start: @Sendable (Client) throws -> Started

    init(_ start: @escaping @Sendable (Client) throws -> Started) {
        self.start = start
    }

    /// Creates an operation of one call with one reply.
    init<M: WireMethod & SendableMetatype>(
        _ method: M.Type, _ options: CallOptions = .read,
        _ parameters: @escaping @Sendable (Client) throws -> M.Parameters,
        value: @escaping @Sendable (M.Reply, EncodedReply) throws -> Value
    ) {
        self.init(method, options) { client in
            Request(parameters: try parameters(client))
        } values: { replies in
            guard let (reply, encoded) = replies.first else { throw ClientFault.malformed("no reply") }
            return try value(reply, encoded)
        }
    }

    /// Creates an operation of one call with any number of replies.
    init<M: WireMethod & SendableMetatype>(
        _ method: M.Type, _ options: CallOptions,
        request: @escaping @Sendable (Client) throws -> Request<M.Parameters>,
        values: @escaping @Sendable ([(M.Reply, EncodedReply)]) throws -> Value
    ) {
        self.init { client in
            let request = try request(client)
            let call = try EncodedCall(
                method, request.parameters, descriptors: request.payload.descriptors, more: options.hasSeveralReplies)
            return Started(replies: try client.start(call, options)) { replies in
                try values(replies.map { (try $0.decode(method), $0) })
            }
        }
    }

    /// Runs the operation and blocks the thread until it is done.
    func run(by client: Client = .inUse) throws -> Value {
        do {
            let started = try start(client)
            return try started.value(try started.replies.wait())
        } catch {
            throw PasteboardError.public(error)
        }
    }

    func run(by client: Client = .inUse) async throws -> Value {
        do {
            try Task.checkCancellation()
            let started = try start(client)
            return try started.value(try await Self.replies(to: started))
        } catch {
            throw PasteboardError.public(error)
        }
    }

    private static func replies(to started: Started) async throws -> [EncodedReply] {
        do {
            return try await started.replies.value()
        } catch let error as CancellationError {
            started.abandon()
            throw error
        }
    }

    func map<Other>(_ transform: @escaping @Sendable (Value) throws -> Other) -> Operation<Other> {
        changing { value, replies in try transform(try value(replies)) }
    }

    /// The same operation, with nil for contents, types, items and pasteboards that are absent.
    var orNil: Operation<Value?> { orNil(where: [.empty, .noSuchType, .noSuchItem, .noSuchPasteboard]) }

    /// Returns the same operation, with nil for these errors of the bridge.
    func orNil(where absences: Set<BridgeError.Code>) -> Operation<Value?> {
        changing { value, replies in
            do {
                return try value(replies)
            } catch let error as BridgeError where absences.contains(error.code) {
                return nil
            }
        }
    }

    private func changing<Other>(
        _ change: @escaping @Sendable (@Sendable ([EncodedReply]) throws -> Value, [EncodedReply]) throws -> Other
    ) -> Operation<Other> {
        Operation<Other> { [start] client in
            let started = try start(client)
            return .init(
                replies: started.replies, value: { try change(started.value, $0) }, abandon: started.abandon)
        }
    }
}

/// The parameters of a call, and the bytes that accompany the call.
struct Request<Parameters> {
    var parameters: Parameters
    var payload = Payload()
}

extension PasteboardError {
    /// Converts an error to the error that a caller of the library gets.
    static func `public`(_ error: any Error) -> any Error {
        switch error {
        case is CancellationError, is PasteboardError: error
        case let error as ValueError: error.underlying
        case is EncodingError:
            PasteboardError(code: .invalidValue, message: "a number cannot be sent: \(error)")
        default: PasteboardError(wire: error)
        }
    }
}
