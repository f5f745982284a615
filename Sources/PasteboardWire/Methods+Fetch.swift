/// Reading several items.
extension Methods {
    package enum Fetch: WireMethod {
        package static let name = "Fetch"
        package struct Parameters: Codable, Sendable {
            package var pasteboard: String
            package var types: [String]?
            package var items: [Int]?
            package var exact: Bool?
            package var timeout: Int?
            package var descriptors: Bool?
            package var entry: Int?
            package init(
                pasteboard: String, types: [String]? = nil, items: [Int]? = nil, exact: Bool? = nil,
                timeout: Int? = nil, descriptors: Bool? = nil, entry: Int? = nil
            ) {
                self.entry = entry
                self.pasteboard = pasteboard
                self.types = types
                self.items = items
                self.exact = exact
                self.timeout = timeout
                self.descriptors = descriptors
            }
        }
        package struct Reply: Codable, Sendable {
            package var count: Int
            package var found: [WireFound]
            package init(count: Int, found: [WireFound]) {
                self.count = count
                self.found = found
            }
        }
    }
}
