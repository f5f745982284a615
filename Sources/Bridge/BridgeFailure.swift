/// Why the bridge does not run: a sentence for the user, and the exit status of `cli.md`.
package struct BridgeFailure: Error, CustomStringConvertible {
    package var status: Int32
    package var description: String

    init(_ status: Int32, _ description: String) {
        self.status = status
        self.description = description
    }
}
