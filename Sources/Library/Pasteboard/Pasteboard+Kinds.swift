public import FoundationEssentials

/// Strings, URLs, images and colors.
extension Pasteboard {
    // MARK: Strings

    /// The text of the first item; nil if the item has no text. Bytes that are not UTF-8 are replaced by U+FFFD.
    ///
    /// - Throws: ``PasteboardError``.
    public var string: String? {
        get throws { try value(.string).run() }
    }

    /// The text of each item that has text, all from the same change count.
    ///
    /// - Throws: ``PasteboardError``.
    public var strings: [String] {
        get throws { try allValues(.string).run() }
    }

    /// True if any item has text. No bytes are fetched.
    ///
    /// - Throws: ``PasteboardError``.
    public var hasStrings: Bool {
        get throws { try has(.string).run() }
    }

    /// Replaces the contents with one item: text.
    ///
    /// - Parameters:
    ///   - string: The text to write.
    ///   - options: Options for the contents.
    ///   - count: The expected change count; nil to write in any case.
    /// - Returns: The new change count.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/countMismatch`` if the change count differs,
    ///   ``PasteboardError/Code/refused``, ``PasteboardError/Code/uncertain``.
    @discardableResult
    public func setString(
        _ string: String, options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) throws -> Int {
        try writing([string], .string, options, count).run()
    }

    /// Replaces the contents with one item for each value. An empty array clears the pasteboard.
    ///
    /// - Returns: The new change count.
    /// - Throws: ``PasteboardError``, as ``setString(_:options:ifChangeCount:)``.
    @discardableResult
    public func setStrings(
        _ strings: [String], options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) throws -> Int {
        try writing(strings, .string, options, count).run()
    }

    // MARK: URLs

    /// The first URL of the first item; nil if the item has no URL.
    ///
    /// - Throws: ``PasteboardError``.
    public var url: URL? {
        get throws { try value(.url).run() }
    }

    /// The first URL of each item that has a URL, all from the same change count.
    ///
    /// - Throws: ``PasteboardError``.
    public var urls: [URL] {
        get throws { try allValues(.url).run() }
    }

    /// True if any item has a URL. No bytes are fetched.
    ///
    /// - Throws: ``PasteboardError``.
    public var hasURLs: Bool {
        get throws { try has(.url).run() }
    }

    /// Replaces the contents with one item: a URL.
    ///
    /// - Parameters:
    ///   - url: The URL to write.
    ///   - options: Options for the contents.
    ///   - count: The expected change count; nil to write in any case.
    /// - Returns: The new change count.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/countMismatch`` if the change count differs,
    ///   ``PasteboardError/Code/refused``, ``PasteboardError/Code/uncertain``.
    @discardableResult
    public func setURL(
        _ url: URL, options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) throws -> Int {
        try writing([url], .url, options, count).run()
    }

    /// Replaces the contents with one item for each value. An empty array clears the pasteboard.
    ///
    /// - Parameters:
    ///   - urls: The URLs to write.
    ///   - isCut: True if pasting should move the files, like "Cut" in file managers.
    ///   - options: Options for the contents.
    ///   - count: The expected change count; nil to write in any case.
    /// - Returns: The new change count.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/invalidValue`` if anything but a file is cut, and
    ///   otherwise as ``setURL(_:options:ifChangeCount:)`` does.
    @discardableResult
    public func setURLs(
        _ urls: [URL], isCut: Bool = false, options: PasteboardOptions = PasteboardOptions(),
        ifChangeCount count: Int? = nil
    ) throws -> Int {
        try writing(urls, isCut: isCut, options, count).run()
    }

    /// True if the files on the pasteboard are cut: a program that pastes them moves them.
    ///
    /// - Throws: ``PasteboardError``.
    public var isCut: Bool {
        get throws { try cutMark.run() }
    }

    // MARK: Images

    /// The preferred image of the first item, as the bytes of an image file; nil if the item has no image.
    ///
    /// - Throws: ``PasteboardError``.
    public var image: EncodedImage? {
        get throws { try value(.image).run() }
    }

    /// The preferred image of each item that has an image, all from the same change count.
    ///
    /// - Throws: ``PasteboardError``.
    public var images: [EncodedImage] {
        get throws { try allValues(.image).run() }
    }

    /// True if any item has an image. No bytes are fetched.
    ///
    /// - Throws: ``PasteboardError``.
    public var hasImages: Bool {
        get throws { try has(.image).run() }
    }

    /// Replaces the contents with one item: an image.
    ///
    /// - Parameters:
    ///   - image: The image to write.
    ///   - options: Options for the contents.
    ///   - count: The expected change count; nil to write in any case.
    /// - Returns: The new change count.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/countMismatch`` if the change count differs,
    ///   ``PasteboardError/Code/refused``, ``PasteboardError/Code/uncertain``.
    @discardableResult
    public func setImage(
        _ image: EncodedImage, options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) throws -> Int {
        try writing([image], .image, options, count).run()
    }

    /// Replaces the contents with one item for each value. An empty array clears the pasteboard.
    ///
    /// - Returns: The new change count.
    /// - Throws: ``PasteboardError``, as ``setImage(_:options:ifChangeCount:)``.
    @discardableResult
    public func setImages(
        _ images: [EncodedImage], options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) throws -> Int {
        try writing(images, .image, options, count).run()
    }

    // MARK: Colors

    /// The color of the first item; nil if the item has no color.
    ///
    /// - Throws: ``PasteboardError``.
    public var color: PasteboardColor? {
        get throws { try value(.color).run() }
    }

    /// The color of each item that has a color, all from the same change count.
    ///
    /// - Throws: ``PasteboardError``.
    public var colors: [PasteboardColor] {
        get throws { try allValues(.color).run() }
    }

    /// True if any item has a color. No bytes are fetched.
    ///
    /// - Throws: ``PasteboardError``.
    public var hasColors: Bool {
        get throws { try has(.color).run() }
    }

    /// Replaces the contents with one item: a color.
    ///
    /// - Parameters:
    ///   - color: The color to write.
    ///   - options: Options for the contents.
    ///   - count: The expected change count; nil to write in any case.
    /// - Returns: The new change count.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/countMismatch`` if the change count differs,
    ///   ``PasteboardError/Code/refused``, ``PasteboardError/Code/uncertain``.
    @discardableResult
    public func setColor(
        _ color: PasteboardColor, options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) throws -> Int {
        try writing([color], .color, options, count).run()
    }

    /// Replaces the contents with one item for each value. An empty array clears the pasteboard.
    ///
    /// - Returns: The new change count.
    /// - Throws: ``PasteboardError``, as ``setColor(_:options:ifChangeCount:)``.
    @discardableResult
    public func setColors(
        _ colors: [PasteboardColor], options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) throws -> Int {
        try writing(colors, .color, options, count).run()
    }
}
