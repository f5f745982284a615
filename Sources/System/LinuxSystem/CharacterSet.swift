import Glibc
package import SystemPackage

/// Decoding of text in older character sets such as `koi8-r`, `shift_jis` and `gb18030` by the C library. See iconv(3).
package enum CharacterSet {
    /// Returns the text as UTF-8.
    ///
    /// - Parameter charset: The name as a MIME type gives it, in upper or lower case: at most 64 ASCII letters, digits
    ///   and `._:+-`. The name comes from untrusted programs, so only the names listed in this file are accepted.
    package static func utf8(from bytes: [UInt8], charset: String) throws(CharacterSetError) -> [UInt8] {
        guard isName(charset) else { throw .malformedName }
        guard let name = libraryName(of: charset) else { throw .unknown(charset) }
        let converter = try Converter(from: name)
        return try converter.convert(bytes)
    }

    private static func isName(_ charset: String) -> Bool {
        1...64 ~= charset.utf8.count
            && charset.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "._:+-".utf8.contains(byte)
                }
            }
    }
}

/// A conversion to UTF-8. The corresponding C type is `iconv_t`.
@safe
private struct Converter: ~Copyable {
    private let handle: iconv_t

    init(from charset: String) throws(CharacterSetError) {
        guard let handle = unsafe iconv_open("UTF-8", charset),
            unsafe handle != UnsafeMutableRawPointer(bitPattern: -1)
        else {
            let error = Errno(rawValue: errno)
            throw error == .invalidArgument ? .unknown(charset) : .system(error)
        }
        unsafe self.handle = unsafe handle
    }

    deinit {
        unsafe iconv_close(handle)
    }

    borrowing func convert(_ bytes: [UInt8]) throws(CharacterSetError) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var piece = [CChar](repeating: 0, count: 1 << 16)
        var offset = 0
        var isFlushed = false
        while !isFlushed {
            // At the end of the input, a flush yields a character that was held back for a possible combining
            // character.
            isFlushed = offset == bytes.count
            let (consumed, produced, error) = step(bytes[offset...], into: &piece)
            offset += consumed
            text += piece[..<produced].lazy.map(UInt8.init(bitPattern:))
            switch error {
            case nil: continue
            case .argListTooLong? where consumed > 0 || produced > 0: isFlushed = false
            // EILSEQ is an invalid character, EINVAL an incomplete one at the end.
            case .illegalByteSequence?, .invalidArgument?, .argListTooLong?: throw .invalid(offset: offset)
            case let error?: throw .system(error)
            }
        }
        return text
    }

    /// Converts as much as fits into `piece`, or flushes if the input is empty. The corresponding C function is
    /// `iconv`.
    private borrowing func step(
        _ bytes: ArraySlice<UInt8>, into piece: inout [CChar]
    ) -> (consumed: Int, produced: Int, error: Errno?) {
        unsafe bytes.withUnsafeBytes { input in
            unsafe piece.withUnsafeMutableBufferPointer { output in
                // iconv(3) takes a mutable pointer, but does not change the bytes.
                var next = unsafe UnsafeMutablePointer(mutating: input.assumingMemoryBound(to: CChar.self).baseAddress)
                var left = input.count
                var free = output.baseAddress
                var room = output.count
                let result =
                    unsafe left == 0
                    ? iconv(handle, nil, nil, &free, &room) : iconv(handle, &next, &left, &free, &room)
                let error = result == -1 ? Errno(rawValue: errno) : nil
                return (input.count - left, output.count - room, error)
            }
        }
    }
}

/// The reason why text could not be decoded.
package enum CharacterSetError: Error, Equatable, CustomStringConvertible {
    case malformedName
    /// The character set is not listed in this file, or the part of the C library that decodes it is not installed.
    case unknown(String)
    /// The bytes from `offset` (in bytes) are not valid in the character set.
    case invalid(offset: Int)
    /// The system has run out of memory or descriptors.
    case system(Errno)

    package var description: String {
        switch self {
        case .malformedName: "the name of the character set is malformed"
        case .unknown(let name): "the character set \(name) is not known"
        case .invalid(let offset): "the text is damaged at byte \(offset)"
        case .system(let error): "the text cannot be decoded: \(error)"
        }
    }
}

