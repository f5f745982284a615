public import FoundationEssentials

extension AttributeScopes {
    /// The styles that HTML and RTF can express. Foundation on Linux defines no attributes for styles except `link`,
    /// which is part of this scope.
    ///
    /// A missing attribute leaves the choice to the reader: the text has the reader's font and colors, and is neither
    /// bold nor italic.
    public struct RichTextAttributes: AttributeScope {
        /// True for bold text.
        public let isBold: BoldAttribute
        /// True for italic text.
        public let isItalic: ItalicAttribute
        /// True for underlined text.
        public let isUnderlined: UnderlineAttribute
        /// True for text with a line through it.
        public let isStruckThrough: StrikethroughAttribute
        /// The font size in points. Written sizes are clamped to 0.5…1,638 and, in RTF, rounded to half a point.
        public let fontSize: FontSizeAttribute
        /// The name of a font family, or a generic family of CSS such as `monospace`.
        public let fontFamily: FontFamilyAttribute
        /// The color of the text.
        public let textColor: TextColorAttribute
        /// The color of the background.
        public let backgroundColor: BackgroundColorAttribute
        /// 1 for a superscript, and -1 for a subscript, which readers display in a smaller size. Any other positive
        /// value is written as 1, and any other negative value as -1.
        public let superscript: SuperscriptAttribute
        /// The distance in points by which the text is raised without a change of its size, or lowered if the distance
        /// is negative. Written distances are clamped to -1,584…1,584 and, in RTF, rounded to half a point.
        public let baselineOffset: BaselineOffsetAttribute
        /// The distance in points that is added after each character, or removed if it is negative. Written distances
        /// are clamped to -1,584…1,584 and, in RTF, rounded to a twentieth of a point.
        public let kern: KernAttribute
        /// The picture that a character U+FFFC stands for. On any other character it is ignored.
        public let picture: PictureAttribute
        /// The style of the paragraph. It is the same for all text of the paragraph, and for the newline that ends it.
        public let paragraph: ParagraphAttribute
        /// The attributes that Foundation defines; only `link` is used.
        public let foundation: FoundationAttributes
    }

    /// The attribute scope for rich text.
    public var richText: RichTextAttributes.Type { RichTextAttributes.self }
}

extension AttributeDynamicLookup {
    /// Provides access to the attributes by name: `text.isBold = true`.
    public subscript<T: AttributedStringKey>(
        dynamicMember keyPath: KeyPath<AttributeScopes.RichTextAttributes, T>
    ) -> T { self[T.self] }
}

extension AttributeScopes.RichTextAttributes {
    /// The key of ``isBold``.
    public enum BoldAttribute: AttributedStringKey {
        /// The type of the attribute's value.
        public typealias Value = Bool
        /// The unique name of the attribute.
        public static let name = "org.xpb.bold"
    }

    /// The key of ``isItalic``.
    public enum ItalicAttribute: AttributedStringKey {
        /// The type of the attribute's value.
        public typealias Value = Bool
        /// The unique name of the attribute.
        public static let name = "org.xpb.italic"
    }

    /// The key of ``isUnderlined``.
    public enum UnderlineAttribute: AttributedStringKey {
        /// The type of the attribute's value.
        public typealias Value = Bool
        /// The unique name of the attribute.
        public static let name = "org.xpb.underline"
    }

    /// The key of ``isStruckThrough``.
    public enum StrikethroughAttribute: AttributedStringKey {
        /// The type of the attribute's value.
        public typealias Value = Bool
        /// The unique name of the attribute.
        public static let name = "org.xpb.strikethrough"
    }

    /// The key of ``fontSize``.
    public enum FontSizeAttribute: AttributedStringKey {
        /// The type of the attribute's value.
        public typealias Value = Double
        /// The unique name of the attribute.
        public static let name = "org.xpb.fontSize"
    }

    /// The key of ``fontFamily``.
    public enum FontFamilyAttribute: AttributedStringKey {
        /// The type of the attribute's value.
        public typealias Value = String
        /// The unique name of the attribute.
        public static let name = "org.xpb.fontFamily"
    }

    /// The key of ``textColor``.
    public enum TextColorAttribute: AttributedStringKey {
        /// The type of the attribute's value.
        public typealias Value = RichTextColor
        /// The unique name of the attribute.
        public static let name = "org.xpb.textColor"
    }

    /// The key of ``backgroundColor``.
    public enum BackgroundColorAttribute: AttributedStringKey {
        /// The type of the attribute's value.
        public typealias Value = RichTextColor
        /// The unique name of the attribute.
        public static let name = "org.xpb.backgroundColor"
    }

    /// The key of ``superscript``.
    public enum SuperscriptAttribute: AttributedStringKey {
        /// The type of the attribute's value.
        public typealias Value = Int
        /// The unique name of the attribute.
        public static let name = "org.xpb.superscript"
    }

    /// The key of ``baselineOffset``.
    public enum BaselineOffsetAttribute: AttributedStringKey {
        /// The type of the attribute's value.
        public typealias Value = Double
        /// The unique name of the attribute.
        public static let name = "org.xpb.baselineOffset"
    }

    /// The key of ``kern``.
    public enum KernAttribute: AttributedStringKey {
        /// The type of the attribute's value.
        public typealias Value = Double
        /// The unique name of the attribute.
        public static let name = "org.xpb.kern"
    }

    /// The key of ``picture``.
    public enum PictureAttribute: AttributedStringKey {
        /// The type of the attribute's value.
        public typealias Value = RichTextPicture
        /// The unique name of the attribute.
        public static let name = "org.xpb.picture"
    }

    /// The key of ``paragraph``.
    public enum ParagraphAttribute: AttributedStringKey {
        /// The type of the attribute's value.
        public typealias Value = RichTextParagraph
        /// The unique name of the attribute.
        public static let name = "org.xpb.paragraph"
    }
}
