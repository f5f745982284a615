import LinuxSystem
import PasteboardModel
import PasteboardWire
import UniformTypes

/// Writing: `Set` and `Clear`.
extension Service {
    // MARK: Set

    /// - Parameter promises: Where the promises of the call are, if it can have any.
    func set(
        _ parameters: Methods.Set.Parameters, for client: ClientSession, descriptors: [Descriptor],
        promises: PromiseSet, _ finish: @escaping (Result<[Int], BridgeError>) -> Void
    ) -> Cancel? {
        do throws(BridgeError) {
            // All is looked at before a pasteboard is made or written.
            let names = try namesToWrite(parameters.pasteboards, ifCount: parameters.ifCount)
            let draft = try Draft(
                parameters.items, options: parameters.options, uploads: client.transfers, descriptors: descriptors,
                borrowing: store.fileSystem, promise: promises.promise)
            if let item = parameters.into, names.contains(where: { table[$0] == nil }) { throw .noItem(item, of: 0) }
            let boards = try boardsToWrite(names)
            let patience = CallTimeout.of(parameters.timeout)
            let appends = parameters.append ?? (parameters.into != nil)
            forEach(boards, ifCount: parameters.ifCount, finish) { board, next in
                func write(behind present: Result<Draft, BridgeError>) {
                    do throws(BridgeError) {
                        let whole =
                            if let item = parameters.into {
                                try present.get().adding(draft, toItem: item)
                            } else {
                                try present.get().appending(draft)
                            }
                        let cause = ChangeCause.copy(
                            action: parameters.action ?? whole.action(by: client.writer),
                            group: parameters.group.map { "\(client.writer.process) \($0)" })
                        self.write(
                            self.version(of: whole, by: client.writer, as: cause), to: board, within: patience, next)
                    } catch {
                        next(.failure(error))
                    }
                }
                if appends, case .foreign = board.holder {
                    self.adopt(board, patience, write)
                } else {
                    write(behind: .success(appends ? Draft(board.version) : Draft()))
                }
            }
        } catch {
            finish(.failure(error))
        }
        // What was begun is carried to its end, whether its client stays or not.
        return nil
    }

    /// Makes a version the board's contents: first it is kept where it is to be, then the selection is owned, then it
    /// counts.
    func write(
        _ version: PasteboardState.Version, to board: PasteboardState, within patience: Duration,
        _ finish: @escaping (Result<Int, BridgeError>) -> Void
    ) {
        let deadline = ContinuousClock.now + patience
        keep(version, on: board, within: patience) { [self] kept in
            switch kept {
            case .failure(let error): finish(.failure(error))
            case .success(let (version, record)):
                own(version, on: board, within: deadline - .now) { [self] result in
                    let left = max(deadline - .now, .zero)
                    switch result {
                    case .success:
                        arrived(record, on: board, within: left) { finish($0.map { .failure($0) } ?? result) }
                    case .failure: withdraw(from: board, within: left) { finish(result) }
                    }
                }
            }
        }
    }

    private func own(
        _ version: PasteboardState.Version, on board: PasteboardState, within patience: Duration,
        _ finish: @escaping (Result<Int, BridgeError>) -> Void
    ) {
        guard !board.isRemoved else { return finish(.failure(BridgeError(.noSuchPasteboard(board.name)))) }
        guard link.state != .none else {
            change(board, to: .client(version))
            return finish(.success(board.count(of: version)))
        }
        if version.isLocalOnly, link.isForwarded { return writeUnseen(version, to: board, within: patience, finish) }
        claiming[version.id] = (board, version)
        claim(version, of: board, within: patience) { [self] outcome in
            let isPending = claiming.removeValue(forKey: version.id) != nil
            switch outcome {
            case .done:
                finish(
                    board.isRemoved
                        ? .failure(BridgeError(.noSuchPasteboard(board.name))) : .success(board.count(of: version)))
            // The display went away while it was asked: what is written is kept, and offered when it is back.
            case .noDisplay where isPending:
                change(board, to: .client(version))
                finish(.success(board.count(of: version)))
            case .lost:
                finish(.error(.refused, "another program took \(board.selection) at the same moment; try once more"))
            // Owned, and told so, before the time was over.
            case .silent where !isPending, .noDisplay: finish(.success(board.count(of: version)))
            case .silent: finish(.failure(.displaySilent))
            case .nameless: finish(.failure(.nameless(board.selection)))
            }
        }
    }

    /// Contents that the display is not to see: nobody owns its selection.
    private func writeUnseen(
        _ version: PasteboardState.Version, to board: PasteboardState, within patience: Duration,
        _ finish: @escaping (Result<Int, BridgeError>) -> Void
    ) {
        board.isSilent = true
        link.disown(board.selection, within: patience) { [self] outcome in
            board.isSilent = false
            switch outcome {
            case .done, .noDisplay, .nameless:
                change(board, to: .client(version))
                finish(.success(board.count(of: version)))
            case .lost:
                finish(.error(.refused, "another program took \(board.selection) at the same moment; try once more"))
            case .silent: finish(.failure(.displaySilent))
            }
        }
    }

