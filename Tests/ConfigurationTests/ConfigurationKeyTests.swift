import Configuration
import Foundation
import Testing
import UserFiles

@Suite struct ConfigurationKeyTests {
    /// Valid values of each key, as written in the file and as shown in JSON.
    private static let good: [(key: String, given: String, json: String)] = [
        ("derive", "false", "false"), ("persist", "false", "false"), ("capture", "false", "false"),
        ("capture-images", "false", "false"), ("capture-gtk4", "true", "true"), ("capture-primary", "true", "true"),
        ("sync", "\"both\"", "\"both\""), ("sync", "\"general-to-find\"", "\"general-to-find\""),
        ("manager", "false", "false"), ("history", "false", "false"),
        ("filters", "{\"image/svg+xml->.png\": \"a b\"}", "{ \"public.svg-image -> public.png\": [\"a\", \"b\"] }"),
        ("filters", "{}", "{}"),
        ("filter-timeout", "2.5", "2.5"), ("filter-timeout", "\"5 min\"", "300"),
        ("filter-limit", "\"64 MiB\"", "67108864"), ("filter-limit", "4294967295", "4294967295"),
        ("capture-delay", "0", "0"), ("capture-delay", "\"500ms\"", "0.5"),
        ("capture-limit", "\"8MiB\"", "8388608"), ("capture-total", "1024", "1024"), ("capture-count", "1", "1"),
        ("forget-emptied", "0", "0"), ("capture-except", "[]", "[]"), ("capture-except", "\"gimp\"", "[\"gimp\"]"),
        ("capture-except", "[\"a b\", \"c/d\"]", "[\"a b\", \"c/d\"]"), ("managers", "[\"x\"]", "[\"x\"]"),
        ("undo-levels", "0", "0"), ("undo-levels", "1000", "1000"), ("history-limit", "100000", "100000"),
        ("history-age", "null", "null"), ("history-age", "86400", "86400"), ("history-age", "\"30 days\"", "2592000"),
        ("history-bytes", "\"2 GiB\"", "2147483648"), ("history-bytes", "1099511627776", "1099511627776"),
        ("osc52", "true", "true"), ("limit-transfers", "1", "1"), ("limit-program-transfers", "100000", "100000"),
        ("limit-transfer-bytes", "\"1 GiB\"", "1073741824"), ("limit-program-bytes", "4096", "4096"),
        ("limit-drip-age", "0", "0"), ("limit-drip-age", "\"2 min\"", "120"), ("limit-drip-rate", "\"1 KiB\"", "1024"),
        ("limit-type-name", "64", "64"), ("limit-type-name", "65535", "65535"), ("limit-atoms", "0", "0"),
        ("limit-clients", "10", "10"), ("limit-program-clients", "2", "2"), ("limit-message", "\"64 KiB\"", "65536"),
        ("limit-incoming", "\"1 GiB\"", "1073741824"), ("limit-program-incoming", "7", "7"),
        ("limit-handles", "1", "1"), ("limit-program-handles", "7", "7"), ("limit-watch-queue", "\"16 KiB\"", "16384"),
    ]

    /// Values that are invalid both in the file and in a variable.
    private static let bad: [(key: String, given: String)] = [
        ("derive", "2"), ("capture", "null"), ("history", "[true]"),
        ("filters", "[]"), ("filter-timeout", "0"), ("filter-timeout", "-1"), ("filter-timeout", "\"10 parsecs\""),
        ("filter-timeout", "1e999"), ("filter-limit", "0"), ("filter-limit", "4294967296"), ("filter-limit", "null"),
        ("capture-delay", "-0.1"), ("capture-delay", "3601"), ("capture-limit", "\"MiB\""), ("capture-total", "1.5"),
        ("sync", "true"), ("sync", "\"Both\""), ("sync", "\"\""),
        ("capture-count", "0"), ("capture-count", "1001"), ("capture-count", "\"many\""),
        ("capture-except", "[1]"), ("capture-except", "[\"\"]"), ("managers", "[\"a\\u0000b\"]"),
        ("undo-levels", "-1"), ("undo-levels", "1001"), ("history-limit", "0"), ("history-limit", "10000001"),
        ("history-age", "0"), ("history-age", "\"month\""), ("history-age", "true"), ("history-bytes", "0"),
        ("history-bytes", "1099511627777"),
        ("limit-transfers", "0"), ("limit-program-transfers", "100001"), ("limit-transfer-bytes", "0"),
        ("limit-drip-age", "-1"), ("limit-drip-rate", "0"), ("limit-type-name", "63"), ("limit-type-name", "65536"),
        ("limit-atoms", "-1"), ("limit-clients", "0"), ("limit-program-clients", "0"), ("limit-message", "65535"),
        ("limit-message", "\"257 MiB\""), ("limit-handles", "0"), ("limit-program-handles", "0"),
        ("limit-watch-queue", "0"),
    ]

