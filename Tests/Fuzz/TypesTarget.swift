import UniformTypes

/// Checks the bytes as a name of every kind that a type can have, and as the payload of a dynamic identifier.
func checkTypes(_ bytes: [UInt8]) throws(BrokenInvariant) {
    let text = String(decoding: bytes, as: UTF8.self)
    let mime = UniformType(mimeType: text)
    let ending = UniformType(filenameExtension: text)
    if let type = UniformType(text) {
        try expect(type.identifier.utf8.elementsEqual(text.utf8), "the spelling of an identifier is kept")
    }
    for type in [UniformType(text), mime, ending].compactMap(\.self) {
        try expect(UniformType(type.identifier) == type, "a type is restored from its identifier")
        let ancestors = type.supertypes
        try expect(Set(ancestors).count == ancestors.count && !ancestors.contains(type), "supertypes are listed once")
        try expect(ancestors.allSatisfy { type.conforms(to: $0) }, "a type conforms to its supertypes")
        try expect(!X11Targets.names(for: type, given: nil, exact: false).isEmpty, "a type is offered under a target")
    }
    if let ending {
        try expect(
            ending.preferredFilenameExtension != nil, "the type of an extension has an extension, unlike \(ending)")
    }
    if let mime, mime.isDynamic { try expect(mime.preferredMIMEType != nil, "a dynamic type keeps its MIME type") }
    try checkTarget(text)
    try checkDynamic(text)
    try checkDynamic("dyn.a" + base32(bytes))
}

/// Checks that the target has a type, and that the type's names include exactly the same target.
private func checkTarget(_ target: String) throws(BrokenInvariant) {
    guard target.utf8.count <= 1024, !X11Targets.isProtocolTarget(target) else { return }
    let type = UniformType(target: target)
    let names = X11Targets.names(for: type, given: target, exact: false)
    try expect(names.contains { $0.utf8.elementsEqual(target.utf8) }, "a target is among the names of its type")
    try expect(UniformType(type.identifier) == type, "the type of a target is restored from its identifier")
    guard type.isDynamic else { return }
    let own = X11Targets.names(for: type, given: nil, exact: false)
    try expect(
        own.count == 1 && own[0].utf8.elementsEqual(target.utf8), "a dynamic type is offered only under its target")
}

private func checkDynamic(_ identifier: String) throws(BrokenInvariant) {
    guard let dynamic = DynamicType(identifier: identifier) else { return }
    try expect(!dynamic.tags.isEmpty, "a dynamic type has a tag")
    // An identifier that is written again may be too long, because it has escapes that were not needed.
    guard dynamic.identifier.utf8.count <= identifier.utf8.count else { return }
    try expect(DynamicType(identifier: dynamic.identifier) == dynamic, "a dynamic identifier is restored")
}

private func base32(_ bytes: [UInt8]) -> String {
    let alphabet = Array("abcdefghkmnpqrstuvwxyz0123456789".utf8)
    let bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - UInt8($0)) & 1 } }
    let digits = stride(from: 0, to: bits.count, by: 5).map { start in
        (start..<start + 5).reduce(0) { $0 << 1 | Int($1 < bits.count ? bits[$1] : 0) }
    }
    return String(decoding: digits.map { alphabet[$0] }, as: UTF8.self)
}
