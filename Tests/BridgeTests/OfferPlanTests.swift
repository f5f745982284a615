import Bridge
import BridgeState
import FormatConversion
import LinuxSystem
import SelectionProtocol
import Testing
import UniformTypes
import X11Bridge

@Suite struct OfferPlanTests {
    private let catalog = FormatCatalog(
        [
            FormatCatalog.Source(item: 0, type: .html, target: "text/html"),
            FormatCatalog.Source(item: 0, type: .png, target: "image/png"),
        ], rules: FormatCatalog.Rules())

    /// Returns the timeout of a target; nil for available bytes.
    private func timeout(_ target: String, promised: Set<Int>) throws -> Duration? {
        let file = try MemoryFile.containing([1])
        let offer = OfferPlan(catalog.names(items: 0..<1)).offer(OfferID(1), on: "CLIPBOARD") { source in
            promised.contains(source) ? nil : Offer.Bytes(.file(file), 0..<1)
        }
        let body = try #require(offer.targets.first { $0.name == target }).body
        if case .made(let timeout) = offer.bodies[body].content { return timeout }
        return nil
    }

    @Test("Available bytes are offered without a timeout")
    func held() throws {
        #expect(try timeout("image/png", promised: []) == nil)
    }

    @Test("A conversion of available bytes has a timeout that toolkits tolerate")
    func made() throws {
        #expect(try timeout("UTF8_STRING", promised: []) == .milliseconds(900))
    }

    @Test("A promise and its conversions have a timeout of half a second, which does not affect other targets")
    func promised() throws {
        #expect(try timeout("text/html", promised: [0]) == .milliseconds(500))
        #expect(try timeout("UTF8_STRING", promised: [0]) == .milliseconds(500))
        #expect(try timeout("image/png", promised: [0]) == nil)
        #expect(try timeout("UTF8_STRING", promised: [1]) == .milliseconds(900))
    }
}
