import ArgumentParser
import BridgeClient
import LinuxSystem
import PasteboardWire
import SystemPackage

/// `xpb load`.
struct LoadCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "load", abstract: "Replace the contents by those that 'xpb dump' wrote.",
        discussion: """
            An archive that is damaged or not whole changes nothing. It does not have the contents' lifetime nor \
            --local-only: give them here again.
            """)

    @OptionGroup var common: CommonFlags

    @Option(
        name: .customLong("if-count"),
        help: ArgumentHelp("Change nothing unless the change count is N.", valueName: "N"))
    var ifCount: Int?

    @Option(help: SourceFlags.expiresHelp)
    var expires: Lifetime?

    @Flag(name: .customLong("local-only"), help: SourceFlags.localOnlyHelp)
    var localOnly = false

    @Flag(help: SourceFlags.onceHelp)
    var once = false

    @Flag(help: SourceFlags.memoryHelp)
    var memory = false

    @Argument(help: ArgumentHelp("The archive (default: standard input).", valueName: "FILE"), completion: .file())
    var file: String?

    func perform(in session: Session) throws {
        let pasteboards = try session.pasteboards()
        let archive = try read(session)
        let client = try session.connect()
        let parameters = Methods.Set.Parameters(
            pasteboards: pasteboards, items: archive.items, ifCount: ifCount,
            options: WireOptions(expires, localOnly: localOnly, once: once, memory: memory),
            timeout: client.timeoutMilliseconds)
        let archived = [archive.file.descriptor]
        let counts = try client.call(Methods.Set.self, parameters, descriptors: archived, isLong: true).reply.counts
        session.console.detail("count \(counts.map(String.init).joined(separator: " "))")
        if session.common.json { try session.output.write(json: CountsJSON(pasteboards, counts)) }
    }

    private func read(_ session: Session) throws(Failure) -> LoadedArchive {
        guard let path = file, path != "-" else {
            guard !StandardDescriptors.isTerminal(.standardInput) else {
                throw .usage("an archive comes from a file or a pipe, and standard input is a terminal; name a FILE")
            }
            return try LoadedArchive(from: .standardInput, named: "standard input")
        }
        let opened: Descriptor
        do {
            opened = Descriptor(
                adopting: try FileDescriptor.open(FilePath(lossless: path), .readOnly, options: .closeOnExec))
        } catch {
            throw .usage("\(path) cannot be read: \(error)")
        }
        return try LoadedArchive(from: opened.fileDescriptor, named: path)
    }
}
