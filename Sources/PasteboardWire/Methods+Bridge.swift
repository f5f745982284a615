/// The bridge itself.
extension Methods {
    package enum Status: WireMethod {
        package static let name = "Status"
        package typealias Parameters = NoParameters
        package struct Reply: Codable, Sendable {
            package var version: String
            package var process: Int
            package var display: String?
            package var attached: Bool
            package var clients: Int
            package var transfers: Int
            package var bytes: Int
            package var since: Int
            package var captures: [WireCapture]
            package var manager: WireOwner?
            package var store: WireStore
            package var lost: Int?
            package var limits: [WireLimit]
            package var refusals: [WireRefusal]
            package var underway: [WireTransfer]
            package init(
                version: String, process: Int, display: String?, attached: Bool, clients: Int, transfers: Int,
                bytes: Int, since: Int, captures: [WireCapture] = [], manager: WireOwner? = nil, store: WireStore,
                lost: Int? = nil, limits: [WireLimit] = [], refusals: [WireRefusal] = [], underway: [WireTransfer] = []
            ) {
                self.limits = limits
                self.refusals = refusals
                self.underway = underway
                self.lost = lost
                self.captures = captures
                self.manager = manager
                self.store = store
                self.version = version
                self.process = process
                self.display = display
                self.attached = attached
                self.clients = clients
                self.transfers = transfers
                self.bytes = bytes
                self.since = since
            }
        }
    }

    package enum Attach: WireMethod {
        package static let name = "Attach"
        package struct Parameters: Codable, Sendable {
            package var display: String
            package var authority: String?
            package var timeout: Int?
            package init(display: String, authority: String? = nil, timeout: Int? = nil) {
                self.display = display
                self.authority = authority
                self.timeout = timeout
            }
        }
        package typealias Reply = NoParameters
    }

    package enum Declare: WireMethod {
        package static let name = "Declare"
        package struct Parameters: Codable, Sendable {
            package var types: [WireTypeDeclaration]
            package init(types: [WireTypeDeclaration]) { self.types = types }
        }
        package typealias Reply = NoParameters
    }

    package enum Settings: WireMethod {
        package static let name = "Settings"
        package typealias Parameters = NoParameters
        package struct Reply: Codable, Sendable {
            package var settings: [WireSetting]
            package init(settings: [WireSetting]) { self.settings = settings }
        }
    }

    package enum Stop: WireMethod {
        package static let name = "Stop"
        package typealias Parameters = NoParameters
        package typealias Reply = NoParameters
    }
}
