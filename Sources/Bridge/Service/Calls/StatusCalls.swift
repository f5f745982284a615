import Configuration
import EventLoop
import Glibc
import LinuxSystem
import PasteboardModel
import PasteboardWire
import SelectionProtocol
import X11Bridge
import X11Display

/// Reporting the state: `Count`, `GetOwner`, `List`, `Status` and `Settings`.
extension Service {
    func count(_ name: String) throws(BridgeError) -> Methods.Count.Reply {
        // The pasteboard is made if there is none: a caller waits for its count to rise, so changes count from now on.
        Methods.Count.Reply(count: try pasteboardToWrite(try PasteboardName(ofCall: name)).count)
    }

    func owner(_ name: String) async throws(BridgeError) -> Methods.GetOwner.Reply {
        let owner = try registry.existing(name).owner
        return Methods.GetOwner.Reply(
            owner: await display.identified(owner, within: .seconds(1), findsChild: true))
    }

    func list() async -> Methods.List.Reply {
        var pasteboards = registry.all.map { pasteboard in
            WireBoard(
                name: pasteboard.name.string, selection: pasteboard.selection, count: pasteboard.count,
                items: pasteboard.itemCount, owner: pasteboard.owner, persistent: pasteboard.isPersistent)
        }
        // All at once: an X server that stands still is waited for once.
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
        // If the X server stands still, its transfers are reported as of the last answer.
        let traffic = await display.traffic(within: SelectionOwnership.serverTimeout)
        // Several representations, and several pasteboards, share a file.
        var lengths: [ObjectIdentifier: Int] = [:]
        let versions = registry.all.flatMap { [$0.version, $0.captured] }.compactMap(\.self)
        for held in versions.flatMap(\.backings).compactMap(\.held) { lengths[held.identity] = held.length }
        return Methods.Status.Reply(
            version: BridgeVersion.current, process: Int(getpid()), display: display.name,
            attached: display.isAttached, clients: host?.clientCount ?? 0, transfers: display.transfers,
            bytes: lengths.values.reduce(0, +), since: started, captures: captures.status(of: registry.all),
            manager: clipboardManager.owner, store: storeStatus,
            lost: display.name == nil ? nil : ownership.lostSince,
            limits: quotas.limits(settings.configuration.limits, host?.clientUse ?? ClientUse(), traffic),
            refusals: quotas.refusals.merging(traffic.refusals).all.map { WireRefusal($0) },
            underway: Self.named(traffic.transfers.map { WireTransfer($0) }))
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
                length: store.usage.bytes, paused: store.isPaused)
        }
    }

    /// Returns transfers with the programs that have the connections, as far as they are known.
    private static func named(_ transfers: [WireTransfer]) -> [WireTransfer] {
        // Each process is looked up once.
        var holders: [Int: ConnectionHolder] = [:]
        return transfers.map { transfer in
            guard let process = transfer.process else { return transfer }
            let holder = holders[process] ?? ConnectionHolder(openedBy: Int32(clamping: process))
            holders[process] = holder
            var transfer = transfer
            (transfer.process, transfer.program, transfer.ended) = (holder.process, holder.program, holder.ended)
            return transfer
        }
    }

    /// Returns the settings in force, after a look at the user's file.
    func effectiveSettings() -> Methods.Settings.Reply {
        refreshSettings()
        return Methods.Settings.Reply(settings: settings.all)
    }
}

extension WireRefusal {
    fileprivate init(_ record: Refusals.Record) {
        self.init(reason: record.reason.rawValue, count: record.count, last: record.last)
    }
}

extension WireTransfer {
    fileprivate init(_ transfer: DisplayTraffic.Transfer) {
        self.init(
            direction: Direction(transfer.direction), selection: transfer.selection, type: transfer.target,
            window: transfer.window == .none ? nil : Int(transfer.window.id),
            process: transfer.process.map { Int($0) }, bytes: transfer.bytes, length: transfer.length,
            age: transfer.age.wholeMilliseconds, silence: transfer.idleTime.wholeMilliseconds)
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
    /// The holder, as far as it is known without asking the X server.
    var owner: WireOwner {
        switch holder {
        case .nobody: WireOwner(kind: .none, since: since)
        case .client(let version):
            WireOwner(
                kind: .client, process: Int(version.writer.process), program: version.writer.program, since: since)
        case .foreign(let window): WireOwner(kind: .window, window: Int(window), since: since)
        }
    }

    /// The number of items. X11 knows one.
    fileprivate var itemCount: Int {
        switch holder {
        case .nobody: 0
        case .client(let version): version.contents.items.count
        case .foreign: 1
        }
    }
}

extension DisplayProxy {
    /// Returns an owner with the process and the program of its window, if they are known in time.
    ///
    /// - Parameter findsChild: If the process has ended, looks for a child that has its connection, which takes a
    ///   while.
    func identified(
        _ owner: WireOwner, within timeout: Duration, findsChild: Bool = false
    ) async -> WireOwner {
        guard let window = owner.window, let process = await process(of: WindowID(UInt32(window)), within: timeout)
        else { return owner }
        // A program that connects and leaves its work to a child, as xclip does, has ended, and its number is another's
        // soon.
        guard findsChild || !ProcessState.hasEnded(process) else { return owner }
        let holder = ConnectionHolder(openedBy: process)
        var owner = owner
        (owner.process, owner.program, owner.ended) = (holder.process, holder.program, holder.ended)
        return owner
    }
}
