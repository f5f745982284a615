package import FormatConversion
package import LinuxSystem
import SystemPackage

/// The bytes of a promise on their way to a reader while they are uploaded.
package final class UploadFeed {
    private let onPart: (SpooledSocket) -> Void
    private var socket: SpooledSocket?
    /// The upload whose bytes go to the socket.
    private var writer: MemoryFileWriter?
    private var hasFailed = false

    /// The minimum length, in bytes, of an upload that goes to a socket. A shorter upload is complete before a stream
    /// would help.
    private static let minLength = 256 << 10

    /// - Parameter onPart: Called when the bytes begin to go to the socket, and after each part.
    package init(_ onPart: @escaping (SpooledSocket) -> Void) { self.onPart = onPart }

    /// Passes on bytes that have been appended to an upload; the first time, also the bytes before them.
    package func appended(_ bytes: [UInt8], to upload: MemoryFileWriter) {
        guard !hasFailed, socket == nil ? upload.length >= Self.minLength : upload === writer else { return }
        do throws(Errno) {
            if let socket { try socket.follow(bytes, to: upload.length) } else { try begin(upload) }
        } catch {
            hasFailed = true
        }
        if let socket { onPart(socket) }
    }

    private func begin(_ upload: MemoryFileWriter) throws(Errno) {
        let socket = try SpooledSocket(following: upload.descriptor)
        (self.socket, writer) = (socket, upload)
        try socket.follow([], to: upload.length)
        try socket.flush()
    }

    /// Returns true if the socket gets all bytes that fulfilled the promise, and false if the socket gets no bytes.
    ///
    /// - Throws: An error if the socket gets only some of these bytes, or different bytes.
    package func passes(_ bytes: Promise.Bytes) throws(ConversionFailure) -> Bool {
        guard let socket, let writer else { return false }
        if hasFailed { throw .broken("the bytes could not be passed on") }
        let isSame = bytes.file.descriptor.fileDescriptor == writer.fileDescriptor
        guard isSame, bytes.range == 0..<socket.appended else {
            throw .broken("the program that promised these bytes provided other bytes than it had sent")
        }
        return true
    }
}
