/// The methods of `org.xpb.Pasteboard`, in the order of its definition: what reads, clears and watches pasteboards.
package enum Methods {
    package enum Get: WireMethod {
        package static let name = "Get"
        package struct Parameters: Codable, Sendable {
            package var pasteboard: String
            package var types: [String]?
            package var item: Int?
            package var exact: Bool?
            package var timeout: Int?
            package var descriptors: Bool?
            package var stale: Bool?
            package var entry: Int?
            package var watching: Bool?
            package init(
                pasteboard: String, types: [String]? = nil, item: Int? = nil, exact: Bool? = nil,
                timeout: Int? = nil, descriptors: Bool? = nil, stale: Bool? = nil, entry: Int? = nil,
                watching: Bool? = nil
            ) {
                self.watching = watching
                self.stale = stale
                self.entry = entry
                self.pasteboard = pasteboard
                self.types = types
                self.item = item
                self.exact = exact
                self.timeout = timeout
                self.descriptors = descriptors
            }
        }
        package struct Reply: Codable, Sendable {
            package var count: Int
            package var item: Int
            package var type: String
            package var target: String?
            package var bytes: WireBytes
            package var stale: Bool?
            package init(
                count: Int, item: Int, type: String, target: String?, bytes: WireBytes, stale: Bool? = nil
            ) {
                self.stale = stale
                self.count = count
                self.item = item
                self.type = type
                self.target = target
                self.bytes = bytes
            }
        }
    }

    package enum Clear: WireMethod {
        package static let name = "Clear"
        package struct Parameters: Codable, Sendable {
            package var pasteboards: [String]
            package var ifCount: Int?
            package var timeout: Int?
            package init(pasteboards: [String], ifCount: Int? = nil, timeout: Int? = nil) {
                self.pasteboards = pasteboards
                self.ifCount = ifCount
                self.timeout = timeout
            }
        }
        package typealias Reply = Counts
    }

    /// The count of each pasteboard after a change, in the order they were named.
    package struct Counts: Codable, Sendable {
        package var counts: [Int]
        package init(counts: [Int]) { self.counts = counts }
    }

    package enum Describe: WireMethod {
        package static let name = "Describe"
        package struct Parameters: Codable, Sendable {
            package var pasteboard: String
            package var lengths: Bool?
            package var targets: Bool?
            package var timeout: Int?
            package var entry: Int?
            package init(
                pasteboard: String, lengths: Bool? = nil, targets: Bool? = nil, timeout: Int? = nil,
                entry: Int? = nil
            ) {
                self.entry = entry
                self.pasteboard = pasteboard
                self.lengths = lengths
                self.targets = targets
                self.timeout = timeout
            }
        }
        package struct Reply: Codable, Sendable {
            package var count: Int
            package var owner: WireOwner
            package var items: [WireItem]
            package var options: WireOptions?
            package init(count: Int, owner: WireOwner, items: [WireItem], options: WireOptions? = nil) {
                self.count = count
                self.owner = owner
                self.items = items
                self.options = options
            }
        }
    }

    /// What names one pasteboard and nothing else.
    package struct PasteboardName: Codable, Sendable {
        package var pasteboard: String
        package init(pasteboard: String) { self.pasteboard = pasteboard }
    }

    package enum Count: WireMethod {
        package static let name = "Count"
        package typealias Parameters = PasteboardName
        package struct Reply: Codable, Sendable {
            package var count: Int
            package init(count: Int) { self.count = count }
        }
    }

    package enum GetOwner: WireMethod {
        package static let name = "GetOwner"
        package typealias Parameters = PasteboardName
        package struct Reply: Codable, Sendable {
            package var owner: WireOwner
            package init(owner: WireOwner) { self.owner = owner }
        }
    }

    package enum List: WireMethod {
        package static let name = "List"
        package typealias Parameters = NoParameters
        package struct Reply: Codable, Sendable {
            package var boards: [WireBoard]
            package init(boards: [WireBoard]) { self.boards = boards }
        }
    }

    package enum Monitor: WireMethod {
        package static let name = "Monitor"
        package struct Parameters: Codable, Sendable {
            package var pasteboards: [String]
            package var since: Int?
            package var initial: Bool?
            package var types: Bool?
            package var timeout: Int?
            package init(
                pasteboards: [String], since: Int? = nil, initial: Bool? = nil, types: Bool? = nil,
                timeout: Int? = nil
            ) {
                self.pasteboards = pasteboards
                self.since = since
                self.initial = initial
                self.types = types
                self.timeout = timeout
            }
        }
        package struct Reply: Codable, Sendable {
            package var pasteboard: String
            package var count: Int
            package var owner: WireOwner
            package var types: [String]
            package var added: [String]?
            package var removed: [String]?
            package var gone: Bool?
            package init(
                pasteboard: String, count: Int, owner: WireOwner, types: [String], added: [String]? = nil,
                removed: [String]? = nil, gone: Bool? = nil
            ) {
                self.pasteboard = pasteboard
                self.count = count
                self.owner = owner
                self.types = types
                self.added = added
                self.removed = removed
                self.gone = gone
            }
        }
    }
}
