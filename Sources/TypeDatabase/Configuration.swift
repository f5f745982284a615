package import UniformTypes

/// How the bridge is to behave, as its user writes it into `config.json` in the folder of xpb's settings.
package struct Configuration: Equatable, Sendable {
    /// Types that can be derived from those a source gives are on offer, too.
    package var derive = true
    /// In the order they are written; no two are of the same types.
    package var filters: [Filter] = []
    /// How long a filter may take, in seconds.
    package var filterTimeout = 10.0
    /// The most bytes a filter may make.
    package var filterLimit = 256 << 20

    /// A program that makes one type of another. It reads the one from its standard input and writes the other to its
    /// standard output.
    package struct Filter: Equatable, Sendable {
        package let source: UniformType
        package let result: UniformType
        /// The program and its arguments; no shell reads them.
        package let command: [String]
    }

    package init() {}

    /// The most bytes of a file that counts.
    package static let fileLimit = 1 << 20

    /// - Parameter file: What faults call the file.
    /// - Returns: What can be used, and what is wrong with the rest, in place of which the default counts.
    package static func parse(
        _ bytes: [UInt8], file: String = "config.json"
    ) -> (configuration: Configuration, faults: [FileFault]) {
        let object = JSONObject(file: bytes, limit: fileLimit)
        var reader = ConfigurationReader(object)
        reader.read()
        let faults = (object.faults + reader.faults).sorted { $0.line < $1.line }
        let told = faults.prefix(JSONObjectScanner.faultLimit)
        return (reader.configuration, told.map { FileFault(file: file, line: $0.line, message: $0.message) })
    }

    /// - Returns: The stamp is that of the file as it was read; nil where there was none.
    package static func read(_ file: UserFile) -> (configuration: Configuration, faults: [FileFault], stamp: FileStamp?)
    {
        let contents = file.read(limit: fileLimit)
        let (configuration, faults) = parse(contents.bytes, file: file.path)
        return (configuration, [contents.fault].compactMap(\.self) + faults, contents.stamp)
    }
}