    /// The contents of a foreign owner, to be appended to.
    ///
    /// Of its images one is taken: a toolkit that offers a dozen formats renders each when it is asked. Of the names of its
    /// text the one whose encoding is told best is taken: GTK 3 has CRLF under one of the others, and escapes under another.
    private func adopt(_ board: PasteboardState, _ patience: Duration, _ finish: @escaping (Result<Draft, BridgeError>) -> Void) {
        let reader = ForeignReader(link: link, selection: board.selection, silence: patience)
        contents(of: reader) { result in
            switch result {
            case .failure(let failure): finish(.failure(self.error(failure, on: board)))
            case .success(let contents):
                guard let offered = contents.offered else { return finish(.success(contents.archived ?? Draft())) }
                reader.all(Self.worthTaking(offered)) {
                    $0
                } _: { result in
                    finish(
                        result.map { values in Draft(values.compactMap(\.self)) }
                            .mapError { self.error($0, on: board) })
                }
            }
        }
    }

    private static func worthTaking(_ offered: [ForeignReader.Offered]) -> [ForeignReader.Offered] {
        let image = offered.firstIndex { $0.type.conforms(to: .image) }
        let text = TypeQuery.best(of: offered.map { ($0.type, $0.target) }, for: [.identifier(.utf8PlainText)])
        return offered.indices.filter { index in
            // One that could not be read as the items it is to have: it would stand in the way of ours.
            if offered[index].target == ItemArchive.mediaType { return false }
            if offered[index].type.conforms(to: .image) { return index == image }
            return index == text || !X11Targets.isTextName(offered[index].target)
        }.map { offered[$0] }
    }

    // MARK: Clear

    func clear(
        _ parameters: Methods.Clear.Parameters, _ finish: @escaping (Answer<Methods.Clear.Reply>) -> Void
    ) -> Cancel? {
        do throws(BridgeError) {
            let names = try namesToWrite(parameters.pasteboards, ifCount: parameters.ifCount)
            for name in names where table[name] == nil { throw BridgeError(.noSuchPasteboard(name)) }
            let boards = try boardsToWrite(names)
            let patience = CallTimeout.of(parameters.timeout)
            forEach(
                boards, ifCount: parameters.ifCount,
                { finish($0.map { counts in (Methods.Counts(counts: counts), []) }) }
            ) { board, next in
                self.empty(board, within: patience) { [self] result in
                    whenKept([board], within: patience) { next($0.map { .failure($0) } ?? result) }
                }
            }
        } catch {
            finish(.failure(error))
        }
        return nil
    }

    func empty(
        _ board: PasteboardState, within patience: Duration, _ finish: @escaping (Result<Int, BridgeError>) -> Void
    ) {
        func emptyHere() {
            if !board.isHeldByNobody { change(board, to: .nobody) }
            finish(.success(board.countEmptied))
        }
        guard link.state != .none else { return emptyHere() }
        let former = board.version?.id
        link.disown(board.selection, within: patience) { outcome in
            switch outcome {
            // What the display does not see leaves no event behind.
            case .done where former != nil && board.version?.id == former: emptyHere()
            // The change was told before, and has been counted.
            case .done: finish(.success(board.countEmptied))
            case .noDisplay, .nameless: emptyHere()
            case .lost:
                finish(.error(.refused, "another program took \(board.selection) at the same moment; try once more"))
            case .silent: finish(.failure(.displaySilent))
            }
        }
    }

    // MARK: Both

    /// What a call names, if each is at the count that it expects. Nothing is made yet, and a turn may change it again.
    private func namesToWrite(_ strings: [String], ifCount: Int?) throws(BridgeError) -> [PasteboardName] {
        guard !isLeaving else { throw .leaving }
        let names = try Self.names(strings)
        try BridgeError.told { () throws(PasteboardsError) in
            for name in names { try table.value.checkBeforeMaking(name, ifCount: ifCount) }
        }
        return names
    }

    /// Writes to one pasteboard after the other, each in its turn, and answers with their counts. The first failure ends
    /// it; its message then says what was written before.
    private func forEach(
        _ boards: [PasteboardState], ifCount: Int?, _ finish: @escaping (Result<[Int], BridgeError>) -> Void,
        _ body: @escaping (PasteboardState, @escaping (Result<Int, BridgeError>) -> Void) -> Void
    ) {
        var counts: [Int] = []
        func step(_ index: Int) {
            guard index < boards.count else { return finish(.success(counts)) }
            let board = boards[index]
            board.turns.take { done in
                let next = { (result: Result<Int, BridgeError>) in
                    done()
                    switch result {
                    case .success(let count):
                        counts.append(count)
                        step(index + 1)
                    case .failure(let error): finish(.failure(error.after(boards[..<index])))
                    }
                }
                do throws(PasteboardsError) {
                    try self.table.value.check(board.name, ifCount: ifCount)
                    guard !board.isRemoved else { throw .noSuchPasteboard(board.name) }
                    body(board, next)
                } catch {
                    next(.failure(BridgeError(error)))
                }
            }
        }
        step(0)
    }
}

extension BridgeError {
    /// Says what was written before the failure.
    fileprivate func after(_ boards: ArraySlice<PasteboardState>) -> BridgeError {
        guard !boards.isEmpty else { return self }
        var error = self
        error.message += " (\(boards.map { "'\($0.name)'" }.joined(separator: ", ")) was written before)"
        return error
    }

    /// X11 programs could not tell that selection by its name.
    static func nameless(_ selection: String) -> BridgeError {
        BridgeError(
            .refused,
            "'\(selection)' would be one name more for the X server, which keeps each, than 'limit-atoms' allows; "
                + "raise that or restart the X server")
    }

    static let displayDoesNotOpen = BridgeError(
        .displayUnavailable,
        "the X server takes connections and does not answer; is a program holding it, or is it stopped?")

    static let displaySilent = BridgeError(
        .displayUnavailable,
        "the X server did not answer in time, and nothing was changed; "
            + "is a program holding it, or is the connection lost?")
}
