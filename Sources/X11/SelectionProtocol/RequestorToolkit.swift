/// The toolkit of a requestor, as far as it matters for the time that a request waits for its answer.
///
/// Each toolkit asks for its answer in a property with its own name, so the request itself shows the toolkit. The times
/// are those after which the toolkits of Debian 12 give up, as measured or as read in their sources, less a margin for
/// the answer.
package enum RequestorToolkit: Sendable, Equatable {
    /// GTK 2, 3 and 4, and with them most of a desktop. GTK 3 gives up after 31 seconds, GTK 4 never; for SAVE_TARGETS,
    /// both wait for 10 seconds. Firefox pastes nothing after a second, and ignores a later answer.
    case gtk
    /// Qt 5 and 6 give up after 5 seconds, and take a later answer for the answer to their next request.
    case qt
    /// Chromium and Electron paste nothing after 3 seconds. Versions until 2025 gave up after one second.
    case chromium
    /// libXt gives up after 5 seconds.
    case xt
    /// Emacs can be interrupted while it waits, and gives up after 20 seconds at the latest.
    case emacs
    /// Java gives up after 10 seconds.
    case java
    /// mutter, GNOME's compositor, asks on behalf of Wayland programs. It gives up after 15 seconds.
    case mutter
    /// xclip and xsel wait as long as it takes.
    case commandLine
    /// Any other requestor. SDL, GLFW and Tk do not redraw their windows while they wait; SDL owns the selection itself
    /// after a second without text.
    case other

    /// - Parameters:
    ///   - property: The name of the property in the request; nil if the request has none.
    ///   - saves: True for SAVE_TARGETS, for which GTK names no property if all targets are to be saved.
    package init(property: String?, saves: Bool = false) {
        self =
            switch property {
            case nil where saves: .gtk
            case let name? where name.hasPrefix("GDK_SELECTION"): .gtk
            case "_QT_SELECTION": .qt
            case "CHROME_SELECTION", "CHROMIUM_SELECTION": .chromium
            case let name? where name.hasPrefix("_XT_SELECTION"): .xt
            case let name? where name.hasPrefix("_EMACS_TMP_"): .emacs
            case "XAWT_SELECTION": .java
            case "META_SELECTION": .mutter
            case "XCLIP_OUT", "XSEL_DATA": .commandLine
            default: .other
            }
    }

    /// The maximum time that a request waits for data; nil for the time of the offer, which suits every requestor.
    package var answerTimeout: Duration? {
        switch self {
        case .gtk, .commandLine: .seconds(25)
        case .chromium: .seconds(3)
        case .qt, .xt: .milliseconds(4_500)
        case .emacs, .java: .seconds(9)
        case .mutter: .seconds(14)
        case .other: nil
        }
    }

    /// The maximum time that a program waits for the answer to SAVE_TARGETS; nil if it is unknown.
    package var saveTimeout: Duration? {
        switch self {
        case .gtk: .seconds(9)
        case .qt: .milliseconds(4_500)
        case .chromium, .xt, .emacs, .java, .mutter, .commandLine, .other: nil
        }
    }
}
