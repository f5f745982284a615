import Glibc

/// The process's environment.
package enum Environment {
    /// The bytes of one variable, the first of that name; nil where there is none. See getenv(3).
    package static func bytes(of name: String) -> [UInt8]? {
        guard let text = unsafe getenv(name) else { return nil }
        return unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }

    /// Sets a variable, byte for byte: see ``LosslessText``. No other thread may be reading the environment: getenv(3)
    /// has no lock.
    package static func set(_ name: String, to value: String) {
        let characters = LosslessText.bytes(of: value).map { CChar(bitPattern: $0) } + [0]
        unsafe setenv(name, characters, 1)
    }
}
