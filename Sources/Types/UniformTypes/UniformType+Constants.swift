/// General types, and types of documents, addresses, files and folders.
extension UniformType {
    /// Anything in a file system, and anything that can be transferred. The root of types of data, files and folders.
    public static let item = UniformType(constant: "public.item")
    /// Anything that a person reads, views or listens to.
    public static let content = UniformType(constant: "public.content")
    /// Content that contains several kinds of content, such as text with images.
    public static let compositeContent = UniformType(constant: "public.composite-content")
    /// Any sequence of bytes, as opposed to a folder.
    public static let data = UniformType(constant: "public.data")
    /// Any database.
    public static let database = UniformType(constant: "public.database")
    /// Any message.
    public static let message = UniformType(constant: "public.message")
    /// Any email message.
    public static let emailMessage = UniformType(constant: "public.email-message")
    /// Contact information for a person or an organization.
    public static let contact = UniformType(constant: "public.contact")
    /// An electronic business card (RFC 6350).
    public static let vCard = UniformType(constant: "public.vcard")
    /// Any calendar event.
    public static let calendarEvent = UniformType(constant: "public.calendar-event")
    /// An iCalendar file (RFC 5545).
    public static let iCalendar = UniformType(constant: "com.apple.ical.ics")
    /// A to-do item.
    public static let toDoItem = UniformType(constant: "public.to-do-item")
    /// Any presentation.
    public static let presentation = UniformType(constant: "public.presentation")
    /// Any spreadsheet.
    public static let spreadsheet = UniformType(constant: "public.spreadsheet")
    /// A PDF document.
    public static let pdf = UniformType(constant: "com.adobe.pdf")
    /// An EPUB publication.
    public static let epub = UniformType(constant: "org.idpf.epub-container")
    /// A web page with its resources.
    public static let webArchive = UniformType(constant: "com.apple.webarchive")
    /// Any font.
    public static let font = UniformType(constant: "public.font")
    /// A color.
    public static let color = UniformType(constant: "com.apple.cocoa.pasteboard.color")
    /// Certificates and keys (RFC 7292).
    public static let pkcs12 = UniformType(constant: "com.rsa.pkcs-12")
    /// An X.509 certificate.
    public static let x509Certificate = UniformType(constant: "public.x509-certificate")

    /// A URL. The type has no MIME type.
    public static let url = UniformType(constant: "public.url")
    /// The URL of a file. The type has no MIME type; on X11, it is offered as `text/uri-list`.
    public static let fileURL = UniformType(constant: "public.file-url")
    /// The title of a URL.
    public static let urlName = UniformType(constant: "public.url-name")
    /// Any bookmark.
    public static let bookmark = UniformType(constant: "public.bookmark")
    /// A Windows shortcut to a URL.
    public static let internetShortcut = UniformType(constant: "com.microsoft.internet-shortcut")

    /// Any directory, which is either a folder or a package.
    public static let directory = UniformType(constant: "public.directory")
    /// A directory that is displayed as a folder.
    public static let folder = UniformType(constant: "public.folder")
    /// A directory that is displayed as a file.
    public static let package = UniformType(constant: "com.apple.package")
    /// A directory with a defined internal structure.
    public static let bundle = UniformType(constant: "com.apple.bundle")
    /// The root directory of a volume.
    public static let volume = UniformType(constant: "public.volume")
    /// A symbolic link.
    public static let symbolicLink = UniformType(constant: "public.symlink")
    /// Any archive of files.
    public static let archive = UniformType(constant: "public.archive")
    /// A ZIP archive.
    public static let zip = UniformType(constant: "public.zip-archive")
    /// Data compressed by gzip (RFC 1952).
    public static let gzip = UniformType(constant: "org.gnu.gnu-zip-archive")
    /// Data compressed by bzip2.
    public static let bz2 = UniformType(constant: "public.bzip2-archive")
    /// A tar archive.
    public static let tarArchive = UniformType(constant: "public.tar-archive")
    /// A disk image.
    public static let diskImage = UniformType(constant: "public.disk-image")
    /// Any executable program.
    public static let executable = UniformType(constant: "public.executable")
    /// An executable program for Unix.
    public static let unixExecutable = UniformType(constant: "public.unix-executable")
    /// An executable program for Windows.
    public static let exe = UniformType(constant: "com.microsoft.windows-executable")
    /// Any log.
    public static let log = UniformType(constant: "public.log")
}

