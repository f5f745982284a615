/// Something that reads bytes of strangers, with what must hold of it whatever they are.
struct FuzzTarget: Sendable {
    let name: String
    let check: @Sendable ([UInt8]) throws(BrokenInvariant) -> Void

    /// Each has a folder of its name in `Corpus`.
    static let all = [
        FuzzTarget(name: "color", check: checkColor),
        FuzzTarget(name: "config-json", check: checkConfiguration),
        FuzzTarget(name: "copied-files", check: checkCopiedFiles),
        FuzzTarget(name: "display-name", check: checkDisplayName),
        FuzzTarget(name: "dynamic", check: checkTypes),
        FuzzTarget(name: "html", check: checkHTML),
        FuzzTarget(name: "image-size", check: checkImageSize),
        FuzzTarget(name: "items", check: checkItemArchive),
        FuzzTarget(name: "moz-url", check: checkMozURL),
        FuzzTarget(name: "rtf", check: checkRTF),
        FuzzTarget(name: "text-encoding", check: checkTextEncoding),
        FuzzTarget(name: "types-json", check: checkTypeDeclarations),
        FuzzTarget(name: "uri-list", check: checkURIList),
        FuzzTarget(name: "wire-client", check: checkClient),
        FuzzTarget(name: "wire-framing", check: checkFraming),
        FuzzTarget(name: "wire-server", check: checkServer),
    ]

    static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// Some bytes lead to what must never be.
struct BrokenInvariant: Error, CustomStringConvertible {
    /// What should hold.
    let description: String
}

func expect(_ holds: Bool, _ invariant: @autoclosure () -> String) throws(BrokenInvariant) {
    guard holds else { throw BrokenInvariant(description: invariant()) }
}
