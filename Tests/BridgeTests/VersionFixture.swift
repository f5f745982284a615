import Bridge
import BridgeState
import EventLoop
import FormatConversion
import LinuxSystem
import Logging
import PasteboardModel
import Testing
import UniformTypes
import X11Bridge

/// Pasteboards and versions for parts of the service, without a service.
final class VersionFixture {
    let executor = EventLoopExecutor()
    let registry = PasteboardRegistry(at: 0) { RestorableContents.undoStack(levels: 10) }
    private let versions: VersionFactory
    private let display: DisplayProxy

    init() throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        display = DisplayProxy(commands: try MessageQueue(), reports: try MessageQueue(), activity: DisplayActivity())
        versions = VersionFactory(
            settings: Settings(environment: [:], logger: logger),
            pool: try ConversionPool(environment: [:], logger: logger), display: display, executor: executor)
    }

    func pasteboard(_ name: PasteboardName = .general) throws -> PasteboardState { try #require(registry[name]) }

    /// Writes text of one byte to a pasteboard.
    @discardableResult
    func write(
        to pasteboard: PasteboardState, expiry: ContinuousClock.Instant? = nil,
        options: ContentsOptions = ContentsOptions()
    ) throws -> PasteboardState.Version {
        let text = Representation(type: .utf8PlainText, source: 0, range: 0..<1)
        let draft = Draft(
            Contents(items: [Item(representations: [text])]), backings: [.file(try MemoryFile.containing([0x61]))],
            expiry: expiry, options: options)
        let version = versions.version(
            of: draft, by: PasteboardState.Writer(process: 1, program: "test"), as: .copy(action: nil))
        pasteboard.change(to: .client(version), at: 0)
        return version
    }

    /// Runs the timers that are due at a time.
    func runTimers(until time: ContinuousClock.Instant) {
        for body in executor.timers.takeDue(at: time) { body() }
    }
}
