import FormatConversion
import LinuxSystem

/// What representations are ranges of.
enum Backing {
    case file(MemoryFile)
    /// Of contents that are concealed all are such.
    case secret(SecretMemory)
    /// What its client gives when it is wanted.
    case promise(Promise)

    /// The file, if it is there and is one.
    var file: MemoryFile? { held?.file }

    /// The bytes, if they are there.
    var held: HeldBytes? {
        switch self {
        case .file(let file): .file(file)
        case .secret(let secret): .secret(secret)
        case .promise(let promise): promise.bytes.map { .file($0.file) }
        }
    }

    var promise: Promise? {
        if case .promise(let promise) = self { promise } else { nil }
    }
}
