import Configuration
import Glibc
import LinuxSystem
import Logging
import PasteboardWire
import SelectionProtocol

/// The role of the display's clipboard manager, as it is known here: the selection CLIPBOARD_MANAGER (freedesktop.org,
/// "Clipboard Manager Specification").
struct ManagerRole {
    static let selection = "CLIPBOARD_MANAGER"
    /// The target by which programs that are about to end have their contents taken.
    static let save = "SAVE_TARGETS"

    enum Holder {
        case nobody
        /// This bridge, with the version that it offers on the selection.
        case bridge(OfferID)
        case other(WindowID)
    }

    /// Nil where there is no display to know it of.
    var holder: Holder?
    /// Since when, in milliseconds of the Unix epoch.
    var since = 0
    /// What is behind the window of another holder, once it is told.
    var process: Int32?
    var program: String?
    /// What the selection is being claimed with.
    var claiming: OfferID?
}

extension Service {
    // MARK: Who is one

    /// Whether a window belongs to a clipboard manager: the one that has the role, or a program that the settings call so.
    /// What such a program reads is no paste.
    func isManager(_ window: WindowID, _ finish: @escaping (Bool) -> Void) {
        link.identify(window, within: .seconds(1)) { [self] process in
            finish(process.map { isManager(process: $0) } ?? false)
        }
    }

    /// The same of a process.
    func isManager(process: Int32) -> Bool {
        if case .other = manager.holder, manager.process == process { return true }
        guard let program = ProcessName.of(process) else { return false }
        // The kernel keeps 15 bytes of a name.
        return settings.configuration.managers.contains {
            $0 == program || Array($0.utf8.prefix(15)) == Array(program.utf8)
        }
    }

    /// Who has the role, for the status.
    var managerOwner: WireOwner? {
        switch manager.holder {
        case nil: nil
        case .nobody: WireOwner(kind: .none, since: manager.since)
        case .bridge:
            WireOwner(
                kind: .client, process: Int(getpid()), program: ProcessName.of(getpid()), since: manager.since)
        case .other(let window):
            WireOwner(
                kind: .window, window: Int(window.id), process: manager.process.map { Int($0) },
                program: manager.program, since: manager.since)
        }
    }

    // MARK: Being it

    /// Another has the role, or nobody has: then it is taken.
    func managerChanged(to owner: OwnershipTracker.Owner) {
        manager.since = UnixTime.now
        manager.process = nil
        manager.program = nil
        // A claim that is on its way was for what was there before.
        manager.claiming = nil
        switch owner {
        case .none: manager.holder = .nobody
        case .ours(let offer): manager.holder = .bridge(offer)
        case .foreign(let window):
            if case .bridge = manager.holder { logger.notice("another program became the clipboard manager") }
            manager.holder = .other(window)
            identifyManager(window)
        }
        refreshManager()
    }

    private func identifyManager(_ window: WindowID) {
        link.identify(window, within: .seconds(5)) { [self] process in
            guard case .other(window) = manager.holder else { return }
            manager.process = process
            manager.program = process.flatMap { ProcessName.of($0) }
        }
    }

    /// Takes the role where nobody has it and the settings say so, and gives it up where they do not.
    func refreshManager() {
        let isWanted = settings.configuration.manager && !link.isForwarded && !isLeaving
        switch manager.holder {
        case .nobody where isWanted && manager.claiming == nil: takeManagerRole()
        case .bridge(let offer) where !settings.configuration.manager: link.retract(offer)
        default: break
        }
    }

    private func takeManagerRole() {
        let id = nextVersion()
        manager.claiming = id
        let save = Offer.Target(name: ManagerRole.save, type: "NULL", body: 0)
        let offer = Offer(
            id: id, selection: ManagerRole.selection, targets: [save],
            bodies: [Offer.Body(content: .performed(within: Self.savingTime))])
        // Nobody waits for it: a server that stands still gives it when it can.
        link.occupy(offer, within: Patience.longest) { [self] outcome in
            if manager.claiming == id { manager.claiming = nil }
            switch outcome {
            case .done: logger.info("this bridge is the clipboard manager")
            // Who was faster is told by a change of its own.
            case .lost, .silent, .noDisplay, .nameless: logger.debug("not the clipboard manager: \(outcome)")
            }
        }
    }
}
