/// A character set with one byte per character, whose lower half is ASCII. Raw values are the numbers of Windows code
/// pages, which RTF uses.
package enum CodePage: Int, CaseIterable, Sendable {
    case windows1250 = 1250
    case windows1251 = 1251
    case windows1252 = 1252
    case windows1253 = 1253
    case windows1254 = 1254
    case windows1255 = 1255
    case windows1256 = 1256
    case windows1257 = 1257
    case windows1258 = 1258
    case windows874 = 874
    case ibm437 = 437
    case ibm850 = 850
    case macRoman = 10000

    /// The UTF-8 of each of the bytes 128 to 255.
    package var upperUTF8: [[UInt8]] { upperHalf.unicodeScalars.map { Array(String($0).utf8) } }

    /// Decodes bytes to UTF-8.
    package func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let upper = upperUTF8
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 8)
        for byte in bytes {
            if byte < 0x80 { result.append(byte) } else { result += upper[Int(byte & 0x7F)] }
        }
        return result
    }
}

/// Fast decoding of the two most common encodings with one byte per character. Any bytes are valid.
enum SingleByteText {
    static func utf8(fromLatin1 bytes: [UInt8]) -> [UInt8] {
        let span = bytes.span
        var high = 0
        for index in span.indices { high &+= Int(span[index] >> 7) }
        if high == 0 { return bytes }
        return [UInt8](capacity: bytes.count + high) { output in
            for index in span.indices {
                let byte = span[index]
                if byte < 0x80 {
                    output.append(byte)
                } else {
                    output.append(0xC0 | byte >> 6)
                    output.append(0x80 | byte & 0x3F)
                }
            }
        }
    }

    static func utf8(fromWindows1252 bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(where: { $0 & 0xE0 == 0x80 }) else { return utf8(fromLatin1: bytes) }
        let span = bytes.span
        return [UInt8](capacity: bytes.count * 3) { output in
            for index in span.indices {
                let byte = span[index]
                output.append(byte & 0xE0 == 0x80 ? windows1252[Int(byte & 0x1F)] : Unicode.Scalar(byte))
            }
        }
    }

    /// The characters of the bytes 0x80 to 0x9F, in which windows-1252 differs from Latin-1.
    private static let windows1252 = Array(CodePage.windows1252Upper.unicodeScalars.prefix(32))
}

// MARK: Tables

extension CodePage {
    /// The characters of the bytes 128 to 255. Bytes below 160 that a Windows code page leaves undefined are the
    /// control characters with their number, as in HTML; other undefined bytes are U+FFFD.
    private var upperHalf: String {
        switch self {
        case .windows1250: Self.windows1250Upper
        case .windows1251: Self.windows1251Upper
        case .windows1252: Self.windows1252Upper
        case .windows1253: Self.windows1253Upper
        case .windows1254: Self.windows1254Upper
        case .windows1255: Self.windows1255Upper
        case .windows1256: Self.windows1256Upper
        case .windows1257: Self.windows1257Upper
        case .windows1258: Self.windows1258Upper
        case .windows874: Self.windows874Upper
        case .ibm437: Self.ibm437Upper
        case .ibm850: Self.ibm850Upper
        case .macRoman: Self.macRomanUpper
        }
    }

    private static let windows1250Upper = """
        €\u{81}‚\u{83}„…†‡\u{88}‰Š‹ŚŤŽŹ\u{90}‘’“”•–—\u{98}™š›śťžź\u{A0}ˇ˘Ł¤Ą¦§¨©Ş«¬\u{AD}®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľżŔÁÂ\
        ĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙
        """

    private static let windows1251Upper = """
        ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u{98}™љ›њќћџ\u{A0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{AD}®Ї°±Ііґµ¶·ё№є»јЅѕїАБВГДЕЖЗИЙКЛМНОПРСТУФХЦ\
        ЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя
        """

    fileprivate static let windows1252Upper = """
        €\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ\u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂ\
        ÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ
        """

    private static let windows1253Upper = """
        €\u{81}‚ƒ„…†‡\u{88}‰\u{8A}‹\u{8C}\u{8D}\u{8E}\u{8F}\u{90}‘’“”•–—\u{98}™\u{9A}›\u{9C}\u{9D}\u{9E}\u{9F}\
        \u{A0}΅Ά£¤¥¦§¨©\u{FFFD}«¬\u{AD}®―°±²³΄µ¶·ΈΉΊ»Ό½ΎΏΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡ\u{FFFD}ΣΤΥΦΧΨΩΪΫάέήίΰαβγδεζηθικλμν\
        ξοπρςστυφχψωϊϋόύώ\u{FFFD}
        """

    private static let windows1254Upper = """
        €\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}\u{8E}\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}\u{9E}Ÿ\u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸\
        ¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏĞÑÒÓÔÕÖ×ØÙÚÛÜİŞßàáâãäåæçèéêëìíîïğñòóôõö÷øùúûüışÿ
        """

