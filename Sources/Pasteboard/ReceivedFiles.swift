import LinuxSystem
import PasteboardWire

/// The memory files, or pipes with secrets, that came with a reply.
struct ReceivedFiles {
    private let descriptors: [Descriptor]
    private var files: [Int: HeldBytes] = [:]

    init(_ descriptors: [Descriptor]) {
        self.descriptors = descriptors
    }

    /// What has the bytes, and where in it they are.
    ///
    /// - Throws: code `transferBroken` for what cannot be read safely or is less than was said.
    mutating func part(_ bytes: WireBytes) throws(PasteboardError) -> (bytes: HeldBytes, range: Range<Int>) {
        guard let index = bytes.descriptor, descriptors.indices.contains(index) else {
            throw PasteboardError(code: .transferBroken, message: "the bridge sent no bytes; try again")
        }
        let file: HeldBytes
        do {
            file = try files[index] ?? HeldBytes(adopting: descriptors[index])
        } catch {
            throw PasteboardError(
                code: .transferBroken, message: "the bridge passed what cannot be read safely: \(error)")
        }
        files[index] = file
        let (offset, length) = (bytes.offset, bytes.length)
        guard offset >= 0, length >= 0, offset <= file.length, length <= file.length - offset else {
            throw PasteboardError(code: .transferBroken, message: "the bridge sent fewer bytes than it said; try again")
        }
        return (file, offset..<offset + length)
    }
}
