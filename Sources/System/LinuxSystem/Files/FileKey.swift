/// File names made from the names of displays.
enum FileKey {
    /// Returns the text with percent-escapes for all bytes but letters, digits and `: . _ -`, and for a leading dot.
    static func escaped(_ text: String) -> String {
        var key = ""
        for byte in text.utf8 {
            let character = Character(Unicode.Scalar(byte))
            let isPlain = character.isASCII && (character.isLetter || character.isNumber || ":._-".contains(character))
            if isPlain && !(key.isEmpty && character == ".") {
                key.append(character)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                key += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return key
    }
}
