import BridgeState
import EventLoop
import PasteboardModel
import SelectionProtocol
import X11Bridge

/// The handler of SAVE_TARGETS, with which a program that is about to end asks to save its contents (freedesktop.org,
/// "Clipboard Manager Specification").
package final class SaveTargetsHandler {
    private let registry: PasteboardRegistry
    private let display: DisplayProxy
    private let ownership: SelectionOwnership
    private let captures: CaptureController
    private let lifetime: BridgeLifetime
    private let executor: EventLoopExecutor
    private let requestsUnderway = CallsUnderway()

    /// The timeout for a request of a program whose toolkit is unknown.
    package static let timeout = Duration.seconds(3)
    /// The part of a request's time that is left for owning the selection and for the reply.
    private static let margin = Duration.milliseconds(500)
    /// The time after which the program is answered, whether or not its selection is owned by then.
    private static let takeoverTimeout = Duration.seconds(1)

    init(
        registry: PasteboardRegistry, display: DisplayProxy, ownership: SelectionOwnership, captures: CaptureController,
        lifetime: BridgeLifetime, executor: EventLoopExecutor
    ) {
        self.registry = registry
        self.display = display
        self.ownership = ownership
        self.captures = captures
        self.lifetime = lifetime
        self.executor = executor
    }

    /// Captures the contents of CLIPBOARD, takes the selection over from the program, and then replies: nothing is lost
    /// when the program ends, or first releases its selections as Chromium does.
    ///
    /// - Parameters:
    ///   - targets: The targets to be saved; nil for all that may be captured.
    ///   - asked: A server time at which the program owned CLIPBOARD.
    ///   - timeout: The time that the program waits for the reply.
    func save(
        _ number: Int, by requestor: WindowID, targets: [String]?, asked: ServerTime, within timeout: Duration
    ) async {
        guard !lifetime.isLeaving, let pasteboard = registry[.general] else {
            return display.saved(number, false)
        }
        requestsUnderway.begin()
        defer { requestsUnderway.end() }
        let isHeld = await captures.capture(
            everythingOn: pasteboard, targets: targets, within: timeout - Self.margin)
        let isSaved = isHeld ? await own(pasteboard, inPlaceOf: requestor, at: asked) : false
        if isSaved { ownership.noteSave(at: asked) }
        display.saved(number, isSaved)
    }

    /// Owns the selection of a pasteboard after all of its contents are held.
    ///
    /// - Returns: true if the contents no longer depend on their program.
    private func own(
        _ pasteboard: PasteboardState, inPlaceOf requestor: WindowID, at time: ServerTime
    ) async -> Bool {
        guard case .foreign(.window(let window)) = pasteboard.holder else { return true }
        // If another program asks, holding the contents is enough: the owner has not asked for more.
        guard await isOwner(requestor, of: pasteboard) else { return true }
        guard let captured = pasteboard.captured else { return false }
        // The claim continues after the timeout, and may still succeed.
        return await executor.withTimeout(Self.takeoverTimeout, cancels: false) { [ownership] in
            await ownership.takeOver(captured, of: pasteboard, from: WindowID(window), at: time)
        } ?? false
    }

    /// Returns true if a window belongs to the process that owns a pasteboard, or if either process is unknown.
    private func isOwner(_ window: WindowID, of pasteboard: PasteboardState) async -> Bool {
        let process = await display.process(of: window, within: .milliseconds(200))
        let owner = pasteboard.captured?.writer.process ?? 0
        return process == nil || owner == 0 || process == owner
    }

    /// Waits until no request is under way, or until ``timeout`` has passed.
    func finish() async {
        await executor.withTimeout(Self.timeout) { [requestsUnderway] in await requestsUnderway.awaitEnd() }
    }
}