extension CharacterSet {
    /// Returns the C library's name of the character set with the given label, in upper or lower case; nil if the label
    /// is not listed. The list has the encodings and labels of the WHATWG Encoding Standard, and a few more common
    /// labels.
    ///
    /// Other labels are rejected because the C library knows about a thousand names, and some of its rarer decoders
    /// have crashed the process on certain bytes. UTF-8, UTF-16 and windows-1252 are decoded elsewhere.
    static func libraryName(of label: String) -> String? { libraryNames[label.lowercased()] }

    /// Some labels map to a superset of the named character set, because that is what programs write under the label:
    /// EUC-KR as CP949, Shift_JIS as CP932, ISO 8859-9 as windows-1254.
    private static let libraryNames: [String: String] = {
        let sets: [(name: String, labels: String)] = [
            ("IBM866", "ibm866 cp866 866 csibm866"),
            ("ISO-8859-1", "csisolatin1 iso-ir-100 iso_8859-1:1987 cp819 ibm819"),
            ("ISO-8859-2", "csisolatin2 iso-ir-101 iso_8859-2:1987 l2 latin2"),
            ("ISO-8859-3", "csisolatin3 iso-ir-109 iso_8859-3:1988 l3 latin3"),
            ("ISO-8859-4", "csisolatin4 iso-ir-110 iso_8859-4:1988 l4 latin4"),
            ("ISO-8859-5", "csisolatincyrillic cyrillic iso-ir-144 iso_8859-5:1988"),
            (
                "ISO-8859-6",
                "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e iso-8859-6-i iso-ir-127"
                    + " iso_8859-6:1987"
            ),
            ("ISO-8859-7", "csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso_8859-7:1987 sun_eu_greek"),
            (
                "ISO-8859-8",
                "csiso88598e csiso88598i csisolatinhebrew hebrew iso-8859-8-e iso-8859-8-i iso-ir-138 iso_8859-8:1988 "
                    + "logical visual"
            ),
            ("ISO-8859-10", "csisolatin6 iso-ir-157 l6 latin6"), ("ISO-8859-13", "latin7"),
            ("ISO-8859-14", "iso-ir-199 latin8"), ("ISO-8859-15", "csisolatin9 l9 latin9 latin-9"),
            ("ISO-8859-16", "iso-ir-226 latin10"),
            ("KOI8-R", "koi8-r koi8_r koi8 koi cskoi8r"), ("KOI8-U", "koi8-u"), ("KOI8-RU", "koi8-ru"),
            ("MACINTOSH", "macintosh csmacintosh mac x-mac-roman"),
            ("MAC-CYRILLIC", "x-mac-cyrillic x-mac-ukrainian"),
            ("CP874", "windows-874 cp874 dos-874 tis-620 iso-8859-11 iso8859-11 iso885911"),
            ("CP1254", "csisolatin5 iso-8859-9 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 iso-ir-148 l5 latin5"),
            (
                "GBK",
                "gbk x-gbk cp936 windows-936 gb2312 gb_2312 gb_2312-80 csgb2312 csiso58gb231280 chinese iso-ir-58"
                    + " euc-cn"
            ),
            ("GB18030", "gb18030"),
            ("BIG5", "big5 cn-big5 csbig5 x-x-big5 cp950"), ("BIG5-HKSCS", "big5-hkscs"),
            ("EUC-JP-MS", "euc-jp x-euc-jp cseucpkdfmtjapanese"), ("ISO-2022-JP", "iso-2022-jp csiso2022jp"),
            ("CP932", "shift_jis shift-jis sjis x-sjis csshiftjis ms_kanji ms932 cp932 windows-31j windows-932"),
            (
                "UHC",
                "euc-kr cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 cp949"
                    + " uhc windows-949"
            ),
        ]
        var names: [String: String] = [:]
        for (name, labels) in sets {
            for label in labels.split(separator: " ") { names[String(label)] = name }
        }
        for part in [2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16] {
            for label in ["iso-8859-", "iso8859-", "iso8859", "iso_8859-"] {
                names["\(label)\(part)"] = "ISO-8859-\(part)"
            }
        }
        for page in [1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258] {
            for label in ["windows-", "cp", "x-cp"] { names["\(label)\(page)"] = "CP\(page)" }
        }
        return names
    }()
}
