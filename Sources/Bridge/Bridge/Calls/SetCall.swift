import BridgeState
import EventLoop
import LinuxSystem
import PasteboardModel
import PasteboardWire
import UniformTypes

extension Service {
    /// Writes contents to pasteboards, one after the other. A write that has begun is completed, even if its client
    /// disconnects. Copying long contents and waiting for other writers end when the client disconnects.
    ///
    /// - Parameter promises: The promises of the call.
    /// - Returns: The counts of the pasteboards.
    func set(
        _ parameters: Methods.Set.Parameters, for client: Client, descriptors: [Descriptor],
        promises: PromiseSet
    ) async throws(BridgeError) -> [Int] {
        // Everything is checked before a pasteboard is made or written.
        let names = try namesToWrite(parameters.pasteboards, ifCount: parameters.ifCount)
        var options = parameters.options
        // The client may be xpb under an excepted program's name: its contents are not stored.
        if let program = client.writer.program, CaptureRules(settings.configuration).excepts(program) {
            options = options ?? WireOptions()
            options?.memory = true
        }
        let draft = try Draft(
            parameters.items, options: options, uploads: client.transfers, descriptors: descriptors,
            borrowing: store.fileSystem, promise: promises.promise)
        try client.link?.addTypeNames(of: draft.contents)
        if let item = parameters.into, names.contains(where: { registry[$0] == nil }) { throw .noItem(item, of: 0) }
        let timeout = CallTimeout.of(parameters.timeout)
        let origin = try OriginClock.origin(of: parameters.origin)
        let pasteboards = try pasteboardsToWrite(names)
        func version(of contents: Draft, over link: String? = client.link?.name) -> PasteboardState.Version {
            let cause = ChangeCause.copy(
                action: parameters.action ?? client.writer.action,
                group: parameters.group.map { "\(client.writer.process) \($0)" })
            let writer = PasteboardState.Writer(
                process: client.writer.process, program: client.writer.program, link: link,
                origin: origin ?? origins.next(), yieldsToLater: origin != nil)
            return versions.version(of: contents, by: writer, as: cause)
        }
        let appends = parameters.append ?? (parameters.into != nil)
        // Other clients may write to the pasteboards while the bytes of long contents are written.
        var early: [PasteboardName: (version: PasteboardState.Version, bytes: PasteboardPersistence.StagedEntry?)] = [:]
        for pasteboard in pasteboards where draft.isLong && !appends {
            try checkRoom(for: draft, on: pasteboard, of: client)
            let version = version(of: try Draft().appending(draft))
            let bytes = try await persistence.stage(
                version, on: pasteboard, idleTimeout: timeout, while: { !client.isClosed })
            early[pasteboard.name] = (version, bytes)
            guard !isLeaving else { throw .leaving }
        }
        func present(on pasteboard: PasteboardState) async throws(BridgeError) -> Draft {
            try await presentContents(of: pasteboard, for: client, within: timeout)
        }
        return try await inOrder(
            of: pasteboards, for: client, ifCount: parameters.ifCount, within: timeout,
            adding: appends ? present(on:) : nil
        ) { [self] (pasteboard, present) async throws(BridgeError) in
            if let origin, try isPresent(origin, on: pasteboard) {
                renewPromises(of: pasteboard, by: promises)
                return pasteboard.count
            }
            if let (version, bytes) = early[pasteboard.name] {
                return try await write(
                    version, bytes, to: pasteboard, for: client, ifCount: parameters.ifCount, within: timeout)
            }
            // If contents are added to present contents, not all of the result came over the link.
            let isWhole = parameters.append != true && parameters.into == nil
            let isOfLink =
                isWhole || pasteboard.isEmpty || pasteboard.version?.writer.link == client.link?.name
            let contents =
                if let item = parameters.into {
                    try present.adding(draft, toItem: item)
                } else {
                    try present.appending(draft)
                }
            try checkRoom(for: contents, on: pasteboard, of: client)
            let version = version(of: contents, over: isOfLink ? client.link?.name : nil)
            return try await write(
                version, to: pasteboard, for: client, ifCount: parameters.ifCount, within: timeout)
        }
    }

