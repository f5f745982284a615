import Configuration
import TypeDatabase
import UniformTypes
import UserFiles

func checkConfiguration(_ bytes: [UInt8]) throws(BrokenInvariant) {
    let effective = EffectiveConfiguration(bytes, file: "config.json", environment: [:])
    let configuration = effective.configuration
    try expect(configuration.filterTimeout.isFinite && configuration.filterTimeout > 0, "a filter has a timeout")
    try expect(configuration.filterLimit > 0, "a filter has a size limit")
    try expect(configuration.filters.allSatisfy { !$0.command.isEmpty }, "a filter has a command")
    try checkFaults(effective.faults, in: bytes)
}

func checkTypeDeclarations(_ bytes: [UInt8]) throws(BrokenInvariant) {
    let (declarations, faults) = UserTypes.parse(bytes)
    try checkFaults(faults, in: bytes)
    for declaration in declarations {
        try expect(declaration.faults().isEmpty, "a declaration that is used has no faults")
    }
    try expect(
        Set(declarations.map { UniformType($0.identifier) }).count == declarations.count, "each type is declared once")

    let added = TypeDeclaration(identifier: "org.example.fuzz", mimeTypes: ["application/x-fuzz"])
    guard let changed = try? TypesEditor(bytes).setting(added) else { return }
    let before = declarations.filter { UniformType($0.identifier) != UniformType(added.identifier) }
    let after = UserTypes.parse(changed).declarations
    // The spelling of an existing key is kept.
    let isThere = after.contains {
        UniformType($0.identifier) == UniformType(added.identifier) && $0.mimeTypes == added.mimeTypes
    }
    try expect(isThere, "an added declaration is in the file")
    try expect(
        after.filter { UniformType($0.identifier) != UniformType(added.identifier) } == before,
        "the other declarations are unchanged by an addition")
    guard let removed = try? TypesEditor(changed).removing(added.identifier) else {
        throw BrokenInvariant(description: "an added declaration can be removed")
    }
    try expect(UserTypes.parse(removed).declarations == before, "the other declarations are unchanged by a removal")
}

private func checkFaults(_ faults: [FileFault], in bytes: [UInt8]) throws(BrokenInvariant) {
    let lines = bytes.count { $0 == 0x0A || $0 == 0x0D } + 1
    try expect(faults.allSatisfy { ($0.line ?? 1) >= 1 && ($0.line ?? 1) <= lines }, "a fault is on a line of the file")
    try expect(faults.map { $0.line ?? 0 } == faults.map { $0.line ?? 0 }.sorted(), "faults are in the order of lines")
    try expect(faults.allSatisfy { !$0.message.isEmpty }, "a fault has a message")
}
