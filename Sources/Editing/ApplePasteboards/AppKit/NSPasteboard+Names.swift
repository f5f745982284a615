#if !canImport(Darwin)

extension NSPasteboard {
    /// The name of a pasteboard.
    ///
    /// Source: `NSPasteboard.Name`.
    public struct Name: RawRepresentable, Hashable, Sendable {
        /// The string of the name.
        public let rawValue: String

        /// Creates a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates a name.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// The pasteboard of copy and paste: the clipboard of the desktop.
        public static let general = Name("Apple CFPasteboard general")
        /// The pasteboard of the search string: on X11 and Wayland, the primary selection.
        public static let find = Name("Apple CFPasteboard find")
        /// The pasteboard of copied character formats.
        public static let font = Name("Apple CFPasteboard font")
        /// The pasteboard of copied paragraph formats.
        public static let ruler = Name("Apple CFPasteboard ruler")
        /// The pasteboard of a drag in progress. Programs of this module share it, but no drag of the desktop uses it.
        public static let drag = Name("Apple CFPasteboard drag")
    }

    /// The type of a representation: a type identifier such as `public.html`, or a name of the program's own.
    ///
    /// Source: `NSPasteboard.PasteboardType`.
    public struct PasteboardType: RawRepresentable, Hashable, Sendable {
        /// The string of the type.
        public let rawValue: String

        /// Creates a type.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates a type.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// Plain text in UTF-8.
        public static let string = PasteboardType("public.utf8-plain-text")
        /// Rich text.
        public static let rtf = PasteboardType("public.rtf")
        /// Rich text with its pictures, in one file.
        public static let rtfd = PasteboardType("com.apple.flat-rtfd")
        /// HTML.
        public static let html = PasteboardType("public.html")
        /// Rows of text whose cells are separated by tabs.
        public static let tabularText = PasteboardType("public.utf8-tab-separated-values-text")
        /// Several pieces of text that were selected together.
        public static let multipleTextSelection = PasteboardType("com.apple.cocoa.pasteboard.multiple-text-selection")
        /// A PDF document.
        public static let pdf = PasteboardType("com.adobe.pdf")
        /// A TIFF image.
        public static let tiff = PasteboardType("public.tiff")
        /// A PNG image.
        public static let png = PasteboardType("public.png")
        /// A URL.
        public static let URL = PasteboardType("public.url")
        /// The URL of a file.
        public static let fileURL = PasteboardType("public.file-url")
        /// A color.
        public static let color = PasteboardType("com.apple.cocoa.pasteboard.color")
        /// A sound.
        public static let sound = PasteboardType("com.apple.cocoa.pasteboard.sound")
        /// Character formats.
        public static let font = PasteboardType("com.apple.cocoa.pasteboard.character-formatting")
        /// Paragraph formats.
        public static let ruler = PasteboardType("com.apple.cocoa.pasteboard.paragraph-formatting")
        /// The options of a search.
        public static let findPanelSearchOptions = PasteboardType(
            "com.apple.cocoa.pasteboard.find-panel-search-options")
        /// The options of a search, by the name of newer systems.
        public static let textFinderOptions = findPanelSearchOptions
        /// A PostScript drawing.
        public static let postScript = PasteboardType("com.adobe.encapsulated-postscript")
        /// The address card of a person.
        public static let vCard = PasteboardType("public.vcard")
    }

    /// Options for contents that are about to be written.
    ///
    /// Source: `NSPasteboard.ContentsOptions`.
    public struct ContentsOptions: OptionSet, Sendable {
        /// The bits of the options.
        public let rawValue: UInt

        /// Creates options from their bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The contents stay on this machine: they are not shared over links or with forwarded displays.
        public static let currentHostOnly = ContentsOptions(rawValue: 1)
    }

    /// Options for a type that an object writes.
    ///
    /// Source: `NSPasteboard.WritingOptions`.
    public struct WritingOptions: OptionSet, Sendable {
        /// The bits of the options.
        public let rawValue: UInt

        /// Creates options from their bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The object is asked for the data of the type when a reader first wants it.
        public static let promised = WritingOptions(rawValue: 1 << 9)
    }

    /// The form in which an object reads the data of a type.
    ///
    /// Source: `NSPasteboard.ReadingOptions`.
    public struct ReadingOptions: OptionSet, Sendable {
        /// The bits of the options.
        public let rawValue: UInt

        /// Creates options from their bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The object gets the bytes, as `Data`. This is the default.
        public static let asData: ReadingOptions = []
        /// The object gets a `String`.
        public static let asString = ReadingOptions(rawValue: 1)
        /// The object gets the value of a property list.
        public static let asPropertyList = ReadingOptions(rawValue: 1 << 1)
        /// The object is decoded from a keyed archive. Objects of this system's Foundation that read such archives do
        /// so from the bytes, so the option is the same as ``asData``.
        public static let asKeyedArchive = ReadingOptions(rawValue: 1 << 2)
    }

    /// The keys of the options for reading objects.
    ///
    /// Source: `NSPasteboard.ReadingOptionKey`.
    public struct ReadingOptionKey: RawRepresentable, Hashable, Sendable {
        /// The string of the key.
        public let rawValue: String

        /// Creates a key.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// With the value `true`, only the URLs of files are read.
        public static let urlReadingFileURLsOnly = ReadingOptionKey(rawValue: "NSPasteboardURLReadingFileURLsOnlyKey")
        /// With an array of type identifiers, only the URLs of files of such types are read. A file's type is that of
        /// its filename extension.
        public static let urlReadingContentsConformToTypes = ReadingOptionKey(
            rawValue: "NSPasteboardURLReadingContentsConformToTypesKey")
    }

    /// The behavior of the system when a program reads contents that the user has not pasted. Linux has no such alerts.
    ///
    /// Source: `NSPasteboard.AccessBehavior`.
    public enum AccessBehavior: Int, Sendable {
        /// The system decides.
        case `default` = 0
        /// The system asks the user.
        case ask = 1
        /// The program may read.
        case alwaysAllow = 2
        /// The program may not read.
        case alwaysDeny = 3
    }
}

#endif
