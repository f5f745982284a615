import FoundationEssentials
import LinuxSystem
import PasteboardWire
import SystemPackage

/// The bytes that go with a call: one memory file, of which its representations are ranges.
struct Payload: Sendable {
    private(set) var descriptors: [Descriptor] = []

    init() {}

    private init(_ file: MemoryFile) {
        descriptors = [file.descriptor]
    }

    /// Collects them.
    struct Builder {
        private var writer: MemoryFileWriter?

        /// Where the bytes are going to be.
        mutating func append(_ data: Data) throws(PasteboardError) -> WireBytes {
            do throws(Errno) {
                if writer == nil { writer = try MemoryFileWriter() }
                guard let writer else { throw .noMemory }
                let offset = writer.length
                try writer.append(data)
                return WireBytes(descriptor: 0, offset: offset, length: data.count)
            } catch {
                throw PasteboardError(
                    code: .transferBroken, message: "there is no memory for \(data.count) bytes: \(error)")
            }
        }

        func payload() throws(PasteboardError) -> Payload {
            guard let writer else { return Payload() }
            do throws(Errno) {
                return Payload(try writer.seal())
            } catch {
                throw PasteboardError(code: .transferBroken, message: "the bytes cannot be passed on: \(error)")
            }
        }
    }
}
