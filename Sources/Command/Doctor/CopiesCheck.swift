import BridgeClient
import LinuxSystem
import PasteboardWire
import SystemPackage

/// The check for several copies of `xpb`, such as a package that was installed in addition to a copy built by hand.
extension Check {
    static let copies = Check("copies") { examination in
        var findings: [Finding] = []
        let copies = programs(named: "xpb", examination)
        if let first = copies.first, copies.count > 1 {
            findings.append(
                .note(
                    "PATH has \(copies.count) copies of xpb: \(first.string), which shells run, and "
                        + copies.dropFirst().map(\.string).joined(separator: ", "),
                    advice: "remove the others: a package with apt, your own copy with Scripts/install --uninstall"))
        }
        if let other = otherBridge(examination) { findings.append(other) }
        return findings.isEmpty ? [.ok("PATH has one copy of xpb")] : findings
    }

    /// Returns the programs with a given name in PATH, each once.
    private static func programs(named name: String, _ examination: Examination) -> [FilePath] {
        var seen: [Stat] = []
        return (examination.variable("PATH") ?? "").split(separator: ":").compactMap { folder in
            let path = FilePath(lossless: String(folder)).appending(name)
            guard path.isAbsolute, isProgram(path.string), let file = try? Stat(path),
                !seen.contains(where: { isSame($0, file) })
            else { return nil }
            seen.append(file)
            return path
        }
    }

    /// Reports that the running bridge is a different program from the one that this `xpb` would start.
    private static func otherBridge(_ examination: Examination) -> Finding? {
        let candidates = BridgeLauncher(environment: examination.environment).candidates
        guard let own = candidates.first(where: isProgram), let ownFile = try? Stat(FilePath(lossless: own)),
            let process = examination.status.map({ Int32(clamping: $0.process) }),
            let running = ProcessState.executable(of: process),
            let runningFile = try? Stat(FilePath("/proc/\(process)/exe")),
            // The check of the bridge reports a program that was replaced.
            runningFile.linkCount > 0, !isSame(ownFile, runningFile)
        else { return nil }
        return .warning(
            "the running bridge is \(running), but this xpb belongs to \(own)",
            advice: "replace it with 'xpb bridge restart', or use the xpb next to the running bridge")
    }

    private static func isSame(_ one: Stat, _ other: Stat) -> Bool {
        one.deviceID == other.deviceID && one.inode == other.inode
    }
}
