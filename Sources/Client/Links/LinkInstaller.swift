import LinuxSystem
import SystemPackage

/// The installation of this program on another machine, over ssh.
package struct LinkInstaller {
    private let host: String
    private let ssh: [String]
    private let environment: [String: String]

    /// - Parameter ssh: Options of ssh.
    package init(host: String, ssh: [String], _ environment: [String: String]) {
        self.host = host
        self.ssh = ssh
        self.environment = environment
    }

    /// The commands for the shell of the other machine. A program in use cannot be overwritten, and an incomplete one
    /// must not be found, so the new file is renamed when it is complete.
    private static let script = """
        [ "$(uname -sm)" = "$1" ] || { echo "the machine is $(uname -sm), and this xpb is for $1" >&2; exit 3; }; \
        umask 077; mkdir -p "$HOME/.local/bin" && new=$(mktemp "$HOME/.local/bin/.xpb.XXXXXX") || exit 4; \
        if cat >"$new" && [ "$(wc -c <"$new")" -eq "$2" ] && chmod 755 "$new" && "$new" --version >/dev/null \
        && mv "$new" "$HOME/.local/bin/xpb"; then exit 0; else rm -f "$new"; exit 5; fi
        """

    /// Options that an installation depends on. If the user's configuration named a command, ssh would refuse the
    /// command of the installation.
    private static let required = [
        "-T", "-a", "-x", "-o", "ClearAllForwardings=yes", "-o", "RemoteCommand=none", "-o", "PermitLocalCommand=no",
    ]

    /// Copies the program to `~/.local/bin/xpb`.
    package func install() throws {
        let path = try ThisProcess.executablePath()
        let program = try Descriptor.open(FilePath(path))
        let length = try FileStatus(of: program.fileDescriptor).length
        let (errors, errorsEnd) = try Descriptor.pipe()
        // Another machine may write escape sequences, which must not reach the user's terminal.
        let output = try Descriptor.null()
        // The words have no single quotes, so any shell passes them on unchanged.
        let command = "exec sh -c '\(Self.script)' sh '\(ThisProcess.systemAndArchitecture)' \(length)"
        let process: Int32
        do throws(Errno) {
            process = try ChildProcess.spawn(
                command: ["ssh"] + ssh + Self.required + ["--", host, command], environment: environment,
                standardInput: program.fileDescriptor, standardOutput: output.fileDescriptor,
                standardError: errorsEnd.fileDescriptor)
        } catch {
            throw LinkFailure.withoutSSH(error)
        }
        _ = consume errorsEnd
        var text: [UInt8] = []
        while case let bytes = try errors.fileDescriptor.readBytes(atMost: 1 << 16), !bytes.isEmpty {
            text = (text + bytes).suffix(1 << 16)
        }
        guard try ChildProcess.wait(for: process) != .exited(0) else { return }
        let lines = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline).suffix(3)
        let words = lines.joined(separator: "; ").printable
        throw LinkFailure.local("xpb could not be installed on \(host): \(words)")
    }
}
