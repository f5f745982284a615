/// The marks of nspasteboard.org: representations whose presence says something about the contents.
extension UniformType {
    /// The contents are a secret.
    package static let concealed = UniformType(unchecked: "org.nspasteboard.ConcealedType")
}
