/// The layout of the keyboard on which a command types: only the keys to paste, at their places on a keyboard of the
/// United States, since some programs go by the place.
enum VirtualKeymap {
    /// The layout in the format of XKB, whose numbers of keys are higher by 8. The layout includes no other files: a
    /// program in a sandbox may lack them.
    static let text = """
        xkb_keymap {
        xkb_keycodes {
            minimum = 8; maximum = 255;
            <LCTL> = 37; <LFSH> = 50; <AB04> = 55; <INS> = 118;
        };
        xkb_types {
            type "ONE_LEVEL" { modifiers = none; level_name[Level1] = "Any"; };
            type "TWO_LEVEL" {
                modifiers = Shift; map[Shift] = Level2;
                level_name[Level1] = "Base"; level_name[Level2] = "Shift";
            };
            type "ALPHABETIC" {
                modifiers = Shift + Lock; map[Shift] = Level2; map[Lock] = Level2;
                level_name[Level1] = "Base"; level_name[Level2] = "Caps";
            };
            type "KEYPAD" {
                modifiers = Shift; map[Shift] = Level2;
                level_name[Level1] = "Base"; level_name[Level2] = "Number";
            };
        };
        xkb_compatibility {
            interpret Control_L { action = SetMods(modifiers = Control); };
            interpret Shift_L { action = SetMods(modifiers = Shift); };
        };
        xkb_symbols {
            key <LCTL> { [ Control_L ] };
            key <LFSH> { [ Shift_L ] };
            key <AB04> { type = "TWO_LEVEL", [ v, V ] };
            key <INS> { [ Insert ] };
            modifier_map Control { <LCTL> };
            modifier_map Shift { <LFSH> };
        };
        };
        """
}

extension PasteKey {
    /// The number, as in `linux/input-event-codes.h`.
    var eventCode: UInt32 {
        switch self {
        case .leftControl: 29
        case .leftShift: 42
        case .v: 47
        case .insert: 110
        }
    }
}
