import LinuxSystem
import PasteboardModel
import PasteboardWire
import UniformTypes

/// Telling what is on offer: `Describe`.
extension Service {
    func describe(
        _ parameters: Methods.Describe.Parameters, changes: Int = Service.changesOfOwner,
        _ finish: @escaping (Answer<Methods.Describe.Reply>) -> Void
    ) -> Cancel? {
        do throws(BridgeError) {
            let board = try board(named: parameters.pasteboard)
            let patience = CallTimeout.of(parameters.timeout)
            // Of the version that is described: another may come meanwhile.
            let (count, owner) = (board.count, owner(of: board))
            func reply(
                _ forms: FormatCatalog, _ maker: ConversionCache, lengths: [Int?], awaited: [Bool]? = nil, options: WireOptions? = nil,
                _ fail: @escaping (ForeignReader.Failure) -> Void
            ) {
                let list = forms.onlyList.flatMap { awaited?[$0] == true ? nil : $0 }
                entries(of: list, by: maker, within: patience) { entries in
                    switch entries {
                    case .failure(let failure): fail(failure)
                    case .success(let entries):
                        let items = forms.items(
                            lengths: lengths, awaited: awaited, withTargets: parameters.targets ?? false,
                            entries: entries)
                        finish(
                            .reply(Methods.Describe.Reply(count: count, owner: owner, items: items, options: options)))
                    }
                }
            }
            switch board.holder {
            case .nobody: throw .nothing(on: board)
            case .client(let version):
                reply(
                    version.forms, version.maker,
                    lengths: version.supplies.map { parameters.lengths == true ? $0.material?.range.count : nil },
                    awaited: version.supplies.map(\.isAwaited), options: version.wireOptions
                ) { finish(.failure(self.error($0, on: board))) }
                return nil
            case .foreign:
                let reader = ForeignReader(
                    link: link, selection: board.selection, silence: patience, isCaptured: board.captured != nil)
                var again: Cancel?
                func fail(_ failure: ForeignReader.Failure) {
                    switch failure {
                    case .ownerReplaced where changes > 0:
                        again = describe(parameters, changes: changes - 1, finish)
                    default: finish(.failure(error(failure, on: board)))
                    }
                }
                contents(of: reader) { result in
                    switch result {
                    case .failure(let failure): fail(failure)
                    case .success(let contents):
                        let (forms, maker) = (contents.forms, contents.maker)
                        guard parameters.lengths == true else {
                            return reply(forms, maker, lengths: forms.sources.map { _ in nil }, fail)
                        }
                        guard let offered = contents.offered else {
                            let lengths = contents.archived?.supplies.map { $0.material?.range.count }
                            return reply(forms, maker, lengths: lengths ?? [], fail)
                        }
                        reader.all(offered) {
                            $0.file.length
                        } _: { result in
                            switch result {
                            case .success(let lengths): reply(forms, maker, lengths: lengths, fail)
                            case .failure(let failure): fail(failure)
                            }
                        }
                    }
                }
                return {
                    reader.cancel()
                    again?()
                }
            }
        } catch {
            finish(.failure(error))
            return nil
        }
    }

    /// The same of an entry of the history.
    func describeEntry(
        _ parameters: Methods.Describe.Parameters, _ finish: @escaping (Answer<Methods.Describe.Reply>) -> Void
    ) {
        whenEntryIsRead(parameters.entry ?? 0) { [self] result in
            switch result {
            case .failure(let error): finish(.failure(error))
            case .success(let (version, count)):
                let forms = version.forms
                let patience = CallTimeout.of(parameters.timeout)
                entries(of: forms.onlyList, by: version.maker, within: patience) { result in
                    finish(
                        result.mapError { BridgeError($0) }.map { entries in
                            let items = forms.items(
                                lengths: version.supplies.map {
                                    parameters.lengths == true ? $0.material?.range.count : nil
                                }, awaited: nil, withTargets: parameters.targets ?? false, entries: entries)
                            let owner = WireOwner(kind: .none, program: version.writer.program)
                            return (
                                Methods.Describe.Reply(
                                    count: count, owner: owner, items: items, options: version.wireOptions), []
                            )
                        })
                }
            }
        }
    }

    /// A list of files has at most so many items; what is behind them is in the first one's list.
    private static let mostEntries = 1_024
    /// A longer list, in bytes, is not looked at, and is one item.
    private static let longestList = 1 << 20

    /// How many entries the list of files has that came as one item. It is looked at, as nothing else tells. One that
    /// cannot be had, or not in time, counts as one, and so does one that is only promised.
    func entries(
        of list: Int?, by maker: ConversionCache, within patience: Duration,
        _ finish: @escaping (Result<Int, ForeignReader.Failure>) -> Void
    ) {
        guard let list else { return finish(.success(1)) }
        make(.source(list), by: maker, within: patience) { [self] source in
            if case .failure(.source(.ownerReplaced)) = source { return finish(.failure(.ownerReplaced)) }
            guard case .success(let material) = source, material.range.count <= Self.longestList else {
                return finish(.success(1))
            }
            let lines = Derivation.made(.fileList, of: [.source(list)]).then(.urlLines)
            make(lines, by: maker, within: patience) { made in
                guard case .success(let lines) = made, let bytes = try? lines.bytes() else {
                    return finish(.success(1))
                }
                finish(.success(min(max(1, bytes.count { $0 == 0x0A } + 1), Self.mostEntries)))
            }
        }
    }
}

extension FormatCatalog {
    /// The source that is a list of files, where all there is is one item that has one.
    var onlyList: Int? {
        guard itemCount == 1 else { return nil }
        return sources.firstIndex { $0.type.conforms(to: .fileURL) && $0.target != nil }
    }

    /// - Parameter entries: How many files the only item has: each one behind the first is an item of its own.
    fileprivate func items(lengths: [Int?], awaited: [Bool]?, withTargets: Bool, entries: Int) -> [WireItem] {
        let items = (0..<itemCount).map { item in
            let items = item..<item + 1
            let present = indices(of: items).map { index in
                WireRepresentation(
                    type: sources[index].type.identifier, target: sources[index].target, length: lengths[index],
                    promised: awaited?[index] == true ? true : nil)
            }
            let derived = derived(items: items).map {
                WireRepresentation(type: $0.type.identifier, target: nil, derived: true)
            }
            // What X11 programs can ask another program for is what that one offers.
            let targets =
                !withTargets
                ? nil
                : isForeign ? indices(of: items).compactMap { sources[$0].target } : names(items: items).map(\.name)
            return WireItem(representations: present + derived, targets: targets)
        }
        let file = WireRepresentation(type: UniformType.fileURL.identifier, target: nil)
        return items + (1..<max(entries, 1)).map { _ in WireItem(representations: [file]) }
    }
}

extension PasteboardState.Version {
    /// What holds for them, as it is told; nil where nothing special does.
    fileprivate var wireOptions: WireOptions? {
        let left = expiry.map { max($0 - .now, .zero) }
        guard left != nil || options != ContentsOptions() else { return nil }
        func flag(_ isSet: Bool) -> Bool? { isSet ? true : nil }
        return WireOptions(
            expires: left.map { max($0.wholeMilliseconds, 1) }, localOnly: flag(options.localOnly),
            once: flag(options.once),
            concealed: flag(options.concealed), memory: flag(options.memoryOnly))
    }
}
