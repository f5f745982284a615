import BridgeServer
import BridgeState
import Configuration
import EventLoop
import Glibc
import LinuxSystem
import PasteboardModel
package import PasteboardWire
import SelectionProtocol
import X11Bridge

/// Reporting the state: `Count`, `GetOwner`, `List`, `Status` and `Settings`.
extension Service {
    func count(_ name: String) throws(BridgeError) -> Methods.Count.Reply {
        // Creates a missing pasteboard, so that its changes are counted: the caller may wait for the next one.
        Methods.Count.Reply(count: try pasteboardToWrite(try PasteboardName(ofCall: name)).count)
    }

    func owner(_ name: String) async throws(BridgeError) -> Methods.GetOwner.Reply {
        let owner = try registry.existing(name).owner
        return Methods.GetOwner.Reply(
            owner: await display.identified(owner, within: .seconds(1), findsChild: true))
    }

    func list(withHidden: Bool) async -> Methods.List.Reply {
        var pasteboards = registry.all.filter { withHidden || !$0.isHidden }.map { pasteboard in
            WireBoard(
                name: pasteboard.name.string, selection: pasteboard.selection, count: pasteboard.count,
                items: pasteboard.itemCount, owner: pasteboard.owner, persistent: pasteboard.isPersistent,
                hidden: pasteboard.isHidden ? true : nil, maker: pasteboard.isPersistent ? pasteboard.maker : nil)
        }
        // The owners are asked concurrently, so that an X server that does not answer delays the reply only once.
        let owners = pasteboards.map { pasteboard in
            let owner = PendingValue<WireOwner>()
            executor.start { [display] in
                owner.deliver(
                    await display.identified(pasteboard.owner, within: SelectionOwnership.serverTimeout))
            }
            return owner
        }
        for (index, owner) in owners.enumerated() { pasteboards[index].owner = await owner.get() }
        return Methods.List.Reply(boards: pasteboards)
    }

    func status() async -> Methods.Status.Reply {
        // Users ask for the status after freeing room on a disk; a disk that does not answer must not delay it.
        await persistence.reopenStore(within: .milliseconds(300))
        // If the X server does not answer, the transfers are those of its last answer.
        let traffic = await display.traffic(within: SelectionOwnership.serverTimeout)
        let versions = registry.all.flatMap { [$0.version, $0.captured] }.compactMap(\.self)
        return Methods.Status.Reply(
            version: ProgramVersion.number, process: Int(getpid()), display: display.name,
            attached: display.isAttached, clients: host?.clientCount ?? 0,
            transfers: display.transfers + seat.transferCount,
            bytes: versions.flatMap(\.backings).heldLength, since: started, captures: captures.status(of: registry.all),
            manager: clipboardManager.owner, store: storeStatus,
            lost: display.name == nil ? nil : ownership.lostSince,
            limits: quotas.limits(settings.configuration.limits, host?.clientUse ?? ClientUse(), traffic),
            refusals: quotas.refusals.merging(traffic.refusals).all.map { WireRefusal($0) },
            underway: Self.named(traffic.transfers.map { WireTransfer($0) }),
            losses: captures.losses.isEmpty ? nil : captures.losses,
            inherited: inherited.isEmpty ? nil : inherited, wayland: host?.waylandDisplay,
            links: links.status.isEmpty ? nil : links.status)
    }

    private var storeStatus: WireStore {
        switch store.state {
        case .none(let absence): WireStore(.memory, absence, folder: store.folder)
        case .refusing(let absence): WireStore(.refusing, absence, folder: store.folder)
        case .open where !settings.configuration.persist: WireStore(.memory, .off, folder: store.folder)
        case .open:
            WireStore(
                state: .kept, reason: store.trouble, folder: store.folder, entries: store.usage.entries,
                length: store.usage.bytes, paused: store.isPaused, cause: store.trouble.map { _ in .failed })
        }
    }

    /// Returns transfers with the programs that have the connections, as far as they are known.
    private static func named(_ transfers: [WireTransfer]) -> [WireTransfer] {
        // Each process is looked up once.
        var clients: [Int: X11ClientProcess] = [:]
        return transfers.map { transfer in
            guard let process = transfer.process else { return transfer }
            let client = clients[process] ?? X11ClientProcess(openedBy: Int32(clamping: process))
            clients[process] = client
            var transfer = transfer
            (transfer.process, transfer.program, transfer.ended) = (client.process, client.program, client.ended)
            return transfer
        }
    }

    /// Returns the settings in force, after checking the user's file for changes.
    func effectiveSettings() -> Methods.Settings.Reply {
        refreshSettings()
        let faults = settings.faults
        return Methods.Settings.Reply(settings: settings.all, faults: faults.isEmpty ? nil : faults)
    }
}

extension WireStore {
    fileprivate init(_ state: State, _ absence: StoreAbsence?, folder: String?) {
        self.init(state: state, reason: absence?.message, folder: folder, cause: absence?.cause)
    }
}

extension WireRefusal {
    fileprivate init(_ record: Refusals.Record) {
        self.init(
            reason: record.reason.rawValue, count: record.count, last: record.last,
            routine: record.reason.isRoutine ? true : nil)
    }
}

extension WireTransfer {
    fileprivate init(_ transfer: DisplayTraffic.Transfer) {
        self.init(
            direction: Direction(transfer.direction), selection: transfer.selection, type: transfer.target,
            window: transfer.window == .none ? nil : Int(transfer.window.id),
            process: transfer.process.map { Int($0) }, bytes: transfer.bytes, length: transfer.length,
            age: transfer.age.millisecondsRoundedDown, silence: transfer.idleTime.millisecondsRoundedDown)
    }
}

extension WireTransfer.Direction {
    fileprivate init(_ direction: TransferState.Direction) {
        switch direction {
        case .sending: self = .sending
        case .receiving: self = .receiving
        case .draining: self = .draining
        }
    }
}

extension PasteboardState {
    /// The owner, as far as it is known without asking the X server.
    package var owner: WireOwner {
        switch holder {
        case .nobody: WireOwner(kind: .none, since: since)
        case .client(let version):
            // The process of restored contents is unknown.
            WireOwner(
                kind: .client, process: version.writer.process > 0 ? Int(version.writer.process) : nil,
                program: version.writer.program, since: since,
                heldBy: version.writer.isForeign ? Int(getpid()) : nil, link: version.writer.link)
        case .foreign(.window) where isBehindCompositor: WireOwner(kind: .wayland, since: since)
        case .foreign(.window(let window)): WireOwner(kind: .window, window: Int(window), since: since)
        case .foreign(.offer): WireOwner(kind: .wayland, since: since)
        }
    }

    /// The number of items. X11 selections have one.
    fileprivate var itemCount: Int {
        switch holder {
        case .nobody: 0
        case .client(let version): version.contents.items.count
        case .foreign: 1
        }
    }
}
