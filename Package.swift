// swift-tools-version: 6.2

import PackageDescription

/// The settings of every Swift target: the Swift 6 language, strict memory safety, and warnings as errors.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// The settings of targets whose async functions run on their caller's thread, the event loop's thread.
let loopSettings: [SwiftSetting] = settings + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

// A program that uses a library alone, and turns off the trait, does not fetch these.
let argumentParser = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Programs"]))
let logging = Target.Dependency.product(name: "Logging", package: "swift-log", condition: .when(traits: ["Programs"]))
let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")

/// Returns the linker's options for a release binary. Scripts/build passes them in an environment variable, since
/// options on its command line would also apply to the files that xpb and xpbd share. Only that script sets the
/// variable: a package with unsafe flags cannot be a dependency.
func linkerSettings(of variable: String) -> [LinkerSetting] {
    guard let options = Context.environment[variable] else { return [] }
    return [.unsafeFlags(options.split(separator: " ").map(String.init))]
}

/// The folders of Sources, in order. A target depends only on targets of its own layer and of earlier layers, as
/// Scripts/checks/imports checks.
enum Layer: String {
    case system = "System"
    case types = "Types"
    case text = "Text"
    case client = "Client"
    case x11 = "X11"
    case wayland = "Wayland"
    case bridge = "Bridge"
    case library = "Library"
    case editing = "Editing"
    case command = "Command"

    func path(of target: String) -> String { "Sources/\(rawValue)/\(target)" }
}

func library(
    _ layer: Layer, _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [],
    embedding: [String] = [], settings: [SwiftSetting] = settings
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: layer.path(of: name), exclude: exclude,
        resources: embedding.map { .embedInCode($0) }, swiftSettings: settings)
}

func program(
    _ layer: Layer, _ name: String, _ dependencies: [Target.Dependency], linking variable: String
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: layer.path(of: name), swiftSettings: settings,
        linkerSettings: linkerSettings(of: variable))
}

/// Returns a system library, or C headers of this package, for use in Swift.
func cLibrary(_ layer: Layer, _ name: String, package: String? = nil, debian: [String] = []) -> Target {
    .systemLibrary(
        name: name, path: layer.path(of: name), pkgConfig: package, providers: debian.isEmpty ? nil : [.apt(debian)])
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: resources, swiftSettings: settings)
}

func example(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Examples/\(name)", swiftSettings: settings)
}

