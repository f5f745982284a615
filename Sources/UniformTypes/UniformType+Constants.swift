/// The types that others descend from, and those of files, folders and addresses.
extension UniformType {
    /// Anything that stands in a file system or is handed about.
    public static let item = UniformType(constant: "public.item")
    /// Anything that people look at, read or listen to.
    public static let content = UniformType(constant: "public.content")
    /// Contents with several kinds of contents within, such as a text with images.
    public static let compositeContent = UniformType(constant: "public.composite-content")
    /// Anything that is bytes, as opposed to a folder.
    public static let data = UniformType(constant: "public.data")
    /// Any database.
    public static let database = UniformType(constant: "public.database")
    /// Any message.
    public static let message = UniformType(constant: "public.message")
    /// Any email message.
    public static let emailMessage = UniformType(constant: "public.email-message")
    /// How somebody can be reached.
    public static let contact = UniformType(constant: "public.contact")
    /// An electronic business card (RFC 6350).
    public static let vCard = UniformType(constant: "public.vcard")
    /// Any event of a calendar.
    public static let calendarEvent = UniformType(constant: "public.calendar-event")
    /// An iCalendar file (RFC 5545).
    public static let iCalendar = UniformType(constant: "com.apple.ical.ics")
    /// A task.
    public static let toDoItem = UniformType(constant: "public.to-do-item")
    /// Any presentation.
    public static let presentation = UniformType(constant: "public.presentation")
    /// Any spreadsheet.
    public static let spreadsheet = UniformType(constant: "public.spreadsheet")
    /// PDF.
    public static let pdf = UniformType(constant: "com.adobe.pdf")
    /// An EPUB publication.
    public static let epub = UniformType(constant: "org.idpf.epub-container")
    /// A web page with all that is in it.
    public static let webArchive = UniformType(constant: "com.apple.webarchive")
    /// Any font.
    public static let font = UniformType(constant: "public.font")
    /// A colour.
    public static let color = UniformType(constant: "com.apple.cocoa.pasteboard.color")
    /// Certificates and keys (RFC 7292).
    public static let pkcs12 = UniformType(constant: "com.rsa.pkcs-12")
    /// An X.509 certificate.
    public static let x509Certificate = UniformType(constant: "public.x509-certificate")

    /// A URL. It has no MIME type.
    public static let url = UniformType(constant: "public.url")
    /// The URL of a file. It has no MIME type; on X11 it goes as `text/uri-list`.
    public static let fileURL = UniformType(constant: "public.file-url")
    /// What a URL is called.
    public static let urlName = UniformType(constant: "public.url-name")
    /// Any bookmark.
    public static let bookmark = UniformType(constant: "public.bookmark")
    /// A Windows shortcut to a URL.
    public static let internetShortcut = UniformType(constant: "com.microsoft.internet-shortcut")

    /// Any directory, be it a folder or a package.
    public static let directory = UniformType(constant: "public.directory")
    /// A directory that people look into.
    public static let folder = UniformType(constant: "public.folder")
    /// A directory that is shown as one file.
    public static let package = UniformType(constant: "com.apple.package")
    /// A directory with a fixed inner order.
    public static let bundle = UniformType(constant: "com.apple.bundle")
    /// The root of a volume.
    public static let volume = UniformType(constant: "public.volume")
    /// A symbolic link.
    public static let symbolicLink = UniformType(constant: "public.symlink")
    /// Files packed into one.
    public static let archive = UniformType(constant: "public.archive")
    /// A ZIP archive.
    public static let zip = UniformType(constant: "public.zip-archive")
    /// Bytes compressed by gzip (RFC 1952).
    public static let gzip = UniformType(constant: "org.gnu.gnu-zip-archive")
    /// Bytes compressed by bzip2.
    public static let bz2 = UniformType(constant: "public.bzip2-archive")
    /// A tar archive.
    public static let tarArchive = UniformType(constant: "public.tar-archive")
    /// The image of a disk.
    public static let diskImage = UniformType(constant: "public.disk-image")
    /// Anything that can be run.
    public static let executable = UniformType(constant: "public.executable")
    /// A program for a Unix.
    public static let unixExecutable = UniformType(constant: "public.unix-executable")
    /// A program for Windows.
    public static let exe = UniformType(constant: "com.microsoft.windows-executable")
    /// Any log.
    public static let log = UniformType(constant: "public.log")
}
