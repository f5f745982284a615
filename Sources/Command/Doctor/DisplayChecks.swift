import BridgeClient
import CommandCore
import LinuxSystem
import PasteboardWire
import SystemPackage

/// The checks of the display and of its session.
extension Check {
    static let display = Check("display") { examination in
        switch examination.display {
        case .unset where examination.wayland != nil: return [.ok("DISPLAY is not set: the session has no X display")]
        case .unset where examination.status != nil:
            let display = examination.status?.display.map { "\($0), the display of the running bridge, is used" }
            return [.note("DISPLAY is not set; \(display ?? "the running bridge has no display either")")]
        case .unset:
            return [
                .warning(
                    "DISPLAY is not set, so nothing is shared with X11 programs",
                    advice: "set it to the display of your session\(there(in: LocalDisplays.present()))")
            ]
        case .noName(let value):
            return [
                .fault(
                    "DISPLAY is '\(value)', which is not a display's name",
                    advice: "set it to the display of your session\(there(in: LocalDisplays.present()))")
            ]
        case .answering(let wanted, let server):
            guard server.hasXFixes else {
                return [
                    .fault(
                        "the X server of \(wanted.name.canonical) has no XFixes extension, without which changes "
                            + "cannot be seen",
                        advice: "start it with that extension, without '-extension XFIXES'")
                ]
            }
            guard !wanted.name.isGuest else {
                let place = wanted.name.isForwarded ? "forwarded from another machine" : "the display of another user"
                return [
                    .note(
                        "\(wanted.name.canonical) is \(place): its bridge captures and stores nothing, and ends when no "
                            + "program uses it")
                ]
            }
            return [.ok("\(wanted.name.canonical) answers (\(server.vendor))")]
        case .failing(let wanted, let failure, let place):
            return [failed(wanted, failure, place, examination)]
        }
    }

    private static func there(in displays: [String]) -> String {
        displays.isEmpty ? "" : "; this machine has \(displays.joined(separator: ", "))"
    }

    private static func failed(
        _ wanted: RequestedDisplay, _ failure: XServer.Failure, _ place: String, _ examination: Examination
    ) -> Finding {
        let isRemote = wanted.name.socketPath == nil
        // The socket may be abstract, outside the file system.
        if case .absent = failure, !isRemote, examination.status?.attached == true {
            return .ok("the bridge is attached to \(wanted.name.canonical)")
        }
        let others = LocalDisplays.present().filter { $0 != wanted.name.canonical }
        let another =
            (isRemote ? "check that the session that forwards it still exists, or " : "")
            + "set DISPLAY to the display of your session\(there(in: others))"
        switch failure {
        case .absent where isRemote:
            return .fault("\(wanted.description) is not possible: there is no \(place)", advice: another)
        case .absent:
            return .fault("\(wanted.description) is stale: there is no X server socket at \(place)", advice: another)
        case .dead:
            return .fault("\(wanted.description) is stale: no X server listens at \(place)", advice: another)
        case .unknownHost:
            return .fault("the machine of \(wanted.description) is not known by that name", advice: another)
        case .unresolved:
            return .fault(
                "the machine of \(wanted.description) could not be looked up in time",
                advice: "check the network, or \(another)")
        case .unreachable(let error):
            return .fault(
                "the X server of \(wanted.description) cannot be reached at \(place): \(error)", advice: another)
        case .unanswered:
            return .fault(
                "the X server of \(wanted.description) does not answer: nothing comes back from \(place)",
                advice: "check the network, or \(another)")
        case .silent:
            return .fault(
                "the X server of \(wanted.description) accepts connections but does not answer",
                advice: "check whether it is stopped (kill -CONT resumes it), or grabbed by a program"
                    + (isRemote ? "; else \(another)" : ""))
        case .denied(let reason):
            return denied(wanted, reason, examination.environment)
        case .strange:
            return .fault("the listener at \(place) is not an X server", advice: another)
        }
    }

