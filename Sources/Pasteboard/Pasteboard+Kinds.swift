public import FoundationEssentials

/// Texts, URLs, images and colors.
extension Pasteboard {
    // MARK: Strings

    /// Of the first item, the text in UTF-8; bytes that are none are replaced; nil where it has none.
    ///
    /// - Throws: ``PasteboardError``.
    public var string: String? {
        get throws { try value(.string).run() }
    }

    /// As ``string``, of all items that have one, all of one moment.
    ///
    /// - Throws: ``PasteboardError``.
    public var strings: [String] {
        get throws { try allValues(.string).run() }
    }

    /// Whether any item has a text. Nothing is fetched.
    ///
    /// - Throws: ``PasteboardError``.
    public var hasStrings: Bool {
        get throws { try has(.string).run() }
    }

    /// Replaces the contents by one item.
    ///
    /// - Parameters:
    ///   - string: What is written.
    ///   - options: What holds for the contents.
    ///   - count: Only if this is the change count.
    /// - Returns: The change count.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/countMismatch`` where the count is another,
    ///   ``PasteboardError/Code/refused``, ``PasteboardError/Code/uncertain``.
    @discardableResult
    public func setString(
        _ string: String, options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) throws -> Int {
        try writing([string], .string, options, count).run()
    }

    /// Replaces the contents by an item for each. Without any the pasteboard is emptied.
    ///
    /// - Throws: As ``setString(_:options:ifChangeCount:)``.
    @discardableResult
    public func setStrings(
        _ strings: [String], options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) throws -> Int {
        try writing(strings, .string, options, count).run()
    }

    // MARK: URLs

    /// Of the first item, its first URL; nil where it has none.
    ///
    /// - Throws: ``PasteboardError``.
    public var url: URL? {
        get throws { try value(.url).run() }
    }

    /// As ``url``, of all items that have one, all of one moment.
    ///
    /// - Throws: ``PasteboardError``.
    public var urls: [URL] {
        get throws { try allValues(.url).run() }
    }

    /// Whether any item has a URL. Nothing is fetched.
    ///
    /// - Throws: ``PasteboardError``.
    public var hasURLs: Bool {
        get throws { try has(.url).run() }
    }

    /// Replaces the contents by one item.
    ///
    /// - Parameters:
    ///   - url: What is written.
    ///   - options: What holds for the contents.
    ///   - count: Only if this is the change count.
    /// - Returns: The change count.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/countMismatch`` where the count is another,
    ///   ``PasteboardError/Code/refused``, ``PasteboardError/Code/uncertain``.
    @discardableResult
    public func setURL(
        _ url: URL, options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) throws -> Int {
        try writing([url], .url, options, count).run()
    }

    /// Replaces the contents by an item for each. Without any the pasteboard is emptied.
    ///
    /// - Throws: As ``setURL(_:options:ifChangeCount:)``.
    @discardableResult
    public func setURLs(
        _ urls: [URL], options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) throws -> Int {
        try writing(urls, .url, options, count).run()
    }

    // MARK: Images

    /// Of the first item, the bytes of the image file that was put first, and their type; nil where it has none.
    ///
    /// - Throws: ``PasteboardError``.
    public var image: EncodedImage? {
        get throws { try value(.image).run() }
    }

    /// As ``image``, of all items that have one, all of one moment.
    ///
    /// - Throws: ``PasteboardError``.
    public var images: [EncodedImage] {
        get throws { try allValues(.image).run() }
    }

    /// Whether any item has an image. Nothing is fetched.
    ///
    /// - Throws: ``PasteboardError``.
    public var hasImages: Bool {
        get throws { try has(.image).run() }
    }

    /// Replaces the contents by one item.
    ///
    /// - Parameters:
    ///   - image: What is written.
    ///   - options: What holds for the contents.
    ///   - count: Only if this is the change count.
    /// - Returns: The change count.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/countMismatch`` where the count is another,
    ///   ``PasteboardError/Code/refused``, ``PasteboardError/Code/uncertain``.
    @discardableResult
    public func setImage(
        _ image: EncodedImage, options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) throws -> Int {
        try writing([image], .image, options, count).run()
    }

    /// Replaces the contents by an item for each. Without any the pasteboard is emptied.
    ///
    /// - Throws: As ``setImage(_:options:ifChangeCount:)``.
    @discardableResult
    public func setImages(
        _ images: [EncodedImage], options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) throws -> Int {
        try writing(images, .image, options, count).run()
    }

    // MARK: Colors

    /// Of the first item, the color; nil where it has none.
    ///
    /// - Throws: ``PasteboardError``.
    public var color: PasteboardColor? {
        get throws { try value(.color).run() }
    }

    /// As ``color``, of all items that have one, all of one moment.
    ///
    /// - Throws: ``PasteboardError``.
    public var colors: [PasteboardColor] {
        get throws { try allValues(.color).run() }
    }

    /// Whether any item has a color. Nothing is fetched.
    ///
    /// - Throws: ``PasteboardError``.
    public var hasColors: Bool {
        get throws { try has(.color).run() }
    }

    /// Replaces the contents by one item.
    ///
    /// - Parameters:
    ///   - color: What is written.
    ///   - options: What holds for the contents.
    ///   - count: Only if this is the change count.
    /// - Returns: The change count.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/countMismatch`` where the count is another,
    ///   ``PasteboardError/Code/refused``, ``PasteboardError/Code/uncertain``.
    @discardableResult
    public func setColor(
        _ color: PasteboardColor, options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) throws -> Int {
        try writing([color], .color, options, count).run()
    }

    /// Replaces the contents by an item for each. Without any the pasteboard is emptied.
    ///
    /// - Throws: As ``setColor(_:options:ifChangeCount:)``.
    @discardableResult
    public func setColors(
        _ colors: [PasteboardColor], options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) throws -> Int {
        try writing(colors, .color, options, count).run()
    }
}
