import CVersion

/// The version of `xpb` and `xpbd`.
package enum ProgramVersion {
    /// The number of the release, as `Status` reports it.
    package static let number = "0.1.0"

    /// The number with the name of the commit, as `--version` writes it: `0.1.0 (1a2b3c4d)`. A program that was not
    /// built by Scripts/build has only the number.
    package static var text: String {
        let commit = unsafe String(cString: xpb_commit())
        return commit.isEmpty ? number : "\(number) (\(commit))"
    }
}
