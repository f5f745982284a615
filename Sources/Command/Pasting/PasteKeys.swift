/// The keys by which programs paste.
package enum PasteKeys: Equatable {
    case controlV
    /// The keys of most terminals, which leave Ctrl+V to the program in them.
    case controlShiftV
    /// The keys of editors in which Ctrl+V does something else.
    case shiftInsert
    /// The keys of terminals that paste PRIMARY and have none for CLIPBOARD.
    case shiftInsertOfPrimary

    /// Chooses the keys by the class of a window, the second string of WM_CLASS (ICCCM, 4.1.2.5).
    package init(ofClass name: String) {
        let name = name.lowercased()
        let byClass: [(keys: PasteKeys, names: Set<String>)] = [
            (.shiftInsertOfPrimary, ["xterm", "uxterm", "urxvt", "rxvt", "mlterm"]),
            (.shiftInsert, ["emacs", "gvim"]),
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
    var symbols: (held: [XKeyboard.Symbol], pressed: XKeyboard.Symbol) {
        switch self {
        case .controlV: ([.leftControl], .v)
        case .controlShiftV: ([.leftControl, .leftShift], .v)
        case .shiftInsert, .shiftInsertOfPrimary: ([.leftShift], .insert)
        }
    }

    var modifiers: XKeyboard.Modifiers {
        switch self {
        case .controlV: .control
        case .controlShiftV: [.control, .shift]
        case .shiftInsert, .shiftInsertOfPrimary: .shift
        }
    }

    /// The keys as a message names them.
    var description: String {
        switch self {
        case .controlV: "Ctrl+V"
        case .controlShiftV: "Ctrl+Shift+V"
        case .shiftInsert, .shiftInsertOfPrimary: "Shift+Insert"
        }
    }
}
