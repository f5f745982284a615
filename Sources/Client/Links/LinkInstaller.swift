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

    /// The folder of the drop-in names, in the home folder, as `Scripts/install` has it.
    package static let namesFolder = ".local/lib/xpb/bin"

    /// The commands that install a program, for the shell of the other machine. A program in use cannot be overwritten,
    /// and an incomplete one must not be found, so the new file is renamed when it is complete.
    private static let programScript = """
        [ "$(uname -sm)" = "$1" ] || { echo "the machine is $(uname -sm), and this $3 is for $1" >&2; exit 3; }; \
        umask 077; mkdir -p "$HOME/.local/bin" && new=$(mktemp "$HOME/.local/bin/.xpb.XXXXXX") || exit 4; \
        if cat >"$new" && [ "$(wc -c <"$new")" -eq "$2" ] && chmod 755 "$new" && "$new" --version >/dev/null \
        && mv "$new" "$HOME/.local/bin/$3"; then exit 0; else rm -f "$new"; exit 5; fi
        """

    /// The commands that make the links. A file of the user that has one of the names stays.
    private static let namesScript = """
        PATH="$PATH:$HOME/.local/bin:/usr/local/bin"; \
        program=$(command -v xpb) || { echo "there is no xpb; --install copies this one there" >&2; exit 3; }; \
        umask 077; cd "$HOME" && mkdir -p "$1" && cd "$1" || exit 4; shift; \
        for name; do \
        if [ -e "$name" ] && ! [ -L "$name" ]; then echo "$PWD/$name is another program" >&2; exit 5; fi; \
        ln -sf "$program" "$name" || exit 5; done
        """

    /// Options that an installation depends on. If the user's configuration named a command, ssh would refuse the
    /// command of the installation.
    private static let required = [
        "-T", "-a", "-x", "-o", "ClearAllForwardings=yes", "-o", "RemoteCommand=none", "-o", "PermitLocalCommand=no",
    ]

    /// Copies a program to `~/.local/bin`.
    package func installProgram(_ path: String, as name: String) throws {
        let program = try Descriptor.open(FilePath(path))
        let length = try FileStatus(of: program.fileDescriptor).length
        let words = [ThisProcess.systemAndArchitecture, String(length), name]
        try run(Self.programScript, words, input: program, failure: "\(name) could not be installed")
    }

    /// Makes links to the other machine's xpb in ``namesFolder``.
    package func makeNames(_ names: [String]) throws {
        let words = [Self.namesFolder] + names
        try run(Self.namesScript, words, input: try Descriptor.null(), failure: "the names could not be made")
    }

    /// Runs a script on the other machine.
    ///
    /// - Parameter words: Its arguments, without single quotes, so that any shell passes them on unchanged.
    private func run(_ script: String, _ words: [String], input: borrowing Descriptor, failure: String) throws {
        let (errors, errorsEnd) = try Descriptor.pipe()
        // Another machine may write escape sequences, which must not reach the user's terminal.
        let output = try Descriptor.null()
        let command = "exec sh -c '\(script)' sh " + words.map { "'\($0)'" }.joined(separator: " ")
        let process: Int32
        do throws(Errno) {
            process = try ChildProcess.spawn(
                command: ["ssh"] + ssh + Self.required + ["--", host, command], environment: environment,
                standardInput: input.fileDescriptor, standardOutput: output.fileDescriptor,
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
        let reason = lines.joined(separator: "; ").printable
        throw LinkFailure.local("\(failure) on \(host): \(reason)")
    }
}
