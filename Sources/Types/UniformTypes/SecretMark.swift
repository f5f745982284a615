/// The marks with which programs ask other programs not to keep contents.
package enum SecretMark {
    /// Returns true for a target or MIME type, in any known spelling, that marks the contents as secret or transient.
    package static func isMark(_ target: String) -> Bool {
        let type = UniformType(target: target)
        let name = target.lowercased()
        return type == .concealed || type == .transient || name.contains("passwordmanagerhint")
            || name.contains("nspasteboard.concealed") || name.contains("nspasteboard.transient")
    }
}
