import Configuration
import Foundation
import TestRandom
import Testing
import UniformTypes
import UserFiles

@Suite struct ConfigurationTests {
    private static func parse(_ text: String) -> (configuration: Configuration, faults: [FileFault]) {
        let effective = EffectiveConfiguration(Array(text.utf8), file: "config.json", environment: [:])
        return (effective.configuration, effective.faults)
    }

    @Test("Switches, filters, times and sizes are read, and the filters stay in order")
    func all() throws {
        let (configuration, faults) = Self.parse(
            """
            {
              // what we have here
              "derive": false,
              "filters": {
                "public.svg-image -> public.png": "rsvg-convert  -z 2",
                "image/webp->image/png": ["dwebp", "-o", "a b"],
              },
              "filter-timeout": 2.5, "filter-limit": "64 MiB",
            }
            """)
        #expect(faults == [])
        #expect(!configuration.derive && configuration.filterTimeout == 2.5 && configuration.filterLimit == 64 << 20)
        #expect(
            configuration.filters.map(\.source) == [.svg, .webP] && configuration.filters.map(\.result) == [.png, .png])
        #expect(configuration.filters.map(\.command) == [["rsvg-convert", "-z", "2"], ["dwebp", "-o", "a b"]])
    }

    @Test("If a file contains no settings, the defaults are used", arguments: ["", "{}", "// nothing"])
    func defaults(text: String) {
        let (configuration, faults) = Self.parse(text)
        #expect(configuration == Configuration() && faults == [])
        #expect(configuration.derive && configuration.filterTimeout == 10 && configuration.filterLimit == 268_435_456)
    }

    @Test(
        "A faulty member is reported with its line, and the rest is used",
        arguments: [
            "\"derive\": 1", "\"derive\": \"true\"", "\"colour\": 1", "\"filters\": []", "\"filter-timeout\": 0",
            "\"filter-timeout\": -1", "\"filter-timeout\": \"10\"", "\"filter-timeout\": NaN",
            "\"filter-timeout\": Infinity", "\"filter-limit\": 0", "\"filter-limit\": \"64 parsecs\"",
            "\"filter-limit\": 4294967296", "\"filter-limit\": 1.5", "\"filter-limit\": null",
            "\"filters\": {\"public.png\": \"x\"}", "\"filters\": {\"public.png -> image\": \"x\"}",
            "\"filters\": {\"public.png -> public.png\": \"x\"}", "\"filters\": {\"public.png -> TARGETS\": \"x\"}",
            "\"filters\": {\"public.png -> public.jpeg -> public.tiff\": \"x\"}",
            "\"filters\": {\"public.png -> public.jpeg\": \" \"}", "\"filters\": {\"public.png -> public.jpeg\": []}",
            "\"filters\": {\"public.png -> public.jpeg\": [\"\"]}", "\"filters\": {\"public.png -> public.jpeg\": 5}",
            "\"filters\": {\"public.png -> public.jpeg\": \"a\\u0000b\"}",
        ])
    func faulty(member: String) {
        let (configuration, faults) = Self.parse("{\n\(member),\n\"derive\": false }")
        // The second of two `derive` members is ignored.
        #expect(faults.first?.line == 2, "\(faults)")
        #expect(configuration.filters == [] && configuration.filterTimeout == 10)
        #expect(configuration.filterLimit == 256 << 20)
        #expect(configuration.derive == (member.hasPrefix("\"derive\"")))
    }

    @Test("The first of two equal keys is used")
    func twice() {
        let (configuration, faults) = Self.parse(
            """
            { "filter-timeout": 3, "filter-timeout": 4,
              "filters": { "public.png -> public.jpeg": "one", "image/png -> image/jpeg": "two" } }
            """)
        #expect(configuration.filterTimeout == 3 && configuration.filters.map(\.command) == [["one"]])
        #expect(
            faults.map(\.description) == [
                "config.json:1: \"filter-timeout\" is given already; the first one counts",
                "config.json:2: filter \"image/png -> image/jpeg\" is given already; the first one counts",
            ])
    }

    @Test(
        "Byte counts have units",
        arguments: [
            ("64", 64), ("64 MiB", 64 << 20), ("64MiB", 64 << 20), ("1 gib", 1 << 30), ("2k", 2048),
            ("3 MB", 3_000_000),
            ("5 B", 5), ("", nil), ("MiB", nil), ("-1", nil), ("1.5 MiB", nil), ("1 XB", nil), ("1 MiB ", nil),
            ("99999999999999999999", nil), ("9223372036854775807 KiB", nil),
        ] as [(String, Int?)])
    func byteCounts(text: String, bytes: Int?) {
        #expect(ByteCount.parse(text) == bytes)
    }

    @Test("A file is read with its stamp, and faults name the file's path")
    func file() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "xpb-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let settings = folder.appending(path: "xpb")
        try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
        let file = try #require(UserFile(named: "config.json", environment: ["XDG_CONFIG_HOME": folder.path]))
        let absent = EffectiveConfiguration(file, environment: [:])
        #expect(absent.stamp == nil && absent.faults == [])
        try Data("{ \"derive\": false, \"x\": 1 }".utf8).write(to: settings.appending(path: "config.json"))
        let read = EffectiveConfiguration(file, environment: [:])
        #expect(!read.configuration.derive && read.stamp == file.stamp && read.faults.map(\.file) == [file.path])
    }

    @Test("Random bytes never break the parser", arguments: 0..<UInt64(100))
    func garbage(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "{", "}", "\"filters\":", "\"derive\":", "\"filter-limit\":", "\"a.b -> c.d\":", "[", "]", ",", "\"",
            "true",
            "1", "\n", "/*", "//", "\0",
        ]
        let text = (0..<Int.random(in: 0...80, using: &generator)).map { _ in
            pieces.randomElement(using: &generator) ?? ""
        }
        let (configuration, _) = Self.parse("{" + text.joined())
        #expect(configuration.filters.allSatisfy { !$0.command.isEmpty }, "seed \(seed)")
    }
}