/// Types of text, markup and source code.
extension UniformType {
    /// Any text, including HTML, RTF, XML and source code.
    public static let text = UniformType(constant: "public.text")
    /// Text without markup, in an unspecified encoding.
    public static let plainText = UniformType(constant: "public.plain-text")
    /// Text without markup in UTF-8.
    public static let utf8PlainText = UniformType(constant: "public.utf8-plain-text")
    /// Text without markup in UTF-16, in the byte order of the machine, without a byte order mark.
    public static let utf16PlainText = UniformType(constant: "public.utf16-plain-text")
    /// Text without markup in UTF-16, big-endian unless a byte order mark says otherwise.
    public static let utf16ExternalPlainText = UniformType(constant: "public.utf16-external-plain-text")
    /// Any table as text, with delimiters between its values.
    public static let delimitedText = UniformType(constant: "public.delimited-values-text")
    /// A table with commas between its values (RFC 4180).
    public static let commaSeparatedText = UniformType(constant: "public.comma-separated-values-text")
    /// A table with tabs between its values.
    public static let tabSeparatedText = UniformType(constant: "public.tab-separated-values-text")
    /// A table with tabs between its values, in UTF-8.
    public static let utf8TabSeparatedText = UniformType(constant: "public.utf8-tab-separated-values-text")

    /// HTML. The type conforms to ``text``, but not to ``plainText``.
    public static let html = UniformType(constant: "public.html")
    /// XHTML, which is HTML as XML.
    public static let xhtml = UniformType(constant: "public.xhtml")
    /// Any XML.
    public static let xml = UniformType(constant: "public.xml")
    /// Rich Text Format. The type conforms to ``text``, but not to ``plainText``.
    public static let rtf = UniformType(constant: "public.rtf")
    /// Rich text with attachments, as a package.
    public static let rtfd = UniformType(constant: "com.apple.rtfd")
    /// Rich text with attachments, as one sequence of bytes.
    public static let flatRTFD = UniformType(constant: "com.apple.flat-rtfd")
    /// Markdown (RFC 7763).
    public static let markdown = UniformType(constant: "net.daringfireball.markdown")
    /// A CSS style sheet.
    public static let css = UniformType(constant: "public.css")
    /// JSON (RFC 8259).
    public static let json = UniformType(constant: "public.json")
    /// YAML.
    public static let yaml = UniformType(constant: "public.yaml")
    /// A property list in any format.
    public static let propertyList = UniformType(constant: "com.apple.property-list")
    /// A property list as XML.
    public static let xmlPropertyList = UniformType(constant: "com.apple.xml-property-list")
    /// A property list in the binary format.
    public static let binaryPropertyList = UniformType(constant: "com.apple.binary-property-list")

    /// Any source code. The type conforms to ``plainText``.
    public static let sourceCode = UniformType(constant: "public.source-code")
    /// Assembly language source code.
    public static let assemblyLanguageSource = UniformType(constant: "public.assembly-source")
    /// C source code.
    public static let cSource = UniformType(constant: "public.c-source")
    /// A C header.
    public static let cHeader = UniformType(constant: "public.c-header")
    /// C++ source code.
    public static let cPlusPlusSource = UniformType(constant: "public.c-plus-plus-source")
    /// A C++ header.
    public static let cPlusPlusHeader = UniformType(constant: "public.c-plus-plus-header")
    /// Objective-C source code.
    public static let objectiveCSource = UniformType(constant: "public.objective-c-source")
    /// Objective-C++ source code.
    public static let objectiveCPlusPlusSource = UniformType(constant: "public.objective-c-plus-plus-source")
    /// Swift source code.
    public static let swiftSource = UniformType(constant: "public.swift-source")
    /// JavaScript source code.
    public static let javaScript = UniformType(constant: "com.netscape.javascript-source")
    /// Any script.
    public static let script = UniformType(constant: "public.script")
    /// A script for a shell, Perl, PHP, Python or Ruby.
    public static let shellScript = UniformType(constant: "public.shell-script")
    /// A Perl script.
    public static let perlScript = UniformType(constant: "public.perl-script")
    /// A PHP script.
    public static let phpScript = UniformType(constant: "public.php-script")
    /// A Python script.
    public static let pythonScript = UniformType(constant: "public.python-script")
    /// A Ruby script.
    public static let rubyScript = UniformType(constant: "public.ruby-script")
    /// A makefile.
    public static let makefile = UniformType(constant: "public.make-source")
    /// The differences between files.
    public static let patch = UniformType(constant: "public.patch-file")
}

