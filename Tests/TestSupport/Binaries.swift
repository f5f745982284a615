import FoundationEssentials

/// The paths of the programs under test.
package enum Binaries {
    /// The folder of `xpb` and `xpbd`: `XPB_BINARIES`, or the folder of the running test bundle.
    package static let folder: String =
        ProcessInfo.processInfo.environment["XPB_BINARIES"] ?? built

    /// The folder of the running test bundle, and of all programs of the debug build, including those of the tests.
    package static let built: String = {
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "."
        return ancestor(of: bundle, levels: 1)
    }()

    /// True if the programs were built for a sanitizer (Scripts/checks/sanitize).
    package static let areSanitized = ProcessInfo.processInfo.environment["XPB_SANITIZER"] != nil

    /// The root folder of the package.
    package static let package: String = ancestor(of: #filePath, levels: 3)

    /// Returns the path of a file in Tests/Fixtures.
    package static func fixture(_ name: String) -> String { "\(package)/Tests/Fixtures/\(name)" }

    /// The environment of every program run by a test: `PATH` with the programs under test first, and no variable that
    /// refers to a display or a bridge of the user.
    package static let baseEnvironment: [String: String] = {
        let own = ProcessInfo.processInfo.environment
        var environment = ["PATH": "\(folder):\(own["PATH"] ?? "/usr/bin:/bin")", "LC_ALL": "C.UTF-8"]
        for name in ["LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"] {
            environment[name] = own[name]
        }
        return environment
    }()

    private static func ancestor(of path: String, levels: Int) -> String {
        path.split(separator: "/").dropLast(levels).reduce(into: "") { $0 += "/\($1)" }
    }
}
