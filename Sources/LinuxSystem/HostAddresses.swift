import Glibc
import SystemPackage

/// The addresses of a machine, by its name.
package enum HostAddresses {
    /// Asks getent(1), which has them from the resolver of the C library: that one waits for as long as it likes, and loads
    /// libraries, which a static program cannot.
    ///
    /// - Returns: In the order in which they are to be tried; empty where none are known, nil where that is not known in
    ///   time.
    package static func of(
        _ host: String, environment: [String: String], until deadline: ContinuousClock.Instant
    ) -> [TCPSocket.Address]? {
        if let address = TCPSocket.Address(host) { return [address] }
        guard
            let nothing = try? Descriptor(
                adopting: FileDescriptor.open(FilePath("/dev/null"), .readOnly, options: .closeOnExec)),
            let program = try? ChildProcess.spawnPiped(
                command: ["getent", "ahosts", "--", host], environment: environment,
                standardInput: nothing.fileDescriptor, keepsFolder: false)
        else { return [] }
        let text = output(of: program, until: deadline)
        // It has ended, or is to.
        ChildProcess.send(.kill, to: program.process)
        _ = try? ChildProcess.wait(for: program.process)
        return text.map { addresses(in: $0) }
    }

    /// Each once: there is a line for each kind of socket.
    static func addresses(in text: String) -> [TCPSocket.Address] {
        text.split(separator: "\n").reduce(into: []) { addresses, line in
            let word = line.prefix { $0 != " " && $0 != "\t" }
            guard let address = TCPSocket.Address(String(word)), !addresses.contains(address) else { return }
            addresses.append(address)
        }
    }

    /// Up to its end; nil where that does not come in time.
    private static func output(of program: PipedProgram, until deadline: ContinuousClock.Instant) -> String? {
        var bytes: [UInt8] = []
        while bytes.count < 1 << 16 {
            guard let isReadable = try? waitReadable(program.output.fileDescriptor, until: deadline), isReadable,
                let piece = try? program.output.fileDescriptor.readBytes(atMost: 4096)
            else { return nil }
            if piece.isEmpty { break }
            bytes += piece
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
