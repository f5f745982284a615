extension Declaration {
    /// Names a plain text goes out under. Which of them it can go out under (STRING is Latin-1) depends on the text.
    static let textTargets = [
        "UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "STRING", "TEXT", "COMPOUND_TEXT",
    ]

    /// The types that most clipboards carry. Where several declarations share a tag, the first one has it.
    static let common: [Declaration] = [
        Declaration("public.item"),
        Declaration("public.content"),
        Declaration("public.data", ["public.item"], mime: ["application/octet-stream"]),
        Declaration("public.composite-content", ["public.content"]),

        Declaration("public.text", ["public.data", "public.content"]),
        Declaration(
            "public.plain-text", ["public.text"], mime: ["text/plain"], extensions: ["txt", "text"],
            offered: textTargets, understood: ["C_STRING"]),
        Declaration("public.utf8-plain-text", ["public.plain-text"], offered: textTargets),
        Declaration(
            "public.utf16-plain-text", ["public.plain-text"], offered: ["text/plain;charset=utf-16"],
            understood: ["text/unicode", "text/x-moz-unicode"]),
        Declaration(
            "public.utf16-external-plain-text", ["public.plain-text"], offered: ["text/plain;charset=utf-16be"]),
        Declaration("public.html", ["public.text"], mime: ["text/html"], extensions: ["html", "htm", "shtml", "shtm"]),
        Declaration(
            "public.rtf", ["public.text"], mime: ["text/rtf"], extensions: ["rtf"],
            offered: ["text/rtf", "application/rtf", "text/richtext"], understood: ["application/x-rtf"]),
        Declaration("public.xml", ["public.text"], mime: ["application/xml", "text/xml"], extensions: ["xml"]),
        Declaration(
            "public.xhtml", ["public.xml"], mime: ["application/xhtml+xml"], extensions: ["xhtml", "xhtm", "xht"]),
        Declaration("public.json", ["public.text"], mime: ["application/json"], extensions: ["json"]),

        Declaration("public.image", ["public.data", "public.content"]),
        Declaration(
            "public.png", ["public.image"], mime: ["image/png"], extensions: ["png"], understood: ["image/x-png"]),
        Declaration(
            "public.jpeg", ["public.image"], mime: ["image/jpeg", "image/jpg"], extensions: ["jpeg", "jpg", "jpe"],
            understood: ["image/pjpeg"]),
        Declaration("public.tiff", ["public.image"], mime: ["image/tiff"], extensions: ["tiff", "tif"]),
        Declaration("com.compuserve.gif", ["public.image"], mime: ["image/gif"], extensions: ["gif"]),
        Declaration(
            "com.microsoft.bmp", ["public.image"], mime: ["image/bmp"], extensions: ["bmp", "dib"],
            understood: ["image/x-bmp", "image/x-MS-bmp", "image/x-ms-bmp", "image/x-win-bitmap", "application/bmp"]),
        Declaration("org.webmproject.webp", ["public.image"], mime: ["image/webp"], extensions: ["webp"]),
        Declaration(
            "public.svg-image", ["public.image", "public.xml"], mime: ["image/svg+xml"], extensions: ["svg", "svgz"]),
        Declaration(
            "com.adobe.pdf", ["public.data", "public.composite-content"], mime: ["application/pdf"],
            extensions: ["pdf"], understood: ["ADOBE_PORTABLE_DOCUMENT_FORMAT"]),

        // A URL and a file URL have no MIME type: text/uri-list is a convention, and a page that sees it takes it for
        // files and hides text and HTML, so only files go out under it.
        Declaration(
            "public.url", ["public.data"], offered: ["text/x-uri", "_NETSCAPE_URL"],
            understood: ["URL", "text/x-moz-url", "text/x-moz-url-data"]),
        Declaration(
            "public.file-url", ["public.url"], offered: ["text/uri-list"],
            understood: [
                "x-special/gnome-copied-files", "x-special/mate-copied-files", "x-special/KDE-copied-files",
                "application/x-kde4-urilist", "FILE_NAME", "FILE",
            ]),

        Declaration("public.audiovisual-content", ["public.data", "public.content"]),
        Declaration("public.audio", ["public.audiovisual-content"]),
        Declaration("public.movie", ["public.audiovisual-content"]),
        Declaration("public.video", ["public.movie"]),
        Declaration("com.apple.cocoa.pasteboard.color", ["public.data"], offered: ["application/x-color"]),
    ]
}