    private static func denied(
        _ wanted: RequestedDisplay, _ reason: String, _ environment: [String: String]
    ) -> Finding {
        let message = "the X server of \(wanted.description) refuses access: \(reason)"
        let renew = "set it to your session's file, as in the environment of the session's other programs"
        guard let authority = XAuthority(environment: environment) else {
            return .fault(
                message, advice: "neither XAUTHORITY nor HOME is set; set XAUTHORITY to the file of your session")
        }
        let isSet = environment["XAUTHORITY"].map { !$0.isEmpty } ?? false
        let name =
            isSet ? "XAUTHORITY, which is '\(authority.path)'," : "XAUTHORITY is not set, and '\(authority.path)'"
        if let problem = authority.problem {
            return .fault(message, advice: "\(name) cannot be read (\(problem)); \(isSet ? renew : "set XAUTHORITY")")
        }
        if DisplayState.entry(for: wanted, environment) == nil {
            return .fault(message, advice: "\(name) has no cookie for it; \(isSet ? renew : "set XAUTHORITY")")
        }
        return .fault(
            message, advice: "\(name) has the cookie of another X server; \(isSet ? renew : "set XAUTHORITY")")
    }

    /// Reports how much X11 programs see of Wayland programs.
    package static let session = Check("session") { examination in
        let isWayland =
            examination.variable("WAYLAND_DISPLAY") != nil
            || examination.variable("XDG_SESSION_TYPE") == "wayland" || examination.display.server?.isXwayland == true
        guard isWayland else { return [.ok("the session is an X11 session")] }
        if let display = examination.status?.wayland, display.attached {
            return [.ok("copies from Wayland programs are seen through \(display.protocol ?? "")")]
        }
        if let name = examination.wayland { return [seat(of: name, examination)] }
        let desktop = WaylandDesktop(environment: examination.environment)
        return [
            .note(
                "this is a Wayland session: copies from X11 programs are seen at once, copies from Wayland programs "
                    + "only when the compositor passes them on: \(desktop.passing)",
                advice: desktop.isOpen ? nil : "wl-copy and wl-paste reach the clipboard of Wayland at any time")
        ]
    }
}

extension Check {
    /// Reports why the bridge does not see the Wayland programs of its session.
    private static func seat(of name: WaylandName, _ examination: Examination) -> Finding {
        guard let status = examination.status else { return compositor(of: name, examination.timeout) }
        guard let display = status.wayland else {
            return .warning(
                "the bridge was started without WAYLAND_DISPLAY, so it sees no Wayland programs",
                advice: "start it from a program of the session: xpb bridge restart")
        }
        let reason = display.reason ?? "the compositor has not answered"
        guard examination.display.wanted == nil else {
            let passing = WaylandDesktop(environment: examination.environment).passing
            return .note(
                "copies from Wayland programs are seen only when the compositor passes them on: \(passing) (\(reason))")
        }
        return .warning(
            "copies from Wayland programs are not seen: \(reason)",
            advice: "sway, Hyprland, KWin, COSMIC and niri have such a protocol")
    }

    private static func compositor(of name: WaylandName, _ timeout: Duration) -> Finding {
        do throws(Errno) {
            _ = try UnixSocket.connect(to: name.socketPath, timeout: timeout)
            return .ok("the next command starts the bridge of Wayland display \(name.canonical)")
        } catch {
            return .fault(
                "WAYLAND_DISPLAY, which is '\(name.canonical)', is stale: no compositor listens at \(name.socketPath) "
                    + "(\(error))",
                advice: "set it to your session's display, as in the environment of the session's other programs")
        }
    }
}

/// The compositor, which decides what X11 programs such as the bridge see of the clipboard of Wayland programs.
package enum WaylandDesktop: Equatable {
    /// KWin gives X11 programs the selections only while an X11 window is active; its latest versions always do.
    case kde
    /// Mutter owns the X11 selections for every Wayland program that copies.
    case gnome
    /// wlroots owns the selections, and refuses conversions while no X11 window has the focus.
    case wlroots(String)
    /// Hyprland is like wlroots; with a setting it takes ownership again when an X11 window gets the focus.
    case hyprland
    case other

    package init(environment: [String: String]) {
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
        case .kde: "KWin does so while an X11 window is active, and always in its latest versions"
        case .gnome: "Mutter always does so"
        case .wlroots(let name):
            "\(name) announces each copy, but gives its contents only while an X11 window has the focus"
        case .hyprland: "Hyprland announces each copy, but gives its contents only while an X11 window has the focus"
        case .other: "most do so only while an X11 window has the focus"
        }
    }

    /// True if all copies from Wayland programs are seen.
    var isOpen: Bool { self == .gnome }
}
