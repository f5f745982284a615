import UniformTypes

/// The bytes are a name of a type in every way in which there are any, and the payload of a dynamic identifier.
func checkTypes(_ bytes: [UInt8]) throws(BrokenInvariant) {
    let text = String(decoding: bytes, as: UTF8.self)
    let mime = UniformType(mimeType: text)
    let ending = UniformType(filenameExtension: text)
    if let type = UniformType(text) {
        try expect(type.identifier.utf8.elementsEqual(text.utf8), "an identifier stays as it is")
    }
    for type in [UniformType(text), mime, ending].compactMap(\.self) {
        try expect(UniformType(type.identifier) == type, "an identifier is read again")
        let ancestors = type.supertypes
        try expect(Set(ancestors).count == ancestors.count && !ancestors.contains(type), "an ancestor is there once")
        try expect(ancestors.allSatisfy { type.conforms(to: $0) }, "a type conforms to its ancestors")
        try expect(!X11Targets.names(for: type, given: nil, exact: false).isEmpty, "a type has a name")
    }
    if let ending {
        try expect(ending.preferredFilenameExtension != nil, "an extension leads to a type that has one, not \(ending)")
    }
    if let mime, mime.isDynamic { try expect(mime.preferredMIMEType != nil, "a dynamic type keeps its MIME type") }
    try checkTarget(text)
    try checkDynamic(text)
    try checkDynamic("dyn.a" + base32(bytes))
}

/// Every target leads to a type, and with it back to the very same name.
private func checkTarget(_ target: String) throws(BrokenInvariant) {
    guard target.utf8.count <= 1024, !X11Targets.isProtocolTarget(target) else { return }
    let type = UniformType(target: target)
    let names = X11Targets.names(for: type, given: target, exact: false)
    try expect(names.contains { $0.utf8.elementsEqual(target.utf8) }, "a target is among its type's names")
    try expect(UniformType(type.identifier) == type, "a target's identifier is read again")
    guard type.isDynamic else { return }
    let own = X11Targets.names(for: type, given: nil, exact: false)
    try expect(own.count == 1 && own[0].utf8.elementsEqual(target.utf8), "a dynamic type has its target's name alone")
}

private func checkDynamic(_ identifier: String) throws(BrokenInvariant) {
    guard let dynamic = DynamicType(identifier: identifier) else { return }
    try expect(!dynamic.tags.isEmpty, "a dynamic type has a tag")
    // Written again it may have escapes that it did not need, and too many bytes with them.
    guard dynamic.identifier.utf8.count <= identifier.utf8.count else { return }
    try expect(DynamicType(identifier: dynamic.identifier) == dynamic, "a dynamic identifier comes back")
}

private func base32(_ bytes: [UInt8]) -> String {
    let alphabet = Array("abcdefghkmnpqrstuvwxyz0123456789".utf8)
    let bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - UInt8($0)) & 1 } }
    let digits = stride(from: 0, to: bits.count, by: 5).map { start in
        (start..<start + 5).reduce(0) { $0 << 1 | Int($1 < bits.count ? bits[$1] : 0) }
    }
    return String(decoding: digits.map { alphabet[$0] }, as: UTF8.self)
}
