// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "gtk-tiles",
    dependencies: [.package(name: "xpb", path: "../.."), .package(name: "xpb-board", path: "../board")],
    targets: [
        .executableTarget(
            name: "gtk-tiles",
            dependencies: [
                .product(name: "EditingGTK", package: "xpb-board"), .product(name: "Editing", package: "xpb"),
                .product(name: "Pasteboard", package: "xpb"), .product(name: "Undo", package: "xpb"),
            ],
            swiftSettings: [.enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error)])
    ]
)
