// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "sdl-paste",
    dependencies: [.package(name: "xpb", path: "../..")],
    targets: [
        .systemLibrary(name: "CSDL2", pkgConfig: "sdl2", providers: [.apt(["libsdl2-dev"])]),
        .executableTarget(
            name: "sdl-paste", dependencies: ["CSDL2", .product(name: "Pasteboard", package: "xpb")],
            swiftSettings: [.enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error)]),
    ]
)
