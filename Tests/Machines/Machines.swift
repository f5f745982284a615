import Glibc
import LinuxSystem
import SystemPackage
import TestRandom

/// The program that performs random operations on the machines and reports the results.
@main
enum Machines {
    static func main() {
        var steps = 10_000_000
        // The range keeps the seed short enough to type.
        var seed = UInt64.random(in: 0..<1_000_000_000)
        var names: [String] = []
        var shown: UInt64?
        var notes: String?
        var arguments = CommandLine.arguments.dropFirst()
        while let argument = arguments.popFirst() {
            switch argument {
            case "--steps":
                guard let count = arguments.popFirst().flatMap({ Int($0) }), count > 0 else { usage() }
                steps = count
            case "--seed":
                guard let given = arguments.popFirst().flatMap({ UInt64($0) }) else { usage() }
                seed = given
            case "--show":
                guard let given = arguments.popFirst().flatMap({ UInt64($0) }) else { usage() }
                shown = given
            case "--notes":
                notes = arguments.popFirst()
                if notes == nil { usage() }
            case _ where Machine.all.contains { $0.name == argument }: names.append(argument)
            default: usage()
            }
        }
        let machines = names.isEmpty ? Machine.all : Machine.all.filter { names.contains($0.name) }
        if let shown { return machines.forEach { $0.show(shown) } }
        if !run(machines, steps: steps, seed: seed, notes: notes.flatMap(Notes.init)) { exit(1) }
    }

    private static func usage() -> Never {
        print("usage: Machines [--steps N] [--seed N] [--notes FILE] [MACHINE...]\n       Machines --show SEED MACHINE")
        print("machines: \(Machine.all.map(\.name).joined(separator: " "))")
        exit(2)
    }

    private static func run(_ machines: [Machine], steps: Int, seed: UInt64, notes: Notes?) -> Bool {
        let shares = machines.map(\.share).reduce(0, +)
        print("seed \(seed)")
        print(MachineFigures.heading)
        var total = MachineFigures()
        var findings: [(machine: String, finding: MachineFigures.Finding)] = []
        for machine in machines {
            let figures = machine.run((steps * machine.share + shares - 1) / shares, seed) { seed in
                notes?.write(machine.name, seed)
            }
            print(figures.row(machine.name))
            total.add(figures)
            if let finding = figures.finding { findings.append((machine.name, finding)) }
        }
        print(total.row("total", violations: findings.count))
        for (machine, finding) in findings {
            print("\n\(machine), from the sequence \(finding.seed): \(finding.reason)\n\(finding.operations)")
        }
        return findings.isEmpty
    }
}

/// A file with the name and seed of the current sequence, for use after a machine has trapped.
struct Notes {
    private let file: Descriptor

    init?(path: String) {
        let file = try? FileDescriptor.open(
            FilePath(path), .writeOnly, options: [.create, .truncate, .closeOnExec], permissions: .ownerReadWrite)
        guard let file else { return nil }
        self.file = Descriptor(adopting: file)
    }

    func write(_ machine: String, _ seed: UInt64) {
        let line = "\(seed) \(machine)"
        // Padding overwrites the rest of a longer line.
        let padding = String(repeating: " ", count: max(60 - line.utf8.count, 0))
        _ = try? file.fileDescriptor.writeAll(toAbsoluteOffset: 0, (line + padding + "\n").utf8)
    }
}
