/// The filename extensions of a shared-mime-info database, from its files `globs2`.
///
/// Lines are `WEIGHT:TYPE:PATTERN[:FLAGS[:…]]`. A pattern that is not `*.` and an extension without a dot says nothing
/// of a plain extension: `Makefile`, `*.tar.gz`, `*.so.[0-9]*`.
struct MIMEGlobs: Sendable {
    let typesByExtension: NameTable
    let extensionsByType: NameTable

    private struct Glob {
        let type: ArraySlice<UInt8>
        let filenameExtension: ArraySlice<UInt8>
        let weight: UInt8
    }

    /// - Parameter files: The one that goes before the others first. The heavier pattern wins; of equal ones, that of the
    ///   earlier file, then that of the earlier line.
    init(files: [[UInt8]]) {
        var globs: [Glob] = []
        // Types whose patterns in later files do not count (`__NOGLOBS__`).
        var closed: Set<[UInt8]> = []
        for file in files {
            var closing: [[UInt8]] = []
            MIMELines.forEach(in: file) { line in
                let fields = line.split(separator: UInt8(ascii: ":"), maxSplits: 4, omittingEmptySubsequences: false)
                guard fields.count >= 3, let type = MIMELines.name(fields[1]), !closed.contains(Array(type)) else {
                    return
                }
                if fields[2].elementsEqual("__NOGLOBS__".utf8) {
                    closing.append(Array(type))
                } else if let weight = UInt8(String(decoding: fields[0], as: UTF8.self)),
                    let filenameExtension = Self.filenameExtension(fields[2], flags: fields.dropFirst(3).first)
                {
                    globs.append(Glob(type: type, filenameExtension: filenameExtension, weight: weight))
                }
            }
            closed.formUnion(closing)
        }
        let order = globs.indices.sorted { (globs[$1].weight, $0) < (globs[$0].weight, $1) }
        typesByExtension = NameTable { add in
            for index in order { add(globs[index].filenameExtension, globs[index].type) }
        }
        extensionsByType = NameTable { add in
            for index in order { add(globs[index].type, globs[index].filenameExtension) }
        }
    }

    /// With small letters for `A` to `Z`. A case-sensitive pattern with capitals (`*.C`) means another name than the one in
    /// small letters, so it counts for nothing here.
    private static func filenameExtension(_ pattern: ArraySlice<UInt8>, flags: ArraySlice<UInt8>?) -> ArraySlice<UInt8>?
    {
        guard pattern.starts(with: "*.".utf8), case let name = pattern.dropFirst(2), !name.isEmpty, name.count <= 64,
            !name.contains(where: { $0 < 0x21 || $0 == 0x7F || "*?[]\\./".utf8.contains($0) }),
            String(validating: name, as: UTF8.self) != nil
        else { return nil }
        let small = MIMELines.lowercased(name)
        let isCaseSensitive =
            flags?.split(separator: UInt8(ascii: ",")).contains { $0.elementsEqual("cs".utf8) } ?? false
        return isCaseSensitive && small != name ? nil : small
    }
}
