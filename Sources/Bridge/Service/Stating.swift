import Configuration
import Glibc
import LinuxSystem
import PasteboardModel
import PasteboardWire
import SelectionProtocol
import X11Display

/// Telling the state: `Count`, `GetOwner`, `List`, `Status`, `Settings`.
extension Service {
    func count(_ name: String, _ finish: (Answer<Methods.Count.Reply>) -> Void) {
        do throws(BridgeError) {
            // Made where there is none: who takes a count waits for it to rise, and changes are counted from now on.
            finish(.reply(Methods.Count.Reply(count: try boardToWrite(named: name).count)))
        } catch {
            finish(.failure(error))
        }
    }

    // MARK: Owners

    /// Who holds a pasteboard, as far as it is known without asking the X server.
    func owner(of board: Board) -> WireOwner {
        switch board.holder {
        case .nobody: WireOwner(kind: .none, since: board.since)
        case .client(let version):
            WireOwner(
                kind: .client, process: Int(version.writer.process), program: version.writer.program,
                since: board.since)
        case .foreign(let window): WireOwner(kind: .window, window: Int(window), since: board.since)
        }
    }

    func owner(_ name: String, _ finish: @escaping (Answer<Methods.GetOwner.Reply>) -> Void) {
        do throws(BridgeError) {
            identified(owner(of: try board(named: name)), seeksChild: true) {
                finish(.reply(Methods.GetOwner.Reply(owner: $0)))
            }
        } catch {
            finish(.failure(error))
        }
    }

    /// The same with the process and the program behind a window, where that is told in time.
    ///
    /// - Parameter seeksChild: Whether who has the connection of a process that has ended is looked for, which takes a while.
    func identified(
        _ owner: WireOwner, within patience: Duration = .seconds(1), seeksChild: Bool = false,
        _ finish: @escaping (WireOwner) -> Void
    ) {
        guard let window = owner.window else { return finish(owner) }
        link.identify(WindowID(UInt32(window)), within: patience) { process in
            var owner = owner
            // A program that connects and leaves its work to a child, as xclip does, is gone, and its number another's soon.
            guard let process else { return finish(owner) }
            if seeksChild || !ProcessState.hasEnded(process) {
                let holder = ConnectionHolder(openedBy: process)
                (owner.process, owner.program, owner.ended) = (holder.process, holder.program, holder.ended)
            }
            finish(owner)
        }
    }

    // MARK: Lists

    func list(_ finish: @escaping (Answer<Methods.List.Reply>) -> Void) {
        var boards = table.all.map { board in
            WireBoard(
                name: board.name.string, selection: board.selection, count: board.count, items: items(on: board),
                owner: owner(of: board), persistent: board.isPersistent)
        }
        // All at once: an X server that stands still is waited for once.
        var awaited = boards.count
        for index in boards.indices {
            identified(boards[index].owner, within: Self.standstill) { owner in
                boards[index].owner = owner
                awaited -= 1
                if awaited == 0 { finish(.reply(Methods.List.Reply(boards: boards))) }
            }
        }
    }

    /// X11 knows one item.
    private func items(on board: Board) -> Int {
        switch board.holder {
        case .nobody: 0
        case .client(let version): version.contents.items.count
        case .foreign: 1
        }
    }

    /// An X server that stands still is waited for shortly; then what was known of its transfers is told.
    func status(_ finish: @escaping (Methods.Status.Reply) -> Void) {
        link.tellTraffic(within: Self.standstill) { [self] traffic in finish(status(traffic)) }
    }

    private func status(_ traffic: DisplayTraffic) -> Methods.Status.Reply {
        // A blob is shared by the representations that are ranges of it, and by several pasteboards.
        var blobs: [ObjectIdentifier: Int] = [:]
        let versions = table.all.flatMap { [$0.version, $0.captured] }.compactMap(\.self)
        for held in versions.flatMap(\.blobs).compactMap(\.held) {
            blobs[held.identity] = held.length
        }
        return Methods.Status.Reply(
            version: BridgeVersion.current, process: Int(getpid()), display: link.display, attached: link.isAttached,
            clients: clientCount(), transfers: link.transfers, bytes: blobs.values.reduce(0, +), since: started,
            captures: captures, manager: managerOwner, store: storeStatus, lost: link.display == nil ? nil : lostSince,
            limits: limits(traffic), refusals: refusals.merging(traffic.refusals).all,
            underway: named(traffic.transfers))
    }

    private var storeStatus: WireStore {
        switch store.state {
        case .none(let reason): WireStore(state: .memory, reason: reason, folder: store.folder)
        case .open where !settings.configuration.persist:
            WireStore(state: .memory, reason: "the setting 'persist' is false", folder: store.folder)
        case .refusing(let reason): WireStore(state: .refusing, reason: reason, folder: store.folder)
        case .open:
            WireStore(
                state: .kept, reason: store.trouble, folder: store.folder, entries: store.usage.entries,
                length: store.usage.bytes,
                paused: store.isPaused)
        }
    }

    /// The settings as they are now: a file that was changed counts from here on.
    func tellSettings() -> Methods.Settings.Reply {
        refreshSettings()
        return Methods.Settings.Reply(settings: settings.all)
    }
}
