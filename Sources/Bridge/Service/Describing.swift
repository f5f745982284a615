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
            let wantsLengths = parameters.lengths ?? false
            func reply(_ items: [WireItem]) {
                finish(.reply(Methods.Describe.Reply(count: board.count, owner: owner(of: board), items: items)))
            }
            switch board.holder {
            case .nobody: throw .nothing(on: board)
            case .client(let version):
                reply(version.contents.items.map { WireItem($0, withLengths: wantsLengths) })
                return nil
            case .foreign:
                let reader = ForeignReader(
                    link: link, selection: board.selection, silence: Patience.of(parameters.timeout))
                var again: Cancel?
                reader.types { result in
                    switch result {
                    case .failure(.ownerReplaced) where changes > 0:
                        again = self.describe(parameters, changes: changes - 1, finish)
                    case .failure(let failure): finish(.failure(self.error(failure, on: board)))
                    case .success(let offered) where wantsLengths:
                        reader.lengths(of: offered) { reply([WireItem(offered, lengths: $0)]) }
                    case .success(let offered):
                        reply([WireItem(offered, lengths: offered.map { _ in nil })])
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
}

extension WireItem {
    init(_ item: Item, withLengths: Bool) {
        self.init(
            representations: item.representations.map {
                WireRepresentation(
                    type: $0.type.identifier, target: $0.target, length: withLengths ? $0.range.count : nil)
            })
    }

    init(_ offered: [ForeignReader.Offered], lengths: [Int?]) {
        self.init(
            representations: zip(offered, lengths).map {
                WireRepresentation(type: $0.type.identifier, target: $0.target, length: $1)
            })
    }
}
