package import LinuxSystem

/// The other programs that `xpb` replaces when it is called by their names.
package enum DropInName: String, CaseIterable, Sendable {
    case xclip
    case xsel
    case pbcopy
    case pbpaste
    case wlCopy = "wl-copy"
    case wlPaste = "wl-paste"

    /// Fails if the program was called by another name. For `xpb` itself, this takes one comparison of three bytes.
    package init?(_ arguments: ThisProcess.ArgumentBytes) {
        guard !arguments.programIs("xpb") else { return nil }
        if arguments.programIs("xclip") {
            self = .xclip
        } else if arguments.programIs("xsel") {
            self = .xsel
        } else if arguments.programIs("pbcopy") {
            self = .pbcopy
        } else if arguments.programIs("pbpaste") {
            self = .pbpaste
        } else if arguments.programIs("wl-copy") {
            self = .wlCopy
        } else if arguments.programIs("wl-paste") {
            self = .wlPaste
        } else {
            return nil
        }
    }
}