    /// Makes a version the contents of a pasteboard: the version is durable before it is owned, and owned before it is
    /// counted. The caller is the only writer of the pasteboard.
    ///
    /// - Parameters:
    ///   - staged: The version's bytes, if they are long and already written.
    ///   - client: The calling client; nil for the bridge itself. Copying long contents ends when the client
    ///     disconnects.
    ///   - ifCount: The count that the pasteboard must still have when the version is in the store; nil for any.
    ///     Another program may copy while the bridge waits for the disk.
    /// - Returns: The count of the step.
    func write(
        _ version: PasteboardState.Version, _ staged: PasteboardPersistence.StagedEntry? = nil,
        to pasteboard: PasteboardState, for client: Client?, ifCount: Int? = nil, within timeout: Duration
    ) async throws(BridgeError) -> Int {
        var staged = staged
        if staged == nil {
            staged = try await persistence.stage(
                version, on: pasteboard, idleTimeout: timeout, while: { client?.isClosed != true })
        }
        let deadline = ContinuousClock.now + timeout
        let stored = try await persistence.storeAhead(version, staged, on: pasteboard, within: timeout)
        let count: Int
        do {
            try check(pasteboard, ifCount: ifCount)
            count = try await ownership.own(stored.version, on: pasteboard, within: deadline - .now)
        } catch {
            await persistence.rollBack(pasteboard, within: max(deadline - .now, .zero))
            throw error
        }
        await crossing.settle(pasteboard, within: CallTimeout.default)
        try await persistence.confirm(stored.record, on: pasteboard, within: max(deadline - .now, .zero))
        // A link must not remove contents that it may not delete, and a user of xpb may want to undo an empty copy.
        if client?.link == nil, client?.writer.program != "xpb" {
            captures.forgetPassword(before: stored.version, on: pasteboard)
        }
        return count
    }

    func clear(_ parameters: Methods.Clear.Parameters, for client: Client) async throws(BridgeError) -> Methods.Counts {
        let names = try namesToWrite(parameters.pasteboards, ifCount: parameters.ifCount)
        for name in names where registry[name] == nil { throw BridgeError(.noSuchPasteboard(name)) }
        let timeout = CallTimeout.of(parameters.timeout)
        let origin = try OriginClock.origin(of: parameters.origin)
        let counts = try await inOrder(
            of: try pasteboardsToWrite(names), for: client, ifCount: parameters.ifCount, within: timeout
        ) { [self] (pasteboard, _) async throws(BridgeError) in
            let former = pasteboard.count
            let count = try await clear(pasteboard, origin, within: timeout)
            guard parameters.counts == true, pasteboard.count == former else { return count }
            changes.count(1, on: pasteboard)
            try await persistence.settle([pasteboard], within: timeout)
            return pasteboard.count
        }
        return Methods.Counts(counts: counts)
    }

    /// Clears a pasteboard, and returns its count. The caller is the only writer of the pasteboard.
    ///
    /// - Parameter origin: The origin of a clear that yields to later changes; nil for any other clear.
    func clear(
        _ pasteboard: PasteboardState, _ origin: ContentsOrigin?, within timeout: Duration
    ) async throws(BridgeError) -> Int {
        if let origin, try isPresent(origin, on: pasteboard) { return pasteboard.count }
        pasteboard.clearingOrigin = origin
        defer { pasteboard.clearingOrigin = nil }
        let count = try await ownership.release(pasteboard, within: timeout)
        await crossing.settle(pasteboard, within: CallTimeout.default)
        try await persistence.settle([pasteboard], within: timeout)
        if let origin { adopt(origin, on: pasteboard) }
        return count
    }

    // MARK: Order and checks

    /// Returns the names of the pasteboards that a call writes. Throws if a pasteboard is not at the expected count. No
    /// pasteboard is created yet, and another writer may change the counts again.
    private func namesToWrite(_ strings: [String], ifCount: Int?) throws(BridgeError) -> [PasteboardName] {
        guard !isLeaving else { throw .leaving }
        let names = try PasteboardName.list(ofCall: strings)
        try BridgeError.wrapping { () throws(PasteboardsError) in
            for name in names { try registry.value.checkBeforeMaking(name, ifCount: ifCount) }
        }
        return names
    }

    /// Writes to pasteboards one after the other, as the only writer of each (invariant 4). The first failure ends the
    /// call; its message names the pasteboards that were written before.
    ///
    /// - Parameters:
    ///   - timeout: The timeout for the wait for earlier writers.
    ///   - read: Reads the contents that the call adds to; nil for a call that replaces them.
    private func inOrder(
        of pasteboards: [PasteboardState], for client: Client, ifCount: Int?, within timeout: Duration,
        adding read: ((PasteboardState) async throws(BridgeError) -> Draft)? = nil,
        write: (PasteboardState, _ present: Draft) async throws(BridgeError) -> Int
    ) async throws(BridgeError) -> [Int] {
        var counts: [Int] = []
        for pasteboard in pasteboards {
            do {
                if let read {
                    counts.append(
                        try await add(to: pasteboard, for: client, ifCount: ifCount, within: timeout, read, write))
                    continue
                }
                let count = try await asWriter(of: pasteboard, for: client, within: timeout) {
                    () async throws(BridgeError) in
                    try check(pasteboard, ifCount: ifCount)
                    return try await write(pasteboard, Draft())
                }
                counts.append(count)
            } catch {
                throw error.after(pasteboards[..<counts.count])
            }
        }
        return counts
    }

    /// The maximum number of attempts, if the pasteboard changes between the reading of its contents and the write.
    private static let maxReads = 5