    private static let windows1255Upper = """
        €\u{81}‚ƒ„…†‡ˆ‰\u{8A}‹\u{8C}\u{8D}\u{8E}\u{8F}\u{90}‘’“”•–—˜™\u{9A}›\u{9C}\u{9D}\u{9E}\u{9F}\u{A0}¡¢£₪\
        ¥¦§¨©×«¬\u{AD}®¯°±²³´µ¶·¸¹÷»¼½¾¿\u{5B0}\u{5B1}\u{5B2}\u{5B3}\u{5B4}\u{5B5}\u{5B6}\u{5B7}\u{5B8}\u{5B9}\
        \u{5BA}\u{5BB}\u{5BC}\u{5BD}\u{5BE}\u{5BF}\u{5C0}\u{5C1}\u{5C2}\u{5C3}\u{5F0}\u{5F1}\u{5F2}\u{5F3}\
        \u{5F4}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{5D0}\u{5D1}\u{5D2}\u{5D3}\u{5D4}\
        \u{5D5}\u{5D6}\u{5D7}\u{5D8}\u{5D9}\u{5DA}\u{5DB}\u{5DC}\u{5DD}\u{5DE}\u{5DF}\u{5E0}\u{5E1}\u{5E2}\
        \u{5E3}\u{5E4}\u{5E5}\u{5E6}\u{5E7}\u{5E8}\u{5E9}\u{5EA}\u{FFFD}\u{FFFD}\u{200E}\u{200F}\u{FFFD}
        """

    private static let windows1256Upper = """
        €\u{67E}‚ƒ„…†‡ˆ‰\u{679}‹Œ\u{686}\u{698}\u{688}\u{6AF}‘’“”•–—\u{6A9}™\u{691}›œ\u{200C}\u{200D}\u{6BA}\
        \u{A0}\u{60C}¢£¤¥¦§¨©\u{6BE}«¬\u{AD}®¯°±²³´µ¶·¸¹\u{61B}»¼½¾\u{61F}\u{6C1}\u{621}\u{622}\u{623}\u{624}\
        \u{625}\u{626}\u{627}\u{628}\u{629}\u{62A}\u{62B}\u{62C}\u{62D}\u{62E}\u{62F}\u{630}\u{631}\u{632}\
        \u{633}\u{634}\u{635}\u{636}×\u{637}\u{638}\u{639}\u{63A}\u{640}\u{641}\u{642}\u{643}à\u{644}â\u{645}\
        \u{646}\u{647}\u{648}çèéêë\u{649}\u{64A}îï\u{64B}\u{64C}\u{64D}\u{64E}ô\u{64F}\u{650}÷\u{651}ù\u{652}û\
        ü\u{200E}\u{200F}\u{6D2}
        """

    private static let windows1257Upper = """
        €\u{81}‚\u{83}„…†‡\u{88}‰\u{8A}‹\u{8C}¨ˇ¸\u{90}‘’“”•–—\u{98}™\u{9A}›\u{9C}¯˛\u{9F}\u{A0}\u{FFFD}¢£¤\
        \u{FFFD}¦§Ø©Ŗ«¬\u{AD}®Æ°±²³´µ¶·ø¹ŗ»¼½¾æĄĮĀĆÄÅĘĒČÉŹĖĢĶĪĻŠŃŅÓŌÕÖ×ŲŁŚŪÜŻŽßąįāćäåęēčéźėģķīļšńņóōõö÷ųłśūüżž\
        ˙
        """

    private static let windows1258Upper = """
        €\u{81}‚ƒ„…†‡ˆ‰\u{8A}‹Œ\u{8D}\u{8E}\u{8F}\u{90}‘’“”•–—˜™\u{9A}›œ\u{9D}\u{9E}Ÿ\u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®\
        ¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂĂÄÅÆÇÈÉÊË\u{300}ÍÎÏĐÑ\u{309}ÓÔƠÖ×ØÙÚÛÜƯ\u{303}ßàáâăäåæçèéêë\u{301}íîïđñ\u{323}óôơö\
        ÷øùúûüư₫ÿ
        """

    private static let windows874Upper = """
        €\u{81}\u{82}\u{83}\u{84}…\u{86}\u{87}\u{88}\u{89}\u{8A}\u{8B}\u{8C}\u{8D}\u{8E}\u{8F}\u{90}‘’“”•–—\
        \u{98}\u{99}\u{9A}\u{9B}\u{9C}\u{9D}\u{9E}\u{9F}\u{A0}กขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรฤลฦวศษสหฬอฮฯะ\
        \u{E31}าำ\u{E34}\u{E35}\u{E36}\u{E37}\u{E38}\u{E39}\u{E3A}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}฿เแโใไๅๆ\
        \u{E47}\u{E48}\u{E49}\u{E4A}\u{E4B}\u{E4C}\u{E4D}\u{E4E}๏๐๑๒๓๔๕๖๗๘๙๚๛\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}
        """

    private static let ibm437Upper = """
        ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσ\
        µτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}
        """

    private static let ibm850Upper = """
        ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕ\
        µþÞÚÛÙýÝ¯´\u{AD}±‗¾¶§÷¸°¨·¹³²■\u{A0}
        """

    private static let macRomanUpper = """
        ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡\
        ·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{F8FF}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ
        """
}
