import FoundationEssentials
import PasteboardWire

/// New contents: what is written, where and on which condition.
struct Writing: Sendable {
    let pasteboard: String
    let items: [PasteboardItem]
    /// Behind the items that are there.
    var appends = false
    var options = PasteboardOptions()
    var ifChangeCount: Int?
    var formerOwner: (@Sendable () -> Void)?

    /// Writes it. The value is the change count.
    var operation: Operation<Int> {
        if items.isEmpty, !appends { return Pasteboard.clearing(pasteboard, ifChangeCount: ifChangeCount) }
        return Operation { client in
            let (request, promises) = try request(client)
            let call = try EncodedCall(
                Methods.Set.self, request.parameters, descriptors: request.payload.descriptors,
                more: !promises.isEmpty)
            guard !promises.isEmpty else {
                return .init(replies: try client.start(call, .longWrite)) { try Self.count($0).counts.first ?? 0 }
            }
            let stream = try client.open(call, isRead: false, hasAnswer: true)
            let set = PromiseSet(pasteboard: pasteboard, promises, formerOwner: formerOwner)
            return .init(replies: stream.answer ?? Completion()) { replies in
                let answer = try Self.count(replies)
                if answer.ended == nil { set.keep(stream, by: client) }
                return answer.counts.first ?? 0
            }
        }
    }

    private static func count(_ replies: [EncodedReply]) throws -> Methods.Set.Reply {
        guard let reply = replies.first else { throw ClientFault.malformed("no reply") }
        return try reply.decode(Methods.Set.self)
    }

    private func request(
        _ client: Client
    ) throws(PasteboardError) -> (Request<Methods.Set.Parameters>, promises: [String: Promise]) {
        var builder = Payload.Builder(concealed: options.concealed)
        var promises: [String: Promise] = [:]
        var names: [ObjectIdentifier: String] = [:]
        var wireItems: [WireNewItem] = []
        for item in items {
            var representations: [WireNewRepresentation] = []
            for representation in item.representations {
                // The name it was seen under says more than the identifier.
                let type = representation.target ?? representation.type
                let exact = representation.exact ? true : nil
                switch representation.form {
                case .data(let data):
                    representations.append(.init(type: type, exact: exact, bytes: try builder.append(data)))
                case .promise(let promise):
                    guard !options.concealed else {
                        throw PasteboardError(
                            code: .invalidOptions, message: "what is concealed is given, not promised; give the bytes")
                    }
                    let name = names[ObjectIdentifier(promise)] ?? "\(names.count + 1)"
                    names[ObjectIdentifier(promise)] = name
                    promises[name] = promise
                    representations.append(.init(type: type, exact: exact, promise: name))
                }
            }
            guard !representations.isEmpty else {
                throw PasteboardError(code: .invalidValue, message: "an item has no form, so there is nothing to write")
            }
            wireItems.append(WireNewItem(representations: representations))
        }
        let parameters = Methods.Set.Parameters(
            pasteboards: [pasteboard], items: wireItems, append: appends ? true : nil, ifCount: ifChangeCount,
            options: try options.wire, timeout: client.timeoutMilliseconds, action: options.actionName,
            group: options.undoGroup)
        return (Request(parameters: parameters, payload: try builder.payload()), promises)
    }
}
