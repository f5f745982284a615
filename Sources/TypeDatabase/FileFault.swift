/// What is wrong in a file that a user writes, or in a variable of the environment.
package struct FileFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// Its path, or the variable's name.
    package let file: String
    /// Counted from 1; nil where it is about the file as a whole.
    package let line: Int?
    /// Without a full stop.
    package let message: String

    init(file: String, line: Int?, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    package var description: String {
        line.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)"
    }
}