    @Test("Every field of the configuration has one key, and every key has one field")
    func fields() throws {
        // The limits are the fields of `limits`, and the names of their keys begin with "limit-".
        let limits = Mirror(reflecting: Configuration().limits).children.compactMap(\.label).map { "limit\($0)" }
        let fields = Mirror(reflecting: Configuration()).children.compactMap(\.label).filter { $0 != "limits" } + limits
        #expect(fields.count == ConfigurationKey.all.count)
        let keys = ConfigurationKey.all.map { $0.name.replacing("-", with: "") }
        #expect(Set(keys) == Set(fields.map { $0.lowercased() }) && Set(keys).count == keys.count)
        #expect(Set(Self.good.map(\.key)) == Set(ConfigurationKey.all.map(\.name)))
    }

    @Test("A value in the file takes effect, and is shown as JSON", arguments: good)
    func inFile(key: String, given: String, json: String) throws {
        let read = EffectiveConfiguration(Array("{\n\"\(key)\": \(given) }".utf8), file: "/c", environment: [:])
        #expect(read.faults == [])
        let setting = try #require(read.settings.first { $0.key == key })
        #expect(setting.json == json && setting.origin == .file(path: "/c", line: 2))
        #expect(read.settings.filter { $0.origin != .default }.map(\.key) == [key])
    }

    @Test("A value in a variable takes precedence over the file", arguments: good)
    func inVariable(key: String, given: String, json: String) throws {
        let known = try #require(ConfigurationKey.named(key))
        let first = try #require(Self.good.first { $0.key == key })
        let file = Array("{ \"\(key)\": \(first.given) }".utf8)
        let read = EffectiveConfiguration(file, file: "/c", environment: [known.variable: given])
        #expect(read.faults == [])
        let setting = try #require(read.settings.first { $0.key == key })
        #expect(setting.json == json && setting.origin == .environment(variable: known.variable))
    }