/// Types of images, audio and video.
extension UniformType {
    /// Any image.
    public static let image = UniformType(constant: "public.image")
    /// A PNG image.
    public static let png = UniformType(constant: "public.png")
    /// A JPEG image.
    public static let jpeg = UniformType(constant: "public.jpeg")
    /// A JPEG XL image.
    public static let jpegXL = UniformType(constant: "public.jpeg-xl")
    /// A TIFF image.
    public static let tiff = UniformType(constant: "public.tiff")
    /// A GIF image.
    public static let gif = UniformType(constant: "com.compuserve.gif")
    /// A Windows bitmap, with its file header.
    public static let bmp = UniformType(constant: "com.microsoft.bmp")
    /// A Windows icon.
    public static let ico = UniformType(constant: "com.microsoft.ico")
    /// A WebP image.
    public static let webP = UniformType(constant: "org.webmproject.webp")
    /// An AVIF image.
    public static let avif = UniformType(constant: "public.avif")
    /// A HEIF image.
    public static let heif = UniformType(constant: "public.heif")
    /// A HEIF image with HEVC compression.
    public static let heic = UniformType(constant: "public.heic")
    /// An SVG image. The type conforms to ``xml`` too.
    public static let svg = UniformType(constant: "public.svg-image")
    /// The raw image of a camera.
    public static let rawImage = UniformType(constant: "public.camera-raw-image")
    /// An Apple icon.
    public static let icns = UniformType(constant: "com.apple.icns")
    /// Any three-dimensional content.
    public static let threeDContent = UniformType(constant: "public.3d-content")

    /// Audio, video or both.
    public static let audiovisualContent = UniformType(constant: "public.audiovisual-content")
    /// Any audio.
    public static let audio = UniformType(constant: "public.audio")
    /// MPEG audio, layer III.
    public static let mp3 = UniformType(constant: "public.mp3")
    /// MPEG-4 audio.
    public static let mpeg4Audio = UniformType(constant: "public.mpeg-4-audio")
    /// Waveform audio.
    public static let wav = UniformType(constant: "com.microsoft.waveform-audio")
    /// AIFF audio.
    public static let aiff = UniformType(constant: "public.aiff-audio")
    /// FLAC audio.
    public static let flac = UniformType(constant: "org.xiph.flac")
    /// Ogg audio.
    public static let oggAudio = UniformType(constant: "org.xiph.ogg-audio")
    /// MIDI audio.
    public static let midi = UniformType(constant: "public.midi-audio")
    /// Any video, with or without sound.
    public static let movie = UniformType(constant: "public.movie")
    /// Video without sound.
    public static let video = UniformType(constant: "public.video")
    /// An MPEG-1 or MPEG-2 video.
    public static let mpeg = UniformType(constant: "public.mpeg")
    /// MPEG-2 video without sound.
    public static let mpeg2Video = UniformType(constant: "public.mpeg-2-video")
    /// An MPEG-2 transport stream.
    public static let mpeg2TransportStream = UniformType(constant: "public.mpeg-2-transport-stream")
    /// An MPEG-4 video.
    public static let mpeg4Movie = UniformType(constant: "public.mpeg-4")
    /// A QuickTime movie.
    public static let quickTimeMovie = UniformType(constant: "com.apple.quicktime-movie")
    /// An AVI video.
    public static let avi = UniformType(constant: "public.avi")
    /// A WebM video.
    public static let webM = UniformType(constant: "org.webmproject.webm")
    /// A Matroska video.
    public static let matroska = UniformType(constant: "org.matroska.mkv")
    /// Any playlist.
    public static let playlist = UniformType(constant: "public.playlist")
    /// An M3U playlist.
    public static let m3uPlaylist = UniformType(constant: "public.m3u-playlist")
}

/// The marker types of nspasteboard.org. The presence of a representation with such a type describes the contents.
extension UniformType {
    /// Marks a secret, such as a password.
    package static let concealed = UniformType(unchecked: "org.nspasteboard.ConcealedType")
    /// Marks contents that are on the pasteboard only for a moment.
    package static let transient = UniformType(unchecked: "org.nspasteboard.TransientType")
    /// Marks contents that a program wrote without a user's request.
    package static let autoGenerated = UniformType(unchecked: "org.nspasteboard.AutoGeneratedType")
    /// The bundle identifier of the program that wrote the contents.
    package static let pasteboardSource = UniformType(unchecked: "org.nspasteboard.source")
}