    /// Adds to the contents of a pasteboard. Another program is asked for its contents before the call's turn: it may
    /// not answer, and other writers would have to wait.
    private func add(
        to pasteboard: PasteboardState, for client: Client, ifCount: Int?, within timeout: Duration,
        _ read: (PasteboardState) async throws(BridgeError) -> Draft,
        _ write: (PasteboardState, Draft) async throws(BridgeError) -> Int
    ) async throws(BridgeError) -> Int {
        for _ in 1...Self.maxReads {
            try check(pasteboard, ifCount: ifCount)
            let before = pasteboard.count
            let early: Draft?
            do throws(BridgeError) {
                early = pasteboard.isForeign ? try await read(pasteboard) : nil
            } catch {
                // If the owner has ended, its captured contents are there at the same count.
                if pasteboard.count == before, pasteboard.isForeign { throw error }
                continue
            }
            let count = try await asWriter(of: pasteboard, for: client, within: timeout) {
                () async throws(BridgeError) -> Int? in
                try check(pasteboard, ifCount: ifCount)
                if let early { return pasteboard.count == before ? try await write(pasteboard, early) : nil }
                // The bridge's own contents are there at once.
                return pasteboard.isForeign ? nil : try await write(pasteboard, try await read(pasteboard))
            }
            if let count { return count }
        }
        throw .ownerKeepsChanging
    }

    /// Throws if a pasteboard is not at the count that its writer expects, or was removed.
    func check(_ pasteboard: PasteboardState, ifCount: Int?) throws(BridgeError) {
        try BridgeError.wrapping { () throws(PasteboardsError) in
            try registry.value.check(pasteboard.name, ifCount: ifCount)
            guard !pasteboard.isRemoved else { throw .noSuchPasteboard(pasteboard.name) }
        }
    }

    /// Gives a pasteboard that was already empty the origin of a clear, without a step.
    private func adopt(_ origin: ContentsOrigin, on pasteboard: PasteboardState) {
        guard pasteboard.isHeldByNobody, origin > pasteboard.origin else { return }
        pasteboard.origin = origin
        origins.observe(origin)
        notifier.sharedStateChanged(pasteboard)
    }

    /// Returns true if a pasteboard already has the change of an origin. Throws if the pasteboard has a later change.
    private func isPresent(_ origin: ContentsOrigin, on pasteboard: PasteboardState) throws(BridgeError) -> Bool {
        if origin < pasteboard.origin { throw .superseded }
        // A program may copy before this change is made. Its copy is then the later change.
        origins.observe(origin)
        return origin == pasteboard.origin
    }

    // MARK: Appending

    /// Returns the contents that a call adds to, which may be another program's.
    private func presentContents(
        of pasteboard: PasteboardState, for client: Client, within timeout: Duration
    ) async throws(BridgeError) -> Draft {
        do {
            let count = pasteboard.count
            if !pasteboard.isEmpty { try await client.checkMayDisclose(pasteboard, within: timeout) }
            guard pasteboard.isForeign else { return Draft(pasteboard.version) }
            let draft = try await foreignContents(of: pasteboard, within: timeout)
            try client.checkUnchanged(pasteboard, since: count)
            return draft
        } catch {
            throw pasteboard.isHeldByNobody ? .nothing(on: pasteboard) : BridgeError(error)
        }
    }

    private func foreignContents(
        of pasteboard: PasteboardState, within timeout: Duration
    ) async throws(ForeignReader.Failure) -> Draft {
        let reader = ForeignReader(foreign.selection(of: pasteboard), idleTimeout: timeout)
        let contents = try await foreign.contents(of: reader)
        guard let offered = contents.offered else { return contents.archived ?? Draft() }
        let values = try await reader.all(Self.worthReading(offered)) { $0 }.compactMap(\.self)
        return Draft(values, isSecret: contents.isSecret)
    }

    /// Returns the targets of a foreign owner that are read before appending. Only one image is read, since a toolkit
    /// that offers a dozen formats renders each on request. Text is read only under the name that says most about the
    /// encoding, since GTK 3 sends CRLF or escapes under other names.
    private static func worthReading(_ offered: [ForeignReader.Offered]) -> [ForeignReader.Offered] {
        let image = offered.firstIndex { $0.type.conforms(to: .image) }
        let text = TypeQuery.best(of: offered.map { ($0.type, $0.target) }, for: [.identifier(.utf8PlainText)])
        return offered.indices.filter { index in
            // This archive could not be read as items. Readers would prefer the archive to this bridge's items.
            if offered[index].target == ItemArchive.mediaType { return false }
            if CapturePlan.isUnasked(offered[index].target, of: offered.map(\.target)) { return false }
            if offered[index].type.conforms(to: .image) { return index == image }
            return index == text || !X11Targets.isTextName(offered[index].target)
        }.map { offered[$0] }
    }
}

extension BridgeError {
    /// Returns the error, with the names of the pasteboards that were written before the failure.
    fileprivate func after(_ pasteboards: ArraySlice<PasteboardState>) -> BridgeError {
        guard !pasteboards.isEmpty else { return self }
        var error = self
        error.message +=
            " (written before: \(pasteboards.map { "'\($0.name)'" }.joined(separator: ", ")))"
        return error
    }
}
