/// Where the bytes of a representation come from.
enum RepresentationSource {
    case held(EncodedBytes)
    case promised(Promise, target: String?)

    /// The bytes, if they are there.
    var material: EncodedBytes? {
        switch self {
        case .held(let material): material
        case .promised(let promise, let target):
            promise.bytes.map { EncodedBytes($0.file, $0.range, target: target) }
        }
    }

    /// Whether they are promised and not there yet.
    var isAwaited: Bool { material == nil }

    /// Calls `finish` with the bytes, at once or when they come.
    func read(_ finish: @escaping ConversionCache.Finish) {
        switch self {
        case .held(let material): finish(.success(material))
        case .promised(let promise, let target):
            promise.read { result in
                finish(result.map { EncodedBytes($0.file, $0.range, target: target) })
            }
        }
    }
}
