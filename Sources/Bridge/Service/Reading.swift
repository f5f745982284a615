import LinuxSystem
import PasteboardModel
import PasteboardWire
import SelectionProtocol
import UniformTypes

/// Reading: `Get`.
extension Service {
    /// How often the owner may change while it is asked, before that is an error.
    static let changesOfOwner = 3

    typealias Found = (choice: FormatChoice, material: EncodedBytes)

    /// - Parameter isAnew: The owner's targets are asked for, though it has listed them before.
    func get(
        _ parameters: Methods.Get.Parameters, for client: ClientSession, changes: Int = Service.changesOfOwner,
        isAnew: Bool = false, _ finish: @escaping (Answer<Methods.Get.Reply>) -> Void
    ) -> Cancel? {
        do throws(BridgeError) {
            let board = try board(named: parameters.pasteboard)
            let question = try ReadRequest(parameters)
            // The count of the version that is asked for: another may come while this one's bytes do.
            let count = board.count
            func reply(_ found: Found, isStale: Bool = false) -> Answer<Methods.Get.Reply> {
                client.reply(
                    parameters, count: count, item: found.choice.item, type: found.choice.type,
                    target: found.choice.target, bytes: found.material.held, range: found.material.range,
                    stale: isStale ? true : nil)
            }
            func answer(from version: PasteboardState.Version, isStale: Bool) {
                self.answer(question, from: version.forms, by: version.maker) { result in
                    if case .success(let found) = result, parameters.watching != true {
                        self.read([found.choice.type], of: version, by: client)
                    }
                    finish(result.mapError { self.error($0, on: board) }.flatMap { reply($0, isStale: isStale) })
                }
            }
            switch board.holder {
            case .nobody: throw .nothing(on: board)
            case .client(let version):
                answer(from: version, isStale: false)
                return nil
            case .foreign:
                var again: Cancel?
                // Of the owner that is asked.
                let captured = parameters.stale == true ? board.captured : nil
                let known = isAnew ? nil : board.listed
                let cancel = getForeign(board, question, known: known) { result in
                    switch result {
                    case .success(let found): finish(reply(found))
                    // It may have others by now.
                    case .failure(.error(let error)) where error.code == .noSuchType && known != nil:
                        again = self.get(parameters, for: client, changes: changes, isAnew: true, finish)
                    case .failure(.ownerReplaced) where changes > 0:
                        again = self.get(parameters, for: client, changes: changes - 1, finish)
                    case .failure(.error(let error)) where error.code == .ownerSilent && captured != nil:
                        if let captured { answer(from: captured, isStale: true) }
                    case .failure(let failure): finish(.failure(self.error(failure, on: board)))
                    }
                }
                return {
                    cancel()
                    again?()
                }
            }
        } catch {
            finish(.failure(error))
            return nil
        }
    }

    /// The same of an entry of the history.
    func getEntry(
        _ parameters: Methods.Get.Parameters, for client: ClientSession,
        _ finish: @escaping (Answer<Methods.Get.Reply>) -> Void
    ) {
        do throws(BridgeError) {
            let question = try ReadRequest(parameters)
            whenEntryIsRead(parameters.entry ?? 0) { [self] result in
                switch result {
                case .failure(let error): finish(.failure(error))
                case .success(let (version, count)):
                    answer(question, from: version.forms, by: version.maker) { result in
                        finish(
                            result.mapError { BridgeError($0) }.flatMap { found in
                                client.reply(
                                    parameters, count: count, item: found.choice.item, type: found.choice.type,
                                    target: found.choice.target, bytes: found.material.held,
                                    range: found.material.range)
                            })
                    }
                }
            }
        } catch {
            finish(.failure(error))
        }
    }

    private func getForeign(
        _ board: PasteboardState, _ question: ReadRequest, known: [String]?,
        _ finish: @escaping (Result<Found, ForeignReader.Failure>) -> Void
    ) -> Cancel {
        let reader = ForeignReader(
            link: link, selection: board.selection, silence: question.patience, isCaptured: board.captured != nil)
        reader.known = known
        reader.onList = board.notesList()
        contents(of: reader) { [self] result in
            switch result {
            case .failure(let failure): finish(.failure(failure))
            case .success(let contents): answer(question, from: contents.forms, by: contents.maker, finish)
            }
        }
        return { reader.cancel() }
    }

    /// Makes the forms of what a foreign owner offers, which is asked for each representation once.
    func maker(for offered: [ForeignReader.Offered], of reader: ForeignReader) -> ConversionCache {
        let maker = ConversionCache(workshop: workshop, link: link, timesSources: true) { index, finish in
            reader.bytes(of: offered[index]) { result in
                finish(
                    result.map { EncodedBytes($0.file, target: $0.offered.target, propertyType: $0.type) }
                        .mapError { failure in
                            if case .conversion(.refused) = failure { return .refused(source: index) }
                            return .source(reader.failure(failure))
                        })
            }
        }
        // A client that is gone would be held for good, by what it waited for.
        reader.onCancel = { [weak maker] in maker?.forget() }
        return maker
    }

