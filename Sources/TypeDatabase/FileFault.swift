/// What is wrong in a file that a user writes, or in a variable of the environment.
package struct FileFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// Its path, or the variable's name.
    package let file: String
    /// Counted from 1; nil where it is about the file as a whole.
    package let line: Int?
    /// Without a full stop.
    package let message: String
    /// Of a setting: its key, or what stands in place of one; nil where it is about more than that.
    package let key: String?

    init(file: String, line: Int?, message: String, key: String? = nil) {
        self.file = file
        self.line = line
        self.message = message
        self.key = key
    }

    package var description: String {
        line.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)"
    }
}
