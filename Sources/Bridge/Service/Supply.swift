/// Where the bytes of a representation come from.
enum Supply {
    case held(Material)
    case promised(Promise, target: String?)

    /// The bytes, if they are there.
    var material: Material? {
        switch self {
        case .held(let material): material
        case .promised(let promise, let target):
            promise.bytes.map { Material($0.file, $0.range, target: target) }
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
                finish(result.map { Material($0.file, $0.range, target: target) })
            }
        }
    }
}
