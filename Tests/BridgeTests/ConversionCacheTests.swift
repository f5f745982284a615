import EventLoop
import LinuxSystem
import Logging
import Testing

@testable import Bridge

@Suite struct MakerTests {
    private let workshop: ConversionPool
    private let link: DisplayProxy

    init() throws {
        workshop = try ConversionPool(environment: [:], logger: Logger(label: "test"))
        link = DisplayProxy(commands: try .init(), reports: try .init(), activity: DisplayActivity())
    }

    private func maker(_ source: @escaping (Int, @escaping ConversionCache.Finish) -> Void) -> ConversionCache {
        ConversionCache(workshop: workshop, link: link, timesSources: false, source: source)
    }

    private func material(_ text: String) throws -> EncodedBytes { EncodedBytes(try MemoryFile.containing(Array(text.utf8))) }

    @Test("What is asked for by several is made once")
    func once() throws {
        var asked = 0
        var finish: ConversionCache.Finish?
        let maker = maker { _, wanted in
            asked += 1
            finish = wanted
        }
        var answers = 0
        for _ in 0..<3 { maker.make(Derivation.source(0).then(.latin1Text)) { _ in answers += 1 } }
        #expect(asked == 1 && answers == 0)
        finish?(.success(try material("a")))
        #expect(answers == 3)
        maker.make(Derivation.source(0).then(.latin1Text)) { _ in answers += 1 }
        #expect(asked == 1 && answers == 4)
    }

    @Test("Who waits for a source that will not come is let go of, and the maker with it")
    func forgotten() throws {
        final class Client {}
        weak var client: Client?
        weak var forgotten: ConversionCache?
        do {
            let maker = maker { _, _ in }
            let waiting = Client()
            (client, forgotten) = (waiting, maker)
            // As a reader's call does: what it does with the source it has made here.
            maker.make(.source(0)) { _ in withExtendedLifetime(waiting) { maker.make(.source(0)) { _ in } } }
            maker.forget()
        }
        #expect(client == nil && forgotten == nil)
    }

    @Test("Who has given up is forgotten while the others go on waiting")
    func givenUp() throws {
        final class Reader { var answers = 0 }
        var finish: ConversionCache.Finish?
        let maker = maker { finish = $1 }
        let reader = Reader()
        weak var former: Reader?
        maker.make(.source(0)) { _ in reader.answers += 1 }
        do {
            let impatient = Reader()
            former = impatient
            maker.make(all: [.source(0)], isWanted: { false }) { _ in impatient.answers += 1 }
        }
        maker.make(.source(0)) { _ in reader.answers += 1 }
        #expect(former == nil)
        finish?(.success(try material("a")))
        #expect(reader.answers == 2)
    }

    @Test("What broke is tried again, what is impossible is not")
    func again() throws {
        var failures = [ConversionFailure.broken("b"), .impossible("i"), .impossible("never asked for")]
        let maker = maker { $1(.failure(failures.removeFirst())) }
        for _ in 0..<3 { maker.make(.source(0)) { _ in } }
        #expect(failures.count == 1)
    }

    @Test("Ten thousand parts are no deeper than one")
    func deep() throws {
        let material = try material("x")
        let maker = maker { $1(.success(material)) }
        var length = 0
        maker.make(.made(.joinedTexts, of: (0..<10_000).map { .source($0) })) { result in
            length = (try? result.get().range.count) ?? 0
        }
        // Longer than what is worked on at once, or not: both are allowed to come later.
        if length == 0 { #expect(!workshop.isIdle) } else { #expect(length == 19_999) }
    }

    @Test("The first part that fails ends it")
    func failing() throws {
        var asked: [Int] = []
        let material = try material("x")
        let maker = maker { index, finish in
            asked.append(index)
            finish(index == 1 ? .failure(.refused(source: 1)) : .success(material))
        }
        var failures = 0
        maker.make(all: [.source(0), .source(1), .source(2)]) { if case .failure = $0 { failures += 1 } }
        #expect(asked == [0, 1] && failures == 1)
    }
}
