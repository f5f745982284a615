import PasteboardWire

/// One thing that can be asked of a pasteboard: the call, and what its answer means. Blocking and asynchronous calls
/// are two ways to wait for the same operation.
struct Operation<Value: Sendable>: Sendable {
    /// An operation under way.
    struct Begun: Sendable {
        let replies: Completion<[EncodedReply]>
        let value: @Sendable ([EncodedReply]) throws -> Value
    }

    let begin: @Sendable (Client) throws -> Begun

    init(_ begin: @escaping @Sendable (Client) throws -> Begun) {
        self.begin = begin
    }

    /// One call with one reply.
    init<M: WireMethod & SendableMetatype>(
        _ method: M.Type, _ manner: Exchange.Manner = .read,
        _ parameters: @escaping @Sendable (Client) throws -> M.Parameters,
        value: @escaping @Sendable (M.Reply, EncodedReply) throws -> Value
    ) {
        self.init(method, manner) { client in
            Request(parameters: try parameters(client))
        } values: { replies in
            guard let (reply, encoded) = replies.first else { throw ClientFault.malformed("no reply") }
            return try value(reply, encoded)
        }
    }

    /// One call with as many replies as it takes.
    init<M: WireMethod & SendableMetatype>(
        _ method: M.Type, _ manner: Exchange.Manner,
        request: @escaping @Sendable (Client) throws -> Request<M.Parameters>,
        values: @escaping @Sendable ([(M.Reply, EncodedReply)]) throws -> Value
    ) {
        self.init { client in
            let request = try request(client)
            let call = try EncodedCall(
                method, request.parameters, descriptors: request.payload.descriptors, more: manner.takesSeveral)
            return Begun(replies: try client.start(call, manner)) { replies in
                try values(replies.map { (try $0.decode(method), $0) })
            }
        }
    }

    /// Waits for it on this thread.
    func run(by client: Client = .inUse) throws -> Value {
        do {
            let begun = try begin(client)
            return try begun.value(try begun.replies.wait())
        } catch {
            throw PasteboardError.public(error)
        }
    }

    /// Awaits it.
    func run(by client: Client = .inUse) async throws -> Value {
        do {
            try Task.checkCancellation()
            let begun = try begin(client)
            return try begun.value(try await begun.replies.value())
        } catch {
            throw PasteboardError.public(error)
        }
    }

    func map<Other>(_ transform: @escaping @Sendable (Value) throws -> Other) -> Operation<Other> {
        changing { value, replies in try transform(try value(replies)) }
    }

    /// Nil where there is nothing of the kind.
    var orNil: Operation<Value?> { orNil(where: [.empty, .noSuchType, .noSuchItem, .noSuchPasteboard]) }

    /// Nil where the bridge answers so.
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
        Operation<Other> { [begin] client in
            let begun = try begin(client)
            return Operation<Other>.Begun(replies: begun.replies) { try change(begun.value, $0) }
        }
    }
}

/// What goes with a call.
struct Request<Parameters> {
    var parameters: Parameters
    var payload = Payload()
}

extension PasteboardError {
    /// As a caller of the library gets it.
    static func `public`(_ error: any Error) -> any Error {
        switch error {
        case is CancellationError, is PasteboardError: error
        case is EncodingError:
            PasteboardError(code: .invalidValue, message: "a number that cannot be sent: \(error)")
        default: PasteboardError(wire: error)
        }
    }
}
