/// X11 selection targets: which stand for contents, and under which a type is offered.
package enum X11Targets {
    /// The names a representation is offered under, best first and never empty.
    ///
    /// - Parameters:
    ///   - given: The name it was written or seen under. It is among the names whatever else is.
    ///   - exact: Offer `given` and nothing derived from it.
    ///
    /// Whether a text can go out as STRING, TEXT or COMPOUND_TEXT depends on its characters: the names are only
    /// candidates there.
    package static func names(for type: UniformType, given: String?, exact: Bool) -> [String] {
        if exact, let given { return [given] }
        var names = Declarations.shared.declaration(ofKey: type.key)?.offered ?? []
        if names.isEmpty, let dynamic = DynamicType(identifier: type.key),
            let name = dynamic.value(of: .mimeType) ?? dynamic.value(of: .pasteboardType)
        {
            names = [name]
        }
        if let given, !names.contains(given) { names.insert(given, at: 0) }
        if names.isEmpty { names = [type.identifier] }
        return exact ? [names[0]] : names
    }

    /// Whether a target is a part of the protocol, tells something about its owner or has a side effect. Such a target is
    /// never a type, and is never asked of a foreign owner but by the protocol itself.
    package static func isProtocolTarget(_ target: String) -> Bool { protocolTargets.contains(target) }

    /// Whether a target stands for contents that mean nothing outside its owner's program, or is a marker of a toolkit or
    /// of ours: not listed, not kept.
    package static func isNoise(_ target: String) -> Bool {
        noise.contains(target) || noisePrefixes.contains { target.hasPrefix($0) }
    }

    /// ICCCM, section 2.6.2 and 2.6.3, with what Motif, GTK and XDND add.
    private static let protocolTargets: Set = [
        "TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS", "INCR", "DELETE", "INSERT_SELECTION", "INSERT_PROPERTY",
        "ATOM", "ATOM_PAIR", "INTEGER", "SPAN", "LENGTH", "LIST_LENGTH", "CLASS", "CLIENT_WINDOW", "NAME", "OWNER_OS",
        "USER", "HOSTNAME", "HOST_NAME", "IP_ADDRESS", "PROCESS", "TASK", "MODULE", "LINE_NUMBER", "COLUMN_NUMBER",
        "CHARACTER_POSITION", "PROCEDURE", "FOREGROUND", "BACKGROUND", "FONT", "DRAWABLE", "COLORMAP", "PIXEL",
        "_SGI_FAMILY", "_MOTIF_CLIPBOARD_TARGETS", "_MOTIF_DEFERRED_CLIPBOARD_TARGETS", "_MOTIF_SNAPSHOT",
        "_MOTIF_DROP", "_MOTIF_EXPORT_TARGETS", "XdndDirectSave0",
    ]

    private static let noise: Set = [
        "PIXMAP", "BITMAP", "GTK_TEXT_BUFFER_CONTENTS", "application/x-qt-image", "application/x-moz-nativeimage",
        "application/x-moz-file", "property/bgimage", "x-special/gnome-icon-list", "application/x-xpb-origin",
    ]

    private static let noisePrefixes = ["TK_", "chromium/x-internal-"]
}
