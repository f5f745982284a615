/// Bytes in pieces, for clients that pass no descriptors.
extension Methods {
    /// An upload or download of the connection.
    package struct Handle: Codable, Sendable {
        package var handle: String
        package init(handle: String) { self.handle = handle }
    }

    package struct Length: Codable, Sendable {
        package var length: Int
        package init(length: Int) { self.length = length }
    }

    package enum Read: WireMethod {
        package static let name = "Read"
        package struct Parameters: Codable, Sendable {
            package var handle: String
            package var offset: Int
            package var length: Int
            package init(handle: String, offset: Int, length: Int) {
                self.handle = handle
                self.offset = offset
                self.length = length
            }
        }
        package struct Reply: Codable, Sendable {
            /// Base64.
            package var data: String
            package init(data: String) { self.data = data }
        }
    }

    package enum Begin: WireMethod {
        package static let name = "Begin"
        package typealias Parameters = NoParameters
        package typealias Reply = Handle
    }

    package enum Append: WireMethod {
        package static let name = "Append"
        package struct Parameters: Codable, Sendable {
            package var handle: String
            /// Base64.
            package var data: String
            package init(handle: String, data: String) {
                self.handle = handle
                self.data = data
            }
        }
        package typealias Reply = Length
    }

    package enum Commit: WireMethod {
        package static let name = "Commit"
        package typealias Parameters = Handle
        package typealias Reply = Length
    }

    package enum Release: WireMethod {
        package static let name = "Release"
        package typealias Parameters = Handle
        package typealias Reply = NoParameters
    }
}
