import LinuxSystem
import SystemPackage

/// A fuzz target: a parser of untrusted bytes, with the invariants that hold for any input.
package struct FuzzTarget: Sendable {
    package let name: String
    /// Parses an input, and throws if an invariant does not hold.
    package let check: @Sendable ([UInt8]) throws(BrokenInvariant) -> Void

    /// All targets. Each target has a folder with its name in `Corpus`.
    package static let all = [
        FuzzTarget(name: "color", check: checkColor),
        FuzzTarget(name: "config-json", check: checkConfiguration),
        FuzzTarget(name: "copied-files", check: checkCopiedFiles),
        FuzzTarget(name: "display-name", check: checkDisplayName),
        FuzzTarget(name: "dynamic", check: checkTypes),
        FuzzTarget(name: "html", check: checkHTML),
        FuzzTarget(name: "image-size", check: checkImageSize),
        FuzzTarget(name: "items", check: checkItemArchive),
        FuzzTarget(name: "moz-url", check: checkMozURL),
        FuzzTarget(name: "png", check: checkPNG),
        FuzzTarget(name: "rtf", check: checkRTF),
        FuzzTarget(name: "terminal", check: checkTerminal),
        FuzzTarget(name: "text-encoding", check: checkTextEncoding),
        FuzzTarget(name: "types-json", check: checkTypeDeclarations),
        FuzzTarget(name: "uri-list", check: checkURIList),
        FuzzTarget(name: "wayland", check: checkWayland),
        FuzzTarget(name: "wire-client", check: checkClient),
        FuzzTarget(name: "wire-framing", check: checkFraming),
        FuzzTarget(name: "wire-server", check: checkServer),
    ]

    package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// An error for an input that breaks an invariant.
package struct BrokenInvariant: Error, CustomStringConvertible {
    /// The invariant.
    package let description: String
}

/// Throws if an invariant does not hold.
func expect(_ holds: Bool, _ invariant: @autoclosure () -> String) throws(BrokenInvariant) {
    guard holds else { throw BrokenInvariant(description: invariant()) }
}

/// The files of the corpus. Each file contains an input.
package enum CorpusFile {
    package static func bytes(at path: String) throws -> [UInt8] {
        let file = Descriptor(adopting: try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec))
        var bytes: [UInt8] = []
        while true {
            let piece = try file.fileDescriptor.readBytes(atMost: 1 << 16)
            if piece.isEmpty { return bytes }
            bytes += piece
        }
    }
}
