public import FoundationEssentials

extension AttributeScopes {
    /// How text looks, as HTML and RTF have it. Foundation on Linux has no attributes for that but `link`, which is part
    /// of this scope.
    ///
    /// An attribute that is not there means the reader's own choice: his font, his colours, neither bold nor italic.
    public struct RichTextAttributes: AttributeScope {
        /// True for bold text.
        public let isBold: BoldAttribute
        /// True for italic text.
        public let isItalic: ItalicAttribute
        /// True for underlined text.
        public let isUnderlined: UnderlineAttribute
        /// True for text with a line through it.
        public let isStruckThrough: StrikethroughAttribute
        /// In points. Written as 0.5 to 1,638, in RTF to half a point.
        public let fontSize: FontSizeAttribute
        /// The name of a family, or one of CSS' generic ones as `monospace`.
        public let fontFamily: FontFamilyAttribute
        /// The colour of the text.
        public let textColor: TextColorAttribute
        /// The colour behind the text.
        public let backgroundColor: BackgroundColorAttribute
        /// How the paragraph is laid out: the same for all of its text, and for the newline that ends it.
        public let paragraph: ParagraphAttribute
        /// Foundation's own: `link` is one of them.
        public let foundation: FoundationAttributes
    }

    /// The scope of ``RichTextAttributes``.
    public var richText: RichTextAttributes.Type { RichTextAttributes.self }
}

extension AttributeDynamicLookup {
    /// Lets the attributes be used by their names: `text.isBold = true`.
    public subscript<T: AttributedStringKey>(
        dynamicMember keyPath: KeyPath<AttributeScopes.RichTextAttributes, T>
    ) -> T { self[T.self] }
}

extension AttributeScopes.RichTextAttributes {
    /// The key of ``isBold``.
    public enum BoldAttribute: AttributedStringKey {
        /// What the attribute holds.
        public typealias Value = Bool
        /// Tells it from the attributes of other scopes.
        public static let name = "org.xpb.bold"
    }

    /// The key of ``isItalic``.
    public enum ItalicAttribute: AttributedStringKey {
        /// What the attribute holds.
        public typealias Value = Bool
        /// Tells it from the attributes of other scopes.
        public static let name = "org.xpb.italic"
    }

    /// The key of ``isUnderlined``.
    public enum UnderlineAttribute: AttributedStringKey {
        /// What the attribute holds.
        public typealias Value = Bool
        /// Tells it from the attributes of other scopes.
        public static let name = "org.xpb.underline"
    }

    /// The key of ``isStruckThrough``.
    public enum StrikethroughAttribute: AttributedStringKey {
        /// What the attribute holds.
        public typealias Value = Bool
        /// Tells it from the attributes of other scopes.
        public static let name = "org.xpb.strikethrough"
    }

    /// The key of ``fontSize``.
    public enum FontSizeAttribute: AttributedStringKey {
        /// What the attribute holds.
        public typealias Value = Double
        /// Tells it from the attributes of other scopes.
        public static let name = "org.xpb.fontSize"
    }

    /// The key of ``fontFamily``.
    public enum FontFamilyAttribute: AttributedStringKey {
        /// What the attribute holds.
        public typealias Value = String
        /// Tells it from the attributes of other scopes.
        public static let name = "org.xpb.fontFamily"
    }

    /// The key of ``textColor``.
    public enum TextColorAttribute: AttributedStringKey {
        /// What the attribute holds.
        public typealias Value = RichTextColor
        /// Tells it from the attributes of other scopes.
        public static let name = "org.xpb.textColor"
    }

    /// The key of ``backgroundColor``.
    public enum BackgroundColorAttribute: AttributedStringKey {
        /// What the attribute holds.
        public typealias Value = RichTextColor
        /// Tells it from the attributes of other scopes.
        public static let name = "org.xpb.backgroundColor"
    }

    /// The key of ``paragraph``.
    public enum ParagraphAttribute: AttributedStringKey {
        /// What the attribute holds.
        public typealias Value = RichTextParagraph
        /// Tells it from the attributes of other scopes.
        public static let name = "org.xpb.paragraph"
    }
}
