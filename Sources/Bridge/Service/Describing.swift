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
            func reply(_ forms: Forms, _ maker: Maker, lengths: [Int?]) {
                entries(of: forms, by: maker) { entries in
                    finish(
                        .reply(
                            Methods.Describe.Reply(
                                count: board.count, owner: self.owner(of: board),
                                items: forms.items(
                                    lengths: lengths, withTargets: parameters.targets ?? false, entries: entries))))
                }
            }
            switch board.holder {
            case .nobody: throw .nothing(on: board)
            case .client(let version):
                reply(
                    version.forms, version.maker,
                    lengths: version.materials.map { parameters.lengths == true ? $0.range.count : nil })
                return nil
            case .foreign:
                let reader = ForeignReader(
                    link: link, selection: board.selection, silence: Patience.of(parameters.timeout))
                var again: Cancel?
                func fail(_ failure: ForeignReader.Failure) {
                    switch failure {
                    case .ownerReplaced where changes > 0:
                        again = describe(parameters, changes: changes - 1, finish)
                    default: finish(.failure(error(failure, on: board)))
                    }
                }
                reader.types { [self] result in
                    switch result {
                    case .failure(let failure): fail(failure)
                    case .success(let offered):
                        let forms = Forms(offered, rules: rules)
                        let maker = maker(for: offered, of: reader)
                        guard parameters.lengths == true else {
                            return reply(forms, maker, lengths: offered.map { _ in nil })
                        }
                        reader.all(offered) {
                            $0.file.length
                        } _: { result in
                            switch result {
                            case .success(let lengths): reply(forms, maker, lengths: lengths)
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

    /// How many entries the list of files has that came as one item. The list is looked at, which is short; one that
    /// cannot be had counts as one.
    private func entries(of forms: Forms, by maker: Maker, _ finish: @escaping (Int) -> Void) {
        guard let list = forms.onlyList else { return finish(1) }
        maker.make(list.then(.urlLines)) { result in
            guard case .success(let lines) = result, let bytes = try? lines.bytes() else { return finish(1) }
            finish(max(1, bytes.split(separator: 0x0A).count))
        }
    }
}

extension Forms {
    /// The list of files, where all there is is one item that has one.
    fileprivate var onlyList: Recipe? {
        guard itemCount == 1, sources.contains(where: { $0.type.conforms(to: .fileURL) && $0.target != nil }) else {
            return nil
        }
        return fileList(0..<1)
    }

    /// - Parameter entries: How many files the only item has: each one behind the first is an item of its own.
    fileprivate func items(lengths: [Int?], withTargets: Bool, entries: Int) -> [WireItem] {
        let items = (0..<itemCount).map { item in
            let items = item..<item + 1
            let present = indices(of: items).map { index in
                WireRepresentation(
                    type: sources[index].type.identifier, target: sources[index].target, length: lengths[index])
            }
            let derived = derived(items: items).map {
                WireRepresentation(type: $0.type.identifier, target: nil, derived: true)
            }
            return WireItem(
                representations: present + derived, targets: withTargets ? names(items: items).map(\.name) : nil)
        }
        let file = WireRepresentation(type: UniformType.fileURL.identifier, target: nil)
        return items + (1..<max(entries, 1)).map { _ in WireItem(representations: [file]) }
    }
}
