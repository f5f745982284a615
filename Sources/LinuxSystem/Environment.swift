import Glibc

/// The process's environment.
package enum Environment {
    /// Sets a variable. No other thread may be reading the environment: getenv(3) has no lock.
    package static func set(_ name: String, to value: String) {
        unsafe setenv(name, value, 1)
    }

    /// All variables; of two with one name the first counts, as for getenv(3).
    package static var current: [String: String] {
        var variables: [String: String] = [:]
        var entry = unsafe environ
        while let string = unsafe entry.pointee {
            let text = unsafe String(cString: string)
            if let equals = text.firstIndex(of: "="), variables[String(text[..<equals])] == nil {
                variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            unsafe entry += 1
        }
        return variables
    }
}
