extension ItemArchive {
    /// What a store notes in the manifest, as the member `entry`, so that its files alone tell what they were. Other
    /// readers ignore it.
    package struct Record: Codable, Equatable, Sendable {
        package var id: Int
        /// Where the contents were, and what its count was.
        package var pasteboard: String
        package var count: Int
        /// In milliseconds of the Unix epoch.
        package var created: Int
        /// When they go, likewise.
        package var expires: Int?
        package var action: String?
        package var program: String?
        package var localOnly: Bool
        /// They are in the history.
        package var listed: Bool
        /// The beginning of their text, where no representation is that text.
        package var text: String?
        /// Of an image, in pixels.
        package var width: Int?
        package var height: Int?

        package init(
            id: Int, pasteboard: String, count: Int, created: Int, expires: Int? = nil, action: String? = nil,
            program: String? = nil, localOnly: Bool = false, listed: Bool = true, text: String? = nil,
            width: Int? = nil, height: Int? = nil
        ) {
            self.id = id
            self.pasteboard = pasteboard
            self.count = count
            self.created = created
            self.expires = expires
            self.action = action
            self.program = program
            self.localOnly = localOnly
            self.listed = listed
            self.text = text
            self.width = width
            self.height = height
        }
    }
}
