// swift-tools-version: 6.3

import PackageDescription

/// The settings of the targets: Swift 6 language mode, strict memory safety, warnings as errors.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

let pasteboard = Target.Dependency.product(name: "Pasteboard", package: "xpb")
let attributedText = Target.Dependency.product(name: "AttributedText", package: "xpb")
let editing = Target.Dependency.product(name: "Editing", package: "xpb")
let types = Target.Dependency.product(name: "UniformTypes", package: "xpb")
let undo = Target.Dependency.product(name: "Undo", package: "xpb")

// Each target imports only the targets listed above it.
let package = Package(
    name: "xpb-board",
    products: [
        .executable(name: "xpb-board", targets: ["xpb-board"]),
        .library(name: "EditingGTK", targets: ["EditingGTK"]),
    ],
    dependencies: [.package(name: "xpb", path: "../..")],
    targets: [
        .systemLibrary(name: "CGtk", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
        .target(name: "EditingGTK", dependencies: ["CGtk", editing, pasteboard, undo], swiftSettings: settings),
        // The code that needs no display: tiles, their document, and the merging of changes.
        .target(name: "BoardModel", dependencies: [attributedText, pasteboard, types, undo], swiftSettings: settings),
        .executableTarget(
            name: "xpb-board", dependencies: ["BoardModel", "EditingGTK", editing, pasteboard, types, undo],
            swiftSettings: settings),
        .testTarget(
            name: "BoardModelTests", dependencies: ["BoardModel", pasteboard, undo], swiftSettings: settings),
    ]
)
