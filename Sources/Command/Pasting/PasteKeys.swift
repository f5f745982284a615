/// The keys by which programs paste.
package enum PasteKeys: Equatable {
    case controlV
    /// The keys of most terminals, which leave Ctrl+V to the program in them.
    case controlShiftV
    /// The keys of editors in which Ctrl+V does something else.
    case shiftInsert
    /// The keys of terminals that paste PRIMARY and have none for CLIPBOARD.
    case shiftInsertOfPrimary

    /// Chooses the keys by the class of an X11 window, the second string of WM_CLASS (ICCCM, 4.1.2.5), or by the
    /// `app_id` of a Wayland window (xdg-shell).
    package init(ofClass name: String) {
        let name = name.lowercased()
        let byClass: [(keys: PasteKeys, names: Set<String>)] = [
            (.shiftInsertOfPrimary, ["xterm", "uxterm", "urxvt", "rxvt", "mlterm"]),
            (.shiftInsert, ["emacs", "emacs-gtk", "emacs-lucid", "emacs-pgtk", "gvim"]),
            (
                .controlShiftV,
                [
                    "alacritty", "com.mitchellh.ghostty", "contour", "cool-retro-term", "deepin-terminal", "foot",
                    "gnome-terminal", "guake", "kgx", "kitty", "konsole", "lxterminal", "mate-terminal",
                    "org.gnome.console", "org.gnome.ptyxis", "org.wezfurlong.wezterm", "qterminal", "rio", "roxterm",
                    "sakura", "st-256color", "terminator", "terminology", "tilix", "xfce4-terminal", "yakuake",
                ]
            ),
        ]
        self = byClass.first { $0.names.contains(name) }?.keys ?? .controlV
    }

    /// True if the program pastes PRIMARY.
    package var pastesPrimary: Bool { self == .shiftInsertOfPrimary }

    /// The keys that are held down, and the key that is pressed after them.
    var stroke: (held: [PasteKey], pressed: PasteKey) {
        switch self {
        case .controlV: ([.leftControl], .v)
        case .controlShiftV: ([.leftControl, .leftShift], .v)
        case .shiftInsert, .shiftInsertOfPrimary: ([.leftShift], .insert)
        }
    }

    /// The modifiers that are in effect while the last key is pressed.
    var modifiers: KeyModifiers { stroke.held.reduce([]) { $0.union($1.modifiers) } }

    /// The keys as a message names them.
    var description: String {
        switch self {
        case .controlV: "Ctrl+V"
        case .controlShiftV: "Ctrl+Shift+V"
        case .shiftInsert, .shiftInsertOfPrimary: "Shift+Insert"
        }
    }
}

/// A key of a keyboard.
enum PasteKey {
    case leftControl
    case leftShift
    case v
    case insert

    /// The modifiers that are in effect while the key is down.
    var modifiers: KeyModifiers {
        switch self {
        case .leftControl: .control
        case .leftShift: .shift
        case .v, .insert: []
        }
    }
}

/// The modifiers of a keyboard, by their bits in X11 and XKB.
struct KeyModifiers: OptionSet {
    let rawValue: UInt32

    static let shift = KeyModifiers(rawValue: 1)
    static let control = KeyModifiers(rawValue: 4)
    static let alt = KeyModifiers(rawValue: 8)
    static let `super` = KeyModifiers(rawValue: 64)
    /// The modifiers that change a shortcut: not Caps Lock (2) and not Num Lock (16, by convention).
    static let ofShortcuts: KeyModifiers = [.shift, .control, .alt, .super]
}
