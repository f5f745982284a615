/// Pasteboards of an app's own.
extension Methods {
    package enum Create: WireMethod {
        package static let name = "Create"
        package struct Parameters: Codable, Sendable {
            package var pasteboard: String?
            package var persistent: Bool?
            package var lasting: Bool?
            package init(pasteboard: String? = nil, persistent: Bool? = nil, lasting: Bool? = nil) {
                self.pasteboard = pasteboard
                self.persistent = persistent
                self.lasting = lasting
            }
        }
        package struct Reply: Codable, Sendable {
            package var pasteboard: String
            package var created: Bool
            package init(pasteboard: String, created: Bool) {
                self.pasteboard = pasteboard
                self.created = created
            }
        }
    }

    package enum Persist: WireMethod {
        package static let name = "Persist"
        package struct Parameters: Codable, Sendable {
            package var pasteboard: String
            package var persistent: Bool
            package init(pasteboard: String, persistent: Bool) {
                self.pasteboard = pasteboard
                self.persistent = persistent
            }
        }
        package typealias Reply = NoParameters
    }

    package enum Remove: WireMethod {
        package static let name = "Remove"
        package typealias Parameters = PasteboardName
        package typealias Reply = NoParameters
    }
}
