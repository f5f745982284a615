import JSONC
package import UserFiles

/// An editor of the text of a `config.json`. All other text, including comments, keeps its bytes.
///
/// Text is refused if the places of its members are uncertain, with the fault as the reason.
package struct ConfigurationEditor {
    private let object: JSONObject
    private let file: String

    /// - Parameter file: The name of the file in faults.
    package init(_ bytes: [UInt8], file: String) {
        object = JSONObject(file: bytes, limit: Configuration.maxFileSize)
        self.file = file
    }

    /// Sets a key to a value in JSON: in its place, or at the end.
    package func setting(_ key: ConfigurationKey, to json: String) throws(FileFault) -> [UInt8] {
        let members = try members(of: key)
        let editor = JSONObjectEditor(object)
        let text = members.first.map { editor.replacing($0, with: json) } ?? editor.adding(key.name, json)
        guard text.count <= Configuration.maxFileSize else {
            throw FileFault(
                file: file, line: nil, message: "it would have more than \(Configuration.maxFileSize) bytes")
        }
        return text
    }

    /// Removes a key, which then has its default; returns nil if the text does not have the key.
    package func removing(_ key: ConfigurationKey) throws(FileFault) -> [UInt8]? {
        let members = try members(of: key)
        return members.isEmpty ? nil : JSONObjectEditor(object).removing(members)
    }

    private func members(of key: ConfigurationKey) throws(FileFault) -> [JSONObject.Member] {
        if let fault = object.structuralFault {
            throw FileFault(file: file, line: fault.line, message: fault.message)
        }
        return object.members.filter { $0.key == key.name }
    }
}

extension ConfigurationKey {
    /// Returns names as an array in JSON.
    package static func json(ofNames names: [String]) -> String {
        ConfigurationKind<[String]>.names.json(names)
    }

    /// Returns a value as JSON for the file; nil if it is invalid.
    ///
    /// - Parameter text: The value as a variable has it: JSON, or words.
    package func json(of text: String) -> String? {
        var configuration = Configuration()
        guard let faults = set(ConfigurationValue(variable: text), &configuration), faults.isEmpty else { return nil }
        return json(configuration)
    }
}

extension UserFile {
    /// Changes the text of the settings: see ``UserFile/change(limit:_:)``.
    package func changeConfiguration(
        _ edit: (ConfigurationEditor) throws(FileFault) -> [UInt8]?
    ) throws(ChangeFailure) -> Bool {
        try change(limit: Configuration.maxFileSize) { (bytes) throws(FileFault) in
            try edit(ConfigurationEditor(bytes, file: path))
        }
    }
}
