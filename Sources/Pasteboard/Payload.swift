import FoundationEssentials
import LinuxSystem
import PasteboardWire
import SystemPackage

/// The bytes that go with a call: one memory file, or for a secret one pipe, of which its representations are ranges.
struct Payload: Sendable {
    private(set) var descriptors: [Descriptor] = []

    init() {}

    private init(_ descriptor: Descriptor) {
        descriptors = [descriptor]
    }

    /// Collects them.
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

        /// Where the bytes are going to be.
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
