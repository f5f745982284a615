/// Names of elements that are asked for by name.
enum HTMLNames {
    static let a = HTMLName("a")
    static let br = HTMLName("br")
    static let meta = HTMLName("meta")
    static let p = HTMLName("p")
    static let plaintext = HTMLName("plaintext")
    static let tr = HTMLName("tr")
}