    @Test("The JSON of a value is read as the same value", arguments: good)
    func roundTrip(key: String, given: String, json: String) throws {
        func configuration(_ value: String) -> Configuration {
            EffectiveConfiguration(Array("{ \"\(key)\": \(value) }".utf8), file: "/c", environment: [:]).configuration
        }
        #expect(configuration(json) == configuration(given))
        #expect(throws: Never.self) {
            try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
        }
    }

    @Test("The defaults are valid values")
    func defaults() throws {
        for setting in EffectiveConfiguration(nil, environment: [:]).settings {
            let file = Array("{ \"\(setting.key)\": \(setting.json) }".utf8)
            let read = EffectiveConfiguration(file, file: "/c", environment: [:])
            #expect(read.faults == [] && read.configuration == Configuration(), "\(setting)")
            #expect(setting.origin == .default)
        }
    }

    @Test("An invalid value in the file is reported with the valid values, and the default is used", arguments: bad)
    func faultyInFile(key: String, given: String) throws {
        let known = try #require(ConfigurationKey.named(key))
        let read = EffectiveConfiguration(Array("{\n\"\(key)\": \(given) }".utf8), file: "/c", environment: [:])
        #expect(read.faults.map(\.description) == ["/c:2: \"\(key)\" must be \(known.wanted)"])
        #expect(read.configuration == Configuration())
    }

    @Test(
        "An invalid value in a variable is reported with the variable's name, and the file's value is used",
        arguments: bad)
    func faultyInVariable(key: String, given: String) throws {
        let known = try #require(ConfigurationKey.named(key))
        let good = try #require(Self.good.first { $0.key == key })
        let file = Array("{ \"\(key)\": \(good.given) }".utf8)
        let read = EffectiveConfiguration(file, file: "/c", environment: [known.variable: given])
        #expect(read.faults.map(\.description) == ["\(known.variable): \"\(key)\" must be \(known.wanted)"])
        #expect(read.settings.first { $0.key == key }?.origin == .file(path: "/c", line: 1))
        #expect(read.settings.first { $0.key == key }?.json == good.json)
    }

    @Test(
        "A variable's value may be written as is usual in a shell",
        arguments: [
            ("XPB_CAPTURE_LIMIT", "8MiB", "8388608"), ("XPB_CAPTURE_DELAY", "2 s", "2"),
            ("XPB_HISTORY", "off", "false"),
            ("XPB_MANAGER", "0", "false"), ("XPB_CAPTURE_GTK4", "Yes", "true"),
            ("XPB_HISTORY_AGE", "2 weeks", "1209600"),
            ("XPB_MANAGERS", "copyq klipper", "[\"copyq\", \"klipper\"]"),
            ("XPB_MANAGERS", " copyq,klipper, ", "[\"copyq\", \"klipper\"]"), ("XPB_MANAGERS", "\"a b\"", "[\"a b\"]"),
            (
                "XPB_FILTERS", "{ 'public.svg-image -> public.png': 'rsvg-convert', }",
                "{ \"public.svg-image -> public.png\": [\"rsvg-convert\"] }"
            ),
        ])
    func words(variable: String, text: String, json: String) {
        let read = EffectiveConfiguration(nil, environment: [variable: text])
        #expect(read.faults == [])
        #expect(read.settings.first { $0.origin == .environment(variable: variable) }?.json == json)
    }

    @Test("If part of a variable's value is faulty, the rest is used")
    func filters() {
        let text = "{ \"public.svg-image -> public.png\": \"a\", \"public.png\": \"b\" }"
        let read = EffectiveConfiguration(nil, environment: ["XPB_FILTERS": text])
        #expect(read.configuration.filters.count == 1 && read.faults.map(\.file) == ["XPB_FILTERS"])
    }

    @Test("An empty variable counts as unset")
    func empty() {
        let read = EffectiveConfiguration(nil, environment: ["XPB_MANAGERS": "", "XPB_DERIVE": ""])
        #expect(read.faults == [] && read.configuration == Configuration())
    }

    @Test(
        "An unknown key is reported with the key that was probably meant",
        arguments: [
            ("captures", "did you mean \"capture\"?"), ("captureLimit", "did you mean \"capture-limit\"?"),
            ("history_age", "did you mean \"history-age\"?"), ("colour", "'xpb help config' lists the keys"),
        ])
    func unknown(key: String, hint: String) {
        let read = EffectiveConfiguration(Array("{ \"\(key)\": 1 }".utf8), file: "/c", environment: [:])
        #expect(read.faults.map(\.message) == ["\"\(key)\" is not a key of the configuration; \(hint)"])
        #expect(read.configuration == Configuration())
    }

    @Test("An unknown variable is reported only if its name is similar to that of a setting")
    func unknownVariables() {
        let environment = [
            "XPB_XPBD": "/bin/xpbd", "XPB_COUNT": "1", "XPB_TYPES": "a", "XPB_OWNER": "b", "XPB_PASTEBOARD": "c",
            "XPB_LARGE": "1", "XPB_BINARIES": "/", "CAPTURES": "1", "XPB_CAPTURE_LIMITS": "1", "XPB_": "1",
        ]
        let read = EffectiveConfiguration(nil, environment: environment)
        #expect(
            read.faults.map(\.description)
                == ["XPB_CAPTURE_LIMITS: there is no such setting; did you mean XPB_CAPTURE_LIMIT?"])
    }

    @Test(
        "Times have units",
        arguments: [
            ("45s", 45), ("45 sec", 45), ("1.5 h", 5400), ("30 days", 2_592_000), ("1 Day", 86400), ("2W", 1_209_600),
            ("250 ms", 0.25), ("5 minutes", 300), ("0s", 0), ("10", nil), ("", nil), ("days", nil), ("-1 s", nil),
            ("1 month", nil), ("1..5 s", nil), (". s", nil), ("1 s ", nil), ("1e3 s", nil),
        ] as [(String, Double?)])
    func times(text: String, seconds: Double?) {
        #expect(TimeSpan.parse(text) == seconds)
    }

    @Test("Documents/Settings.md has each key with its default and its purpose")
    func document() throws {
        let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let lines = try String(contentsOf: package.appending(path: "Documents/Settings.md"), encoding: .utf8)
            .split(separator: "\n")
        let start = try #require(lines.firstIndex(of: "| key | default | purpose |"))
        let rows = lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        #expect(rows.map(\.first) == ConfigurationKey.all.map { "`\($0.name)`" })
        #expect(rows.map(\.last) == ConfigurationKey.all.map(\.purpose))
        for (row, key) in zip(rows, ConfigurationKey.all) where row.count == 3 {
            let value = row[1].trimmingCharacters(in: ["`"])
            let read = EffectiveConfiguration(
                Array("{ \"\(key.name)\": \(value) }".utf8), file: "/c", environment: [:])
            #expect(read.faults == [] && read.configuration == Configuration(), "\(row)")
            #expect(read.settings.first { $0.key == key.name }?.origin == .file(path: "/c", line: 1))
        }
    }
}
