import CopyingSupport
import TestRandom
import TestSupport
import Testing

extension Integration {
    /// The round trip of names: every target has an identifier, which leads back to the very same target.
    @Suite("Names", .requiresXvfb)
    struct NameTests {
        /// Likely and unlikely characters of names, none of them a control character.
        private static let alphabet = "abcXYZ019 .-_/;:=,+?!\"'\\()[]{}<>%#&|~^$@`éß日Ω\u{301}\u{212A}😀"
            .unicodeScalars.map { Array(String($0).utf8) }

        /// Returns different random names, one in ten of them with a byte that is not UTF-8.
        private static func names(_ count: Int, seed: UInt64) -> [[UInt8]] {
            var generator = SeededGenerator(seed: seed)
            var names: Set<[UInt8]> = []
            while names.count < count {
                var name = Int.random(in: 0..<3, using: &generator) == 0 ? Array("application/".utf8) : []
                for _ in 0..<Int.random(in: 1...40, using: &generator) {
                    name += alphabet.randomElement(using: &generator) ?? []
                }
                if Int.random(in: 0..<10, using: &generator) == 0 {
                    name.append(UInt8.random(in: 0xF8...0xFF, using: &generator))
                }
                // As arguments, names that begin with "-" or "." would be options or extensions, and spaces at the ends
                // would be trimmed.
                let edges = [name.first, name.last]
                guard !edges.contains(0x20), name.first != 0x2D, name.first != 0x2E else { continue }
                names.insert(name)
            }
            return names.sorted { $0.lexicographicallyPrecedes($1) }
        }

        @Test("10,000 random target names pass unchanged from X11, to X11 and through map", arguments: 0..<20)
        func roundTrip(batch: Int) async throws {
            let names = Self.names(500, seed: UInt64(batch))
            // The history and captures would double the bridge's work on these 500 types.
            try await Sandbox.with(changes: ["XPB_PERSIST": "false", "XPB_CAPTURE": "false"]) { sandbox in
                try sandbox.write(names.joined(separator: [0]), to: "names")
                try sandbox.write("value".utf8, to: "value")
                let peer = Binaries.fixture("names.py")
                let before = try await sandbox.count()

                _ = try await sandbox.running([peer, "own", sandbox.path("names")]) { owner in
                    #expect(try await owner.line() == "owned")
                    try await sandbox.require("wait", "--since", "\(before)", "--timeout", "60")
                    let targets = try await sandbox.require("types", "--targets", "-0").output.split(separator: 0)
                    let missing = Set(names).subtracting(targets.map(Array.init))
                    #expect(missing.isEmpty, "\(missing.map { String(decoding: $0, as: UTF8.self) })")
                    for name in [names[batch], names[250 + batch]] {
                        try sandbox.write(name, to: "name")
                        let found = try await sandbox.shell("exec xpb get -t \"$(cat name)\"")
                        #expect(found.output == name, "\(found)")
                    }
                }

                // Through map, from a name to its identifier and back.
                let mapped = try await sandbox.map(names)
                try #require(mapped.count == names.count)
                for (name, entry) in zip(names, mapped) { #expect(entry.begins(with: name), "\(entry)") }
                let dynamic = zip(names, mapped).filter { $0.1.identifier.hasPrefix("dyn.") }
                #expect(dynamic.count > 300)
                let back = try await sandbox.map(dynamic.map { Array($0.1.identifier.utf8) })
                try #require(back.count == dynamic.count)
                for ((name, there), again) in zip(dynamic, back) {
                    #expect(again.identifier == there.identifier && again.begins(with: name), "\(again)")
                }

                // To X11, with all names for one source.
                let line =
                    [Array("set".utf8)] + names.flatMap { [Array("-t".utf8), $0] } + [
                        Array("-f".utf8), Array("value".utf8),
                    ]
                try sandbox.write(line.joined(separator: [0]), to: "line")
                let written = try await sandbox.shell("exec xargs -0 -x -n 2000 -a line xpb")
                try #require(written.status == 0, "\(written)")
                let checked = try await sandbox.run(
                    [peer, "check", sandbox.path("names"), "--bytes", sandbox.path("value")])
                #expect(checked.text == "same")
            }
        }
    }
}

/// The output of `map` for one type.
private struct Mapped: CustomStringConvertible {
    let identifier: String
    /// The line of targets, as bytes.
    let targets: [UInt8]

    /// Returns true if `name` is the first of the targets.
    func begins(with name: [UInt8]) -> Bool { targets == name || targets.starts(with: name + Array(", ".utf8)) }

    var description: String { "\(identifier): \(String(decoding: targets, as: UTF8.self))" }
}

extension Sandbox {
    /// Runs `map` with these names.
    fileprivate func map(_ names: [[UInt8]]) async throws -> [Mapped] {
        try write(names.joined(separator: [0]), to: "mapped")
        let outcome = try await shell("exec xargs -0 -x -n 2000 -a mapped xpb map --")
        try #require(outcome.status == 0, "\(outcome)")
        var found: [Mapped] = []
        var identifier = ""
        for line in outcome.output.split(separator: 0x0A) {
            if line.starts(with: "identifier: ".utf8) {
                identifier = String(decoding: line.dropFirst(12), as: UTF8.self)
            }
            if line.starts(with: "targets: ".utf8) {
                found.append(Mapped(identifier: identifier, targets: Array(line.dropFirst(9))))
            }
        }
        return found
    }
}
