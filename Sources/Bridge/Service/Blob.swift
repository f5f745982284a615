import LinuxSystem

/// What representations are ranges of.
enum Blob {
    case file(MemoryFile)
    /// What its client gives when it is wanted.
    case promise(Promise)

    /// The file, if it is there.
    var file: MemoryFile? {
        switch self {
        case .file(let file): file
        case .promise(let promise): promise.bytes?.file
        }
    }

    var promise: Promise? {
        if case .promise(let promise) = self { promise } else { nil }
    }
}
