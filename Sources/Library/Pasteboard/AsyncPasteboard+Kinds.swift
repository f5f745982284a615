public import FoundationEssentials

/// Strings, URLs, images and colors.
extension AsyncPasteboard {
    // MARK: Strings

    /// See ``Pasteboard/string``.
    public var string: String? {
        get async throws { try await board.value(.string).run() }
    }

    /// See ``Pasteboard/strings``.
    public var strings: [String] {
        get async throws { try await board.allValues(.string).run() }
    }

    /// See ``Pasteboard/hasStrings``.
    public var hasStrings: Bool {
        get async throws { try await board.has(.string).run() }
    }

    /// See ``Pasteboard/setString(_:options:ifChangeCount:)``.
    @discardableResult
    public func setString(
        _ string: String, options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) async throws -> Int {
        try await board.writing([string], .string, options, count).run()
    }

    /// See ``Pasteboard/setStrings(_:options:ifChangeCount:)``.
    @discardableResult
    public func setStrings(
        _ strings: [String], options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) async throws -> Int {
        try await board.writing(strings, .string, options, count).run()
    }

    // MARK: URLs

    /// See ``Pasteboard/url``.
    public var url: URL? {
        get async throws { try await board.value(.url).run() }
    }

    /// See ``Pasteboard/urls``.
    public var urls: [URL] {
        get async throws { try await board.allValues(.url).run() }
    }

    /// See ``Pasteboard/hasURLs``.
    public var hasURLs: Bool {
        get async throws { try await board.has(.url).run() }
    }

    /// See ``Pasteboard/setURL(_:options:ifChangeCount:)``.
    @discardableResult
    public func setURL(
        _ url: URL, options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) async throws -> Int {
        try await board.writing([url], .url, options, count).run()
    }

    /// See ``Pasteboard/setURLs(_:isCut:options:ifChangeCount:)``.
    @discardableResult
    public func setURLs(
        _ urls: [URL], isCut: Bool = false, options: PasteboardOptions = PasteboardOptions(),
        ifChangeCount count: Int? = nil
    ) async throws -> Int {
        try await board.writing(urls, isCut: isCut, options, count).run()
    }

    /// See ``Pasteboard/isCut``.
    public var isCut: Bool {
        get async throws { try await board.cutMark.run() }
    }

    // MARK: Images

    /// See ``Pasteboard/image``.
    public var image: EncodedImage? {
        get async throws { try await board.value(.image).run() }
    }

    /// See ``Pasteboard/images``.
    public var images: [EncodedImage] {
        get async throws { try await board.allValues(.image).run() }
    }

    /// See ``Pasteboard/hasImages``.
    public var hasImages: Bool {
        get async throws { try await board.has(.image).run() }
    }

    /// See ``Pasteboard/setImage(_:options:ifChangeCount:)``.
    @discardableResult
    public func setImage(
        _ image: EncodedImage, options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) async throws -> Int {
        try await board.writing([image], .image, options, count).run()
    }

    /// See ``Pasteboard/setImages(_:options:ifChangeCount:)``.
    @discardableResult
    public func setImages(
        _ images: [EncodedImage], options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) async throws -> Int {
        try await board.writing(images, .image, options, count).run()
    }

    // MARK: Colors

    /// See ``Pasteboard/color``.
    public var color: PasteboardColor? {
        get async throws { try await board.value(.color).run() }
    }

    /// See ``Pasteboard/colors``.
    public var colors: [PasteboardColor] {
        get async throws { try await board.allValues(.color).run() }
    }

    /// See ``Pasteboard/hasColors``.
    public var hasColors: Bool {
        get async throws { try await board.has(.color).run() }
    }

    /// See ``Pasteboard/setColor(_:options:ifChangeCount:)``.
    @discardableResult
    public func setColor(
        _ color: PasteboardColor, options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) async throws -> Int {
        try await board.writing([color], .color, options, count).run()
    }

    /// See ``Pasteboard/setColors(_:options:ifChangeCount:)``.
    @discardableResult
    public func setColors(
        _ colors: [PasteboardColor], options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) async throws -> Int {
        try await board.writing(colors, .color, options, count).run()
    }
}

/// Property lists, and values of a program's own types.
extension AsyncPasteboard {
    // MARK: Property lists

    /// See ``Pasteboard/value(forType:)``.
    public func value(forType type: some PasteboardTypeName) async throws -> PropertyList? {
        try await board.value(.propertyList(type.typeName)).run()
    }

    /// See ``Pasteboard/values(forType:inItemSet:)``.
    public func values(forType type: some PasteboardTypeName, inItemSet items: [Int]?) async throws -> [PropertyList?] {
        try await board.values(.propertyList(type.typeName), inItemSet: items).run()
    }

    /// See ``Pasteboard/value(_:forType:)``.
    public func value<Value: PropertyListValue>(_ value: Value.Type, forType type: some PasteboardTypeName) async throws
        -> Value?
    {
        try await board.value(Codec<Value>.propertyListValue(type.typeName)).run()
    }

    /// See ``Pasteboard/setValue(_:forType:options:ifChangeCount:)``.
    @discardableResult
    public func setValue(
        _ value: some PropertyListValue, forType type: some PasteboardTypeName,
        options: PasteboardOptions = PasteboardOptions(),
        ifChangeCount count: Int? = nil
    ) async throws -> Int {
        try await board.writing([value], .propertyListValue(type.typeName), options, count).run()
    }

    // MARK: Values of a program's own types

    /// See ``Pasteboard/decode(_:forType:)``.
    public func decode<Value: Codable & Sendable>(_ value: Value.Type, forType type: some PasteboardTypeName)
        async throws -> Value?
    {
        try await board.value(Codec<Value>.json(type.typeName)).run()
    }

    /// See ``Pasteboard/encode(_:forType:options:ifChangeCount:)``.
    @discardableResult
    public func encode(
        _ value: some Codable & Sendable, forType type: some PasteboardTypeName,
        options: PasteboardOptions = PasteboardOptions(),
        ifChangeCount count: Int? = nil
    ) async throws -> Int {
        try await board.writing([value], .json(type.typeName), options, count).run()
    }
}
