import FormatConversion
import LinuxSystem
import SystemPackage

/// The bytes of a promise on their way into a reader's pipe while they are uploaded.
final class UploadFeed {
    private let onPart: (SpooledPipe) -> Void
    private var pipe: SpooledPipe?
    /// The upload whose bytes are in the pipe.
    private var writer: MemoryFileWriter?
    private var failure: Errno?

    /// The length of an upload from which it goes to a pipe. A shorter one is there as soon as its reader.
    private static let minLength = 256 << 10

    /// - Parameter onPart: Called when the bytes begin to go to the pipe, and after each part.
    init(_ onPart: @escaping (SpooledPipe) -> Void) { self.onPart = onPart }

    /// Passes on bytes that have been appended to an upload, and with the first ones those before them.
    func append(_ bytes: [UInt8], of upload: MemoryFileWriter) {
        guard failure == nil, pipe == nil ? upload.length >= Self.minLength : upload === writer else { return }
        do throws(Errno) {
            if let pipe {
                try Self.append(bytes, to: pipe)
            } else {
                pipe = try Self.pipe(with: upload)
                writer = upload
            }
        } catch {
            failure = error
        }
        if let pipe { onPart(pipe) }
    }

    /// Returns true if the pipe has all bytes that the promise was kept with, and false if it has none.
    ///
    /// - Throws: If the pipe has some of them, or others.
    func hasPassed(_ bytes: Promise.Bytes) throws(ConversionFailure) -> Bool {
        guard let pipe, let writer else { return false }
        let isSame = bytes.file.descriptor.fileDescriptor == writer.fileDescriptor
        guard failure == nil, isSame, bytes.range == 0..<pipe.appended else {
            throw .broken("the program that promised these bytes gave others than it had sent")
        }
        return true
    }

    private static func append(_ bytes: [UInt8], to pipe: SpooledPipe) throws(Errno) {
        try rethrowingErrno { try unsafe bytes.withUnsafeBytes { try unsafe pipe.append($0.bytes) } }
    }

    private static func pipe(with upload: MemoryFileWriter) throws(Errno) -> SpooledPipe {
        let pipe = try SpooledPipe()
        var offset = 0
        while offset < upload.length {
            let piece = try upload.fileDescriptor.readBytes(at: offset, atMost: 1 << 20)
            try append(piece, to: pipe)
            offset += piece.count
        }
        return pipe
    }
}
