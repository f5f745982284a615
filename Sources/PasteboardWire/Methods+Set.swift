/// Writing, and keeping what was promised.
extension Methods {
    package enum Set: WireMethod {
        package static let name = "Set"
        package struct Parameters: Codable, Sendable {
            package var pasteboards: [String]
            package var items: [WireNewItem]
            package var append: Bool?
            package var into: Int?
            package var ifCount: Int?
            package var options: WireOptions?
            package var timeout: Int?
            package var action: String?
            package var group: String?
            package init(
                pasteboards: [String], items: [WireNewItem], append: Bool? = nil, into: Int? = nil,
                ifCount: Int? = nil, options: WireOptions? = nil, timeout: Int? = nil, action: String? = nil,
                group: String? = nil
            ) {
                self.action = action
                self.group = group
                self.pasteboards = pasteboards
                self.items = items
                self.append = append
                self.into = into
                self.ifCount = ifCount
                self.options = options
                self.timeout = timeout
            }
        }
        package struct Reply: Codable, Sendable {
            /// How the promises of a set ended, as ``Reply/ended`` tells it.
            package enum Ending: String, Codable, Sendable { case kept, replaced }

            package var counts: [Int]
            package var wanted: WireWanted?
            package var ended: Ending?
            package init(counts: [Int], wanted: WireWanted? = nil, ended: Ending? = nil) {
                self.counts = counts
                self.wanted = wanted
                self.ended = ended
            }
        }
    }

    package enum Keep: WireMethod {
        package static let name = "Keep"
        package struct Parameters: Codable, Sendable {
            package var ticket: String
            package var bytes: WireBytes
            package init(ticket: String, bytes: WireBytes) {
                self.ticket = ticket
                self.bytes = bytes
            }
        }
        package typealias Reply = NoParameters
    }

    package enum Break: WireMethod {
        package static let name = "Break"
        package struct Parameters: Codable, Sendable {
            package var ticket: String
            package var message: String
            package init(ticket: String, message: String) {
                self.ticket = ticket
                self.message = message
            }
        }
        package typealias Reply = NoParameters
    }
}
