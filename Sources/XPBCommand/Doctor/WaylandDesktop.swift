/// What compositors let X11 programs, which the bridge is one of, see of the clipboard of Wayland ones.
enum WaylandDesktop: Equatable {
    /// KWin gives X11 programs the selections only while an X11 window is active, else takes them away; of late it does not.
    case kde
    /// Mutter owns the X11 selections for every Wayland program that copies.
    case gnome
    /// wlroots owns them, and refuses to tell what is there while no X11 window has the focus.
    case wlroots(String)
    /// The same; with a setting it owns them once more when an X11 window gets the focus.
    case hyprland
    case other

    init(environment: [String: String]) {
        func isSet(_ name: String) -> Bool { environment[name].map { !$0.isEmpty } ?? false }
        let names = (environment["XDG_CURRENT_DESKTOP"] ?? "").lowercased().split(separator: ":").map(String.init)
        let known = ["sway", "labwc", "wayfire", "river", "wlroots"]
        if names.contains("kde") {
            self = .kde
        } else if names.contains("gnome") {
            self = .gnome
        } else if names.contains("hyprland") || isSet("HYPRLAND_INSTANCE_SIGNATURE") {
            self = .hyprland
        } else if let name = names.first(where: known.contains) ?? (isSet("SWAYSOCK") ? "sway" : nil) {
            self = .wlroots(name)
        } else {
            self = .other
        }
    }

    var passing: String {
        switch self {
        case .kde: "KWin does so while an X11 window is active, in its latest versions always"
        case .gnome: "Mutter does so always"
        case .wlroots(let name):
            "\(name) tells that there is something, and what only while an X11 window has the focus"
        case .hyprland: "Hyprland tells that there is something, and what only while an X11 window has the focus"
        case .other: "most do so only while an X11 window has the focus"
        }
    }

    /// Whether nothing is hidden.
    var isOpen: Bool { self == .gnome }
}
