/// Names of elements that are asked for by name.
enum HTMLNames {
    static let a = MarkupName("a")
    static let br = MarkupName("br")
    static let meta = MarkupName("meta")
    static let p = MarkupName("p")
    static let plaintext = MarkupName("plaintext")
    static let tr = MarkupName("tr")
}