    /// Makes the form that answers the question, passing over what turns out not to be had: Emacs and GTK 4 advertise
    /// what they refuse, and Latin-1 does not hold every text.
    func answer(
        _ question: ReadRequest, from forms: FormatCatalog, by maker: ConversionCache, without: Set<Derivation> = [],
        because failure: BridgeError? = nil, _ finish: @escaping (Result<Found, ForeignReader.Failure>) -> Void
    ) {
        guard without.count <= Self.mostRefusals, let choice = forms.choice(for: question, without: without) else {
            return finish(.failure(.error(failure ?? forms.noAnswer(to: question, refused: !without.isEmpty))))
        }
        func next(without recipe: Derivation, because failure: BridgeError?) {
            answer(question, from: forms, by: maker, without: without.union([recipe]), because: failure, finish)
        }
        make(choice.recipe, by: maker, within: question.patience) { result in
            switch result {
            case .success(let material): finish(.success((choice, material)))
            case .failure(.refused(let source)): next(without: .source(source), because: failure)
            case .failure(.impossible(let reason)):
                next(without: choice.recipe, because: failure ?? forms.noAnswer(to: question, reason: reason))
            case .failure(.failed(let reason)):
                // The next of the reader's wishes may do; what failed is told where none does.
                next(without: choice.recipe, because: BridgeError(.transferBroken, reason))
            case .failure(.promiseBroken(let reason)):
                next(without: choice.recipe, because: BridgeError(.promiseBroken, reason))
            case .failure(.noEntry(let entry, let count)): finish(.failure(.error(.noItem(entry, of: count))))
            case .failure(.broken(let reason)): finish(.failure(.error(BridgeError(.transferBroken, reason))))
            case .failure(.source(let failure)): finish(.failure(failure))
            }
        }
    }

    /// An owner that refuses this many of the types it offers is asked no more.
    private static let mostRefusals = 32

    /// Makes a form. The time that counts is that of the making: an owner's own silence is measured by its reader. What
    /// was promised is waited for as long as what is made.
    func make(_ recipe: Derivation, by maker: ConversionCache, within patience: Duration, _ finish: @escaping ConversionCache.Finish) {
        var alarm: TimerQueue.Number?
        var isFinished = false
        var hasSources = false
        func end(_ result: Result<EncodedBytes, ConversionFailure>) {
            guard !isFinished else { return }
            isFinished = true
            if let alarm { alarms.cancel(alarm) }
            finish(result)
        }
        maker.make(all: recipe.sources.sorted().map { .source($0) }, isWanted: { !isFinished }) { [self] sources in
            guard !isFinished else { return }
            if case .failure(let failure) = sources { return end(.failure(failure)) }
            hasSources = true
            if let alarm { alarms.cancel(alarm) }
            maker.make(recipe, isWanted: { !isFinished }, end)
            guard !isFinished else { return }
            alarm = alarms.set(.now + patience) { end(.failure(.source(.error(.stillMaking)))) }
        }
        guard !maker.timesSources, !hasSources, !isFinished else { return }
        alarm = alarms.set(.now + patience) { end(.failure(.source(.error(.stillPromised)))) }
    }

    /// A reader's failure in the words of the wire.
    func error(_ failure: ForeignReader.Failure, on board: PasteboardState) -> BridgeError {
        if case .nobody = board.holder { return .nothing(on: board) }
        return BridgeError(failure)
    }
}

extension BridgeError {
    init(_ failure: ForeignReader.Failure) {
        switch failure {
        case .ownerReplaced: self = .ownerKeepsChanging
        case .error(let error): self = error
        }
    }
}

extension FormatCatalog {
    init(_ offered: [ForeignReader.Offered], rules: Rules) {
        self.init(offered.map { Source(item: 0, type: $0.type, target: $0.target) }, rules: rules, isForeign: true)
    }

    fileprivate func choice(for question: ReadRequest, without: Set<Derivation>) -> FormatChoice? {
        choice(for: question.queries, item: question.item, exact: question.isExact, without: without)
    }

    /// Why nothing answers.
    fileprivate func noAnswer(to question: ReadRequest, refused: Bool = false, reason: String? = nil) -> BridgeError {
        if let item = question.item, item >= itemCount { return .noItem(item, of: itemCount) }
        let items = question.item.map { $0..<$0 + 1 } ?? 0..<itemCount
        let offered = real(items: items) + (question.isExact ? [] : derived(items: items))
        // A dynamic identifier says nothing to people.
        let types = offered.map { $0.type.isDynamic ? $0.target ?? $0.type.identifier : $0.type.identifier }
        return .noSuchType(offered: types, refused: refused, reason: reason)
    }
}

extension BridgeError {
    static func nothing(on board: PasteboardState) -> BridgeError {
        BridgeError(.empty, "nothing is on the pasteboard '\(board.name)'")
    }

    static func noItem(_ item: Int, of count: Int) -> BridgeError {
        let there = count == 1 ? "is 1 item" : "are \(count) items"
        return BridgeError(.noSuchItem, "there is no item \(item): there \(there), counted from 0")
    }

    static let stillPromised = BridgeError(
        .ownerSilent,
        "the program that promised that type has not given it in time; ask again, or for longer with --timeout")

    static let stillMaking = BridgeError(
        .ownerSilent, "that type takes longer to be made than --timeout allows; ask again, or for longer")
}
