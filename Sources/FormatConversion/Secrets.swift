import LinuxSystem
import UniformTypes

/// Of a secret nothing is made, since what is made would be another copy: it has the names and types whose bytes are the
/// very same.
extension ConversionStep {
    /// The material as it is, where the step would change nothing in it. It is looked at in place.
    package func keeps(_ materials: [EncodedBytes]) -> EncodedBytes? {
        guard materials.count == 1, let material = materials.first else { return nil }
        let isSame: Bool? =
            switch self {
            case .utf8Text:
                material.isUTF8 ? try? material.held.isUTF8Text(in: material.range) : false
            case .latin1Text, .compoundText:
                try? material.held.allSatisfy(in: material.range, Self.isCommon)
            default: false
            }
        return isSame == true ? material : nil
    }

    /// Whether a character is the same in all encodings of a text's names.
    private static func isCommon(_ byte: UInt8) -> Bool {
        0x20..<0x7F ~= byte || byte == 0x09 || byte == 0x0A
    }
}

extension EncodedBytes {
    /// Whether no other encoding than UTF-8 is told.
    fileprivate var isUTF8: Bool {
        let charset = target.flatMap { UniformType.charset(ofMIMEType: $0) }
        return !isCompoundText && [nil, "utf-8", "utf8", "us-ascii"].contains(charset)
    }
}

extension FormatName {
    /// The same name, if its bytes are those of a representation as it is, or no secret at all.
    package func unchanged(_ present: (Int) -> EncodedBytes?) -> FormatName? {
        if case .made(.constant, _) = recipe { return self }
        return recipe.unchanged(present).map {
            FormatName(name: name, propertyType: propertyType, format: format, recipe: .source($0))
        }
    }
}

extension Derivation {
    /// The source that it does not change.
    fileprivate func unchanged(_ present: (Int) -> EncodedBytes?) -> Int? {
        switch self {
        case .source(let index): return index
        case .made(let step, let parts):
            guard parts.count == 1, let index = parts[0].unchanged(present), let material = present(index)
            else { return nil }
            return step.keeps([material]).map { _ in index }
        }
    }
}
