/// Where a user's files are, after the XDG Base Directory Specification: a path that is not absolute counts as unset.
package struct BaseFolders: Equatable, Sendable {
    /// What programs keep their settings in; nil without HOME.
    package let config: String?
    /// What programs keep of their own accord, and no user writes; nil without HOME.
    package let state: String?
    /// Shared data, the user's own first.
    package let data: [String]

    package init(environment: [String: String]) {
        func absolute(_ path: String?) -> String? {
            path.flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
        }
        let home = absolute(environment["HOME"])
        config = absolute(environment["XDG_CONFIG_HOME"]) ?? home.map { "\($0)/.config" }
        state = absolute(environment["XDG_STATE_HOME"]) ?? home.map { "\($0)/.local/state" }
        let named = environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
        let own = absolute(environment["XDG_DATA_HOME"]) ?? home.map { "\($0)/.local/share" }
        let shared = named.split(separator: ":").compactMap { absolute(String($0)) }
        // No system has as many; each costs some failed calls of open(2).
        data = ([own].compactMap(\.self) + shared.prefix(63))
    }
}
