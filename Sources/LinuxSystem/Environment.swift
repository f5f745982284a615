import Glibc

/// The process's environment.
package enum Environment {
    /// Sets a variable, byte for byte: see ``LosslessText``. No other thread may be reading the environment: getenv(3)
    /// has no lock.
    package static func set(_ name: String, to value: String) {
        let characters = LosslessText.bytes(of: value).map { CChar(bitPattern: $0) } + [0]
        unsafe setenv(name, characters, 1)
    }
}
