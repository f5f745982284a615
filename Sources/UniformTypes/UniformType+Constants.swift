extension UniformType {
    package static let item = UniformType(unchecked: "public.item")
    package static let content = UniformType(unchecked: "public.content")
    package static let data = UniformType(unchecked: "public.data")

    /// Any text: plain, HTML, RTF, XML, source code.
    package static let text = UniformType(unchecked: "public.text")
    /// Text without markup, in an encoding not told.
    package static let plainText = UniformType(unchecked: "public.plain-text")
    package static let utf8PlainText = UniformType(unchecked: "public.utf8-plain-text")
    /// UTF-16 in the machine's byte order, without a mark.
    package static let utf16PlainText = UniformType(unchecked: "public.utf16-plain-text")
    /// UTF-16, big-endian unless a byte order mark says otherwise.
    package static let utf16ExternalPlainText = UniformType(unchecked: "public.utf16-external-plain-text")
    package static let html = UniformType(unchecked: "public.html")
    package static let rtf = UniformType(unchecked: "public.rtf")
    package static let xml = UniformType(unchecked: "public.xml")
    package static let json = UniformType(unchecked: "public.json")

    package static let image = UniformType(unchecked: "public.image")
    package static let png = UniformType(unchecked: "public.png")
    package static let jpeg = UniformType(unchecked: "public.jpeg")
    package static let tiff = UniformType(unchecked: "public.tiff")
    package static let gif = UniformType(unchecked: "com.compuserve.gif")
    package static let bmp = UniformType(unchecked: "com.microsoft.bmp")
    package static let webP = UniformType(unchecked: "org.webmproject.webp")
    package static let svg = UniformType(unchecked: "public.svg-image")
    package static let pdf = UniformType(unchecked: "com.adobe.pdf")

    package static let url = UniformType(unchecked: "public.url")
    package static let fileURL = UniformType(unchecked: "public.file-url")

    package static let audio = UniformType(unchecked: "public.audio")
    /// Moving pictures, with sound or without.
    package static let movie = UniformType(unchecked: "public.movie")
    package static let video = UniformType(unchecked: "public.video")
    package static let color = UniformType(unchecked: "com.apple.cocoa.pasteboard.color")
}
