public import FoundationEssentials

/// A board's data about a tile, in addition to its contents: the JSON representation `org.xpb.board.tile`.
public struct TileDescription: Codable, Hashable, Sendable {
    /// The type of the representation.
    public static let type = "org.xpb.board.tile"
    /// The version that this program writes, and the latest version that it reads.
    public static let currentVersion = 1

    /// The version of the format.
    public var version = TileDescription.currentVersion
    /// The name of the tile, which is the same in all windows.
    public var id: String
    /// The place of the upper left corner on the board.
    public var x: Double, y: Double
    /// The size.
    public var width: Double, height: Double
    /// The color as `#rrggbb`, for a color tile; nil for other tiles.
    public var color: String?
    /// The radius of the corners.
    public var corners: Double = 6
    /// A label below the contents; empty for none.
    public var label: String = ""

    /// Makes the description of a tile with a new name.
    public init(x: Double = 0, y: Double = 0, width: Double, height: Double, color: HexColor? = nil) {
        id = TileDescription.newIdentifier()
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.color = color?.text
    }

    /// Returns a name that no other tile has.
    public static func newIdentifier() -> String { UUID().uuidString.lowercased() }

    /// The color of a color tile.
    public var hexColor: HexColor? { color.flatMap(HexColor.init) }

    /// The result of reading a description.
    public enum Reading: Hashable, Sendable {
        /// A description of a known version.
        case known(TileDescription)
        /// A description of a later version, which is kept as it is.
        case newer(version: Int)
        /// Bytes that are not a description, which are kept as they are.
        case damaged
    }

    private struct Version: Decodable {
        var version: Int
    }

    /// Reads a description.
    public static func read(_ data: Data) -> Reading {
        let decoder = JSONDecoder()
        guard let version = try? decoder.decode(Version.self, from: data).version else { return .damaged }
        guard version <= currentVersion else { return .newer(version: version) }
        guard let description = try? decoder.decode(TileDescription.self, from: data), description.isValid else {
            return .damaged
        }
        return .known(description)
    }

    private var isValid: Bool {
        let numbers = [x, y, width, height, corners]
        return numbers.allSatisfy { $0.isFinite && abs($0) < 1e6 } && width > 0 && height > 0 && !id.isEmpty
            && (color == nil || hexColor != nil)
    }

    /// The bytes of the representation.
    public var data: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return (try? encoder.encode(self)) ?? Data()
    }

    private enum CodingKeys: String, CodingKey { case version, id, x, y, width, height, color, corners, label }

    /// Reads a description. Missing corners get the default radius, and a missing label is empty.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        version = try values.decode(Int.self, forKey: .version)
        id = try values.decodeIfPresent(String.self, forKey: .id) ?? TileDescription.newIdentifier()
        x = try values.decode(Double.self, forKey: .x)
        y = try values.decode(Double.self, forKey: .y)
        width = try values.decode(Double.self, forKey: .width)
        height = try values.decode(Double.self, forKey: .height)
        color = try values.decodeIfPresent(String.self, forKey: .color)
        corners = try values.decodeIfPresent(Double.self, forKey: .corners) ?? 6
        label = try values.decodeIfPresent(String.self, forKey: .label) ?? ""
    }
}
