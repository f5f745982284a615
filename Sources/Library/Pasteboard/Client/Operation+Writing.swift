import FoundationEssentials
import LinuxSystem
import PasteboardWire
import SystemPackage

struct SetCall: Sendable {
    let pasteboard: String
    let items: [PasteboardItem]
    /// True to add the items after the present items; false to replace the present items.
    var appends = false
    /// The number of the present item that receives the representations of the only new item.
    var into: Int?
    var options = PasteboardOptions()
    var ifChangeCount: Int?
    var formerOwner: (@Sendable () -> Void)?

    /// The operation, whose value is the change count.
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
            let stream = try client.open(call, isReadOnly: false, hasAnswer: true)
            let set = PromiseSet(pasteboard: pasteboard, promises, formerOwner: formerOwner)
            // The contents of an abandoned call may still be written, so their promises are kept anyway.
            return .init(
                replies: stream.answer ?? Completion(),
                value: { replies in
                    let answer = try Self.count(replies)
                    if answer.ended == nil { set.serve(stream, by: client) }
                    return answer.counts.first ?? 0
                }, abandon: { set.serve(stream, by: client) })
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
        var promises = PromiseNames()
        var wireItems: [WireNewItem] = []
        for item in items {
            guard !item.representations.isEmpty else {
                throw PasteboardError(
                    code: .invalidValue, message: "an item has no representation, so there is nothing to write")
            }
            var representations: [WireNewRepresentation] = []
            for representation in item.representations {
                // The name under which the representation was read is more specific than the identifier.
                var wire = WireNewRepresentation(type: representation.target ?? representation.type)
                wire.exact = representation.exact ? true : nil
                switch representation.bytes {
                case .data(let data): wire.bytes = try builder.append(data)
                case .promise(let promise): wire.promise = try promises.name(of: promise, isSecret: options.concealed)
                }
                representations.append(wire)
            }
            wireItems.append(WireNewItem(representations: representations))
        }
        let parameters = Methods.Set.Parameters(
            pasteboards: [pasteboard], items: wireItems, append: appends ? true : nil, into: into,
            ifCount: ifChangeCount, options: try options.wire, timeout: client.timeoutMilliseconds,
            action: options.actionName,
            group: options.undoGroup)
        return (Request(parameters: parameters, payload: try builder.payload()), promises.promises)
    }
}

/// The names of the promises of a call. A promise for several representations has one name.
private struct PromiseNames {
    private(set) var promises: [String: Promise] = [:]
    private var names: [ObjectIdentifier: String] = [:]

    mutating func name(of promise: Promise, isSecret: Bool) throws(PasteboardError) -> String {
        guard !isSecret else {
            throw PasteboardError(
                code: .invalidOptions, message: "concealed contents cannot be promised; give the bytes")
        }
        let name = names[ObjectIdentifier(promise)] ?? "\(names.count + 1)"
        names[ObjectIdentifier(promise)] = name
        promises[name] = promise
        return name
    }
}

/// The bytes that accompany a call: one memory file, or one pipe for a secret. The representations are ranges of these
/// bytes.
struct Payload: Sendable {
    private(set) var descriptors: [Descriptor] = []

    init() {}

    private init(_ descriptor: Descriptor) {
        descriptors = [descriptor]
    }

    /// A builder that collects the bytes.
    struct Builder {
        private enum Writer {
            case file(MemoryFileWriter)
            case secret(SecretMemoryWriter)

            var length: Int {
                switch self {
                case .file(let writer): writer.length
                case .secret(let writer): writer.length
                }
            }
        }

        private var writer: Writer?
        private let isConcealed: Bool

        init(concealed: Bool) {
            isConcealed = concealed
        }

        /// Adds bytes, and returns their place in the payload.
        mutating func append(_ data: Data) throws(PasteboardError) -> WireBytes {
            do {
                let writer = try writer ?? (isConcealed ? .secret(SecretMemoryWriter()) : .file(MemoryFileWriter()))
                self.writer = writer
                let offset = writer.length
                switch writer {
                case .file(let writer): try writer.append(data)
                case .secret(let writer): try writer.append(data)
                }
                return WireBytes(descriptor: 0, offset: offset, length: data.count)
            } catch let error as SecretMemoryError {
                throw PasteboardError(code: .refused, message: "\(error)")
            } catch {
                throw PasteboardError(
                    code: .transferBroken, message: "there is no memory for \(data.count) bytes: \(error)")
            }
        }

        func payload() throws(PasteboardError) -> Payload {
            do throws(Errno) {
                switch writer {
                case nil: return Payload()
                case .file(let writer): return Payload(try writer.seal().descriptor)
                case .secret(let writer): return Payload(try writer.seal().pipe(in: 0..<writer.length))
                }
            } catch {
                throw PasteboardError(code: .transferBroken, message: "the bytes cannot be passed on: \(error)")
            }
        }
    }
}