let package = Package(
    name: "xpb",
    products: [
        .executable(name: "xpb", targets: ["XPBCommand"]),
        .executable(name: "xpbd", targets: ["xpbd"]),
        .library(name: "Pasteboard", targets: ["Pasteboard"]),
        .library(name: "PasteboardEmbedded", targets: ["PasteboardEmbedded"]),
        .library(name: "ApplePasteboards", targets: ["ApplePasteboards"]),
        .library(name: "PasteboardAttributedText", targets: ["PasteboardAttributedText"]),
        .library(name: "UniformTypes", targets: ["UniformTypes"]),
        .library(name: "AttributedText", targets: ["AttributedText"]),
        .library(name: "Undo", targets: ["Undo"]),
        .library(name: "Editing", targets: ["Editing"]),
    ],
    traits: [
        .default(enabledTraits: ["Programs"]),
        .trait(name: "Programs", description: "The programs xpb and xpbd, and the library PasteboardEmbedded."),
    ],
    // Version ranges, so that a program that uses the library can choose its own versions. This package itself is built
    // with exactly the versions in Scripts/checks/dependencies.expected.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ],
    targets: [
        // System
        cLibrary(.system, "CLinux"),
        library(.system, "LinuxSystem", ["CLinux", system]),
        library(.system, "EventLoop", ["LinuxSystem", system], settings: loopSettings),
        // sd-bus is loaded when it is needed.
        cLibrary(.system, "CSessionBus"),
        library(
            .system, "SessionBus", ["CSessionBus", "EventLoop", "LinuxSystem", system], settings: loopSettings),
        library(.system, "UserFiles", ["LinuxSystem", system]),
        library(.system, "JSONC"),

        // Types
        // Scripts/checks/generate-types generates Swift from the tables in Data.
        library(.types, "UniformTypes", exclude: ["Data"]),
        library(.types, "PasteboardModel", ["UniformTypes"]),
        library(.types, "TypeDatabase", ["JSONC", "LinuxSystem", "UniformTypes", "UserFiles", system]),
        library(.types, "Configuration", ["JSONC", "UniformTypes", "UserFiles"]),

        // Text
        library(.text, "Formats"),
        library(.text, "RichText", ["Formats"]),
        library(.text, "AttributedText", ["RichText"]),
        library(.text, "TextSearch", ["CLinux"]),

        // Client
        .target(
            name: "CVersion", path: Layer.client.path(of: "CVersion"),
            cSettings: Context.environment["XPB_COMMIT"].map { [.define("XPB_COMMIT", to: "\"\($0)\"")] } ?? []),
        // Scripts/checks/generate-wire generates Swift from the interface.
        library(
            .client, "PasteboardWire", ["CVersion", "LinuxSystem", system], embedding: ["org.xpb.Pasteboard.varlink"]),
        library(.client, "BridgeClient", ["LinuxSystem", "PasteboardModel", "PasteboardWire", system]),
        library(.client, "FastPath", ["LinuxSystem", system]),
        library(.client, "PasteboardSharing", ["PasteboardModel"]),
        library(
            .client, "Links",
            [
                "BridgeClient", "EventLoop", "LinuxSystem", "PasteboardModel", "PasteboardSharing", "PasteboardWire",
                system,
            ], settings: loopSettings),

        // X11
        cLibrary(
            .x11, "CX11", package: "x11 xfixes xres", debian: ["libx11-dev", "libxfixes-dev", "libxres-dev"]),
        .target(name: "CX11Output", path: Layer.x11.path(of: "CX11Output")),
        library(.x11, "SelectionProtocol"),
        library(.x11, "X11Display", ["CX11", "CX11Output", "SelectionProtocol", "LinuxSystem", system]),
        library(
            .x11, "X11Bridge",
            ["Configuration", "EventLoop", "LinuxSystem", "SelectionProtocol", "X11Display", system],
            settings: loopSettings),

        // Wayland
        // Scripts/checks/generate-wayland generates Swift from the definitions in Protocols.
        library(.wayland, "WaylandWire", exclude: ["Protocols"]),
        library(.wayland, "DataControlProtocol", ["WaylandWire"]),
        library(.wayland, "MutterProtocol", ["DataControlProtocol", "UniformTypes"]),
        library(
            .wayland, "WaylandBridge",
            [
                "DataControlProtocol", "EventLoop", "LinuxSystem", "MutterProtocol", "SessionBus", "WaylandWire",
                system,
            ], settings: loopSettings),

        // Bridge
        library(.bridge, "SelectionCrossing", ["DataControlProtocol", "SelectionProtocol"]),
        library(
            .bridge, "FormatConversion",
            ["EventLoop", "Formats", "LinuxSystem", "PasteboardModel", "RichText", "UniformTypes", logging, system],
            settings: loopSettings),
        // gdk-pixbuf is loaded by the process that converts a picture.
        cLibrary(.bridge, "CPixbuf"),
        library(.bridge, "PictureConversion", ["CPixbuf", "Formats", "LinuxSystem", "UniformTypes", system]),
        cLibrary(.bridge, "CSQLite", package: "sqlite3", debian: ["libsqlite3-dev"]),
        // PCRE2 is loaded when it is needed.
        cLibrary(.bridge, "CPCRE2"),
        library(
            .bridge, "PasteboardStore",
            ["CSQLite", "CLinux", "CPCRE2", "UniformTypes", "PasteboardModel", "LinuxSystem", "TextSearch", system]),
        library(
            .bridge, "BridgeState",
            [
                "Configuration", "DataControlProtocol", "EventLoop", "FormatConversion", "Formats", "LinuxSystem",
                "PasteboardModel", "PasteboardStore", "PasteboardWire", "PictureConversion", "SelectionProtocol",
                "TypeDatabase",
                "UniformTypes", "UserFiles", "WaylandBridge", "X11Bridge", "X11Display", logging, system,
            ], settings: loopSettings),
        library(
            .bridge, "BridgeServer",
            [
                "Configuration", "EventLoop", "LinuxSystem", "PasteboardWire", "SelectionProtocol", "X11Bridge",
                logging,
                system,
            ], settings: loopSettings),
        library(
            .bridge, "Bridge",
            [
                "BridgeServer", "BridgeState", "Configuration", "DataControlProtocol", "EventLoop", "FormatConversion",
                "Formats",
                "LinuxSystem",
                "PasteboardModel", "PasteboardStore", "PasteboardWire", "SelectionCrossing", "SelectionProtocol",
                "SessionBus", "TextSearch", "TypeDatabase", "UniformTypes", "UserFiles", "WaylandBridge", "WaylandWire",
                "X11Bridge", "X11Display", logging, system,
            ], settings: loopSettings),
        program(
            .bridge, "xpbd",
            [
                "Bridge", "BridgeServer", "LinuxSystem", "PasteboardWire", "PictureConversion", argumentParser, logging,
                system,
            ], linking: "XPB_LINK_XPBD"),

        // Library
        library(
            .library, "Pasteboard",
            [
                "BridgeClient", "EventLoop", "Formats", "LinuxSystem", "PasteboardModel", "PasteboardWire",
                "UniformTypes", system,
            ]),
        library(.library, "PasteboardAttributedText", ["Pasteboard", "AttributedText", "UniformTypes"]),
        library(
            .library, "PasteboardEmbedded",
            ["Pasteboard", "Bridge", "BridgeServer", "PasteboardWire", "LinuxSystem", logging, system]),

        // Editing
        library(.editing, "Undo"),
        library(.editing, "Editing", ["Pasteboard", "Undo"]),
        library(.editing, "ApplePasteboards", ["Pasteboard", "Undo", "UniformTypes"]),

        // Command
        library(.command, "Terminal", ["LinuxSystem", system]),
        library(
            .command, "CommandCore",
            [
                "BridgeClient", "Configuration", "FastPath", "LinuxSystem", "PasteboardModel", "PasteboardWire",
                "Terminal",
                "TypeDatabase", "UniformTypes", argumentParser, system,
            ]),
        library(
            .command, "HistoryTransfer",
            [
                "BridgeClient", "CommandCore", "Formats", "LinuxSystem", "PasteboardModel", "PasteboardWire",
                "UniformTypes", argumentParser, system,
            ]),
        library(
            .command, "Pasting", ["BridgeClient", "CommandCore", "LinuxSystem", "WaylandWire", argumentParser, system]),
        library(
            .command, "Commands",
            [
                "BridgeClient", "CommandCore", "Configuration", "FastPath", "Formats", "HistoryTransfer", "Links",
                "LinuxSystem",
                "PasteboardModel", "PasteboardWire", "Pasting", "Terminal", "TypeDatabase", "UniformTypes", "UserFiles",
                argumentParser, system,
            ]),
        library(
            .command, "Doctor",
            [
                "BridgeClient", "CommandCore", "Configuration", "LinuxSystem", "PasteboardWire", "TypeDatabase",
                "UserFiles", argumentParser, system,
            ]),
        library(
            .command, "DropIns",
            [
                "BridgeClient", "CommandCore", "Commands", "FastPath", "LinuxSystem", "PasteboardModel",
                "PasteboardWire", "UniformTypes", system,
            ]),
        library(
            .command, "Pick",
            [
                "BridgeClient", "CommandCore", "Commands", "LinuxSystem", "PasteboardWire", "Pasting", "Terminal",
                "TextSearch",
                "UniformTypes", argumentParser, system,
            ]),
        program(
            .command, "XPBCommand",
            [
                "BridgeClient", "CommandCore", "Commands", "Configuration", "Doctor", "DropIns", "FastPath",
                "LinuxSystem", "PasteboardWire", "Pasting", "Pick", argumentParser, system,
            ], linking: "XPB_LINK_XPB"),

        // Tests
        tests("UndoTests", ["Undo", "TestRandom"]),
        tests("SelectionProtocolTests", ["SelectionProtocol"]),
        tests("SelectionCrossingTests", ["DataControlProtocol", "SelectionCrossing", "SelectionProtocol"]),
        tests("WaylandWireTests", ["WaylandWire"]),
        tests(
            "DataControlProtocolTests", ["DataControlProtocol", "LinuxSystem", "WaylandWire", system],
            resources: ["Sessions"]),
        tests("MutterProtocolTests", ["DataControlProtocol", "MutterProtocol"]),
        tests("X11DisplayTests", ["X11Display", "CX11", "SelectionProtocol", "TestSupport", "TestRandom"]),
        // A simulated compositor for tests.
        .target(
            name: "CompositorFixture",
            dependencies: ["DataControlProtocol", "EventLoop", "LinuxSystem", "WaylandWire", system],
            path: "Tests/CompositorFixture", swiftSettings: settings),
        .executableTarget(
            name: "CompositorHost",
            dependencies: [
                "CompositorFixture", "DataControlProtocol", "EventLoop", "LinuxSystem", "WaylandWire", system,
            ],
            path: "Tests/CompositorHost", swiftSettings: settings),
        tests(
            "WaylandBridgeTests",
            [
                "CompositorFixture", "DataControlProtocol", "EventLoop", "LinuxSystem", "SessionBus", "TestSupport",
                "WaylandBridge", "WaylandWire", system,
            ]),
        tests(
            "FormatConversionTests",
            ["EventLoop", "FormatConversion", "LinuxSystem", "UniformTypes", logging]),
        tests(
            "X11BridgeTests",
            [
                "Configuration", "EventLoop", "LinuxSystem", "Machines", "SelectionProtocol", "TestRandom",
                "TestSupport", "X11Bridge", "X11Display", system,
            ]),
        tests(
            "BridgeServerTests",
            [
                "BridgeServer", "Configuration", "LinuxSystem", "PasteboardWire", "TestSupport", "X11Bridge", system,
            ]),
        tests(
            "BridgeTests",
            [
                "Bridge", "BridgeServer", "BridgeState", "Configuration", "EventLoop", "FormatConversion",
                "LinuxSystem",
                "PasteboardModel",
                "PasteboardStore", "PasteboardWire", "SelectionProtocol", "TestRandom", "TestSupport", "UniformTypes",
                "X11Bridge", "X11Display", logging, system,
            ]),
        tests("PictureConversionTests", ["PictureConversion", "UniformTypes"]),
        tests("xpbdTests", ["xpbd"]),
        tests("LinuxSystemTests", ["LinuxSystem", "CLinux", "CTestLinux", "TestRandom", "TestSupport", system]),
        tests("JSONCTests", ["JSONC", "TestRandom"]),
        tests("UserFilesTests", ["UserFiles"]),
        tests("ConfigurationTests", ["Configuration", "TestRandom", "UniformTypes", "UserFiles"]),
        tests(
            "TypeDatabaseTests",
            ["JSONC", "LinuxSystem", "TestRandom", "TypeDatabase", "UniformTypes", "UserFiles", system]),
        tests("EventLoopTests", ["EventLoop", "LinuxSystem", system]),
        tests("PasteboardWireTests", ["PasteboardWire", "LinuxSystem", system]),
        tests("UniformTypesTests", ["UniformTypes", "TestRandom"]),
        tests("FormatsTests", ["Formats", "TestRandom"]),
        tests("TextSearchTests", ["TextSearch", "TestRandom"]),
        tests(
            "RichTextTests", ["RichText", "Formats", "TestRandom", "TestSupport"], resources: ["oracles.py"]),
        tests("AttributedTextTests", ["AttributedText"]),
        tests("PasteboardModelTests", ["PasteboardModel", "UniformTypes", "TestRandom"]),
        tests(
            "LinksTests",
            ["BridgeClient", "BridgeFixture", "EventLoop", "Links", "LinuxSystem", "PasteboardWire", system]),
        tests("PasteboardSharingTests", ["Machines", "PasteboardModel", "PasteboardSharing", "TestRandom"]),
        tests(
            "PasteboardStoreTests",
            [
                "PasteboardStore", "PasteboardModel", "LinuxSystem", "TextSearch", "UniformTypes", "TestSupport",
                "TestRandom", "StoreWriter", system,
            ]),
        // A program that the store's tests kill, or run with a full disk.
        .executableTarget(
            name: "StoreWriter", dependencies: ["PasteboardStore", "PasteboardModel", "LinuxSystem", "UniformTypes"],
            path: "Tests/StoreWriter", swiftSettings: settings),
        // A simulated bridge for tests, which answers on a bridge's socket.
        .target(
            name: "BridgeFixture", dependencies: ["EventLoop", "LinuxSystem", "PasteboardWire", system],
            path: "Tests/BridgeFixture", swiftSettings: settings),
        tests(
            "BridgeClientTests",
            ["BridgeClient", "BridgeFixture", "LinuxSystem", "PasteboardWire", "TestSupport", system]),
        tests(
            "PasteboardTests",
            [
                "AttributedText", "BridgeClient", "BridgeFixture", "EventLoop", "Formats", "LibraryPeer", "LinuxSystem",
                "Pasteboard", "PasteboardAttributedText", "PasteboardModel", "PasteboardWire", "TestSupport",
                "UniformTypes", system,
            ]),
        // A program with a window and an event loop of its own, for the tests.
        .executableTarget(
            name: "WindowHost", dependencies: ["CX11", "Pasteboard"], path: "Tests/WindowHost", swiftSettings: settings),
        // Another program that uses the library, for the tests.
        .executableTarget(
            name: "LibraryPeer", dependencies: ["Pasteboard", "UniformTypes"], path: "Tests/LibraryPeer",
            swiftSettings: settings),
        tests(
            "EditingTests",
            [
                "BridgeFixture", "Editing", "LinuxSystem", "Pasteboard", "PasteboardWire", "TestSupport", "Undo",
                system,
            ]),
        // A program as it is written for the Mac, apart from its import.
        .executableTarget(
            name: "MacSample", dependencies: ["ApplePasteboards"], path: "Tests/MacSample", swiftSettings: settings),
        // A program that the tests of ApplePasteboards control.
        .executableTarget(
            name: "AppleHost", dependencies: ["ApplePasteboards"], path: "Tests/AppleHost", swiftSettings: settings),
        tests("ApplePasteboardsTests", ["ApplePasteboards", "CopyingSupport", "TestSupport"]),
        tests("PastingTests", ["CommandCore", "LinuxSystem", "Pasting", "TestRandom", "WaylandWire", system]),
        tests("TerminalTests", ["LinuxSystem", "Terminal", "TestRandom"]),
        tests("FastPathTests", ["FastPath", "LinuxSystem", "PasteboardWire", "TestRandom", system]),
        tests(
            "XPBCommandTests",
            [
                "XPBCommand", "CommandCore", "Commands", "Doctor", "DropIns", "HistoryTransfer", "Pick", "FastPath",
                "Terminal",
                "TestRandom", "Formats", "BridgeClient", "PasteboardModel",
                "PasteboardWire", "EventLoop", "LinuxSystem", "TypeDatabase", "UniformTypes", system, argumentParser,
            ]),
        .executableTarget(
            name: "EmbeddedHost", dependencies: ["PasteboardEmbedded", "UniformTypes", "CX11"],
            path: "Tests/EmbeddedHost",
            swiftSettings: settings),
        .executableTarget(
            name: "PasteboardAlone", dependencies: ["Pasteboard"], path: "Tests/PasteboardAlone",
            swiftSettings: settings),
        tests("PasteboardEmbeddedTests", ["LinuxSystem", "TestSupport"]),
        example("clipboard-log", ["Pasteboard"]),
        example("line-editor", ["Pasteboard", "Undo"]),
        example("copy-note", ["Pasteboard", "UniformTypes"]),
        example("paste-note", ["Pasteboard", "UniformTypes"]),
        .executableTarget(
            name: "DocumentationHost", dependencies: ["PasteboardEmbedded"], path: "Tests/DocumentationHost",
            swiftSettings: settings),
        tests(
            "DocumentationTests",
            [
                "ApplePasteboards", "AttributedText", "Editing", "LinuxSystem", "Pasteboard",
                "PasteboardAttributedText", "PasteboardWire",
                "TestSupport", "Undo", "UniformTypes", system,
            ]),
        .systemLibrary(name: "CFuzzer", path: "Tests/CFuzzer"),
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "CFuzzer", "Configuration", "DataControlProtocol", "Formats", "RichText", "UniformTypes", "UserFiles",
                "Terminal", "TypeDatabase", "PasteboardModel", "LinuxSystem", "PasteboardWire", "WaylandWire", system,
            ],
            path: "Tests/Fuzz", exclude: ["Corpus"], swiftSettings: settings),
        tests("FuzzTests", ["Fuzz", "LinuxSystem"]),
        // A program that performs random operations on the state machines.
        .executableTarget(
            name: "Machines",
            dependencies: [
                "DataControlProtocol", "LinuxSystem", "MutterProtocol", "PasteboardModel", "PasteboardSharing",
                "PasteboardWire", "SelectionCrossing", "SelectionProtocol", "TestRandom", "WaylandWire", system,
            ],
            path: "Tests/Machines", exclude: ["Found"], swiftSettings: settings),
        tests(
            "MachinesTests",
            [
                "DataControlProtocol", "LinuxSystem", "Machines", "MutterProtocol", "PasteboardModel",
                "PasteboardSharing", "SelectionCrossing", "SelectionProtocol", "TestRandom", "WaylandWire", system,
            ]),
        .systemLibrary(name: "CTestLinux", path: "Tests/CTestLinux"),
        .target(name: "TestRandom", path: "Tests/TestRandom", swiftSettings: settings),
        .target(
            name: "TestSupport", dependencies: ["CTestLinux", "TestRandom", subprocess, system],
            path: "Tests/TestSupport",
            swiftSettings: settings),
        .target(
            name: "CopyingSupport", dependencies: ["TestSupport"], path: "Tests/CopyingSupport", swiftSettings: settings
        ),
        tests("TestSupportTests", ["TestSupport"]),
        tests("IntegrationTests", ["CopyingSupport", "Terminal", "TestSupport", "TestRandom"]),
        tests("ConformanceTests", ["CopyingSupport", "TestSupport", "TestRandom"], resources: ["Mutations"]),
        tests("PeerTests", ["TestSupport", system]),
    ]
)
