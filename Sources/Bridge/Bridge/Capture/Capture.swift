import BridgeState
import LinuxSystem
import PasteboardModel
import SelectionProtocol
import UniformTypes
import X11Bridge

/// The capture of one foreign owner's contents: its targets, and then the bytes under some of them, one after the
/// other.
final class Capture {
    enum State: Equatable {
        /// Waiting until no newer contents have come for a while.
        case waiting
        case capturing
        /// Captured, as far as possible.
        case captured
        case skipped(CaptureRefusal)
    }

    let owner: ForeignOwner
    private let display: DisplayProxy
    let reader: ForeignReader
    private let rules: CaptureRules
    /// True if the owner's window belongs to the compositor, whose process is not the program's.
    private let isBehindCompositor: Bool
    private(set) var state = State.waiting
    /// The owner's program.
    private(set) var writer = PasteboardState.Writer(process: 0, program: nil)
    private var listed: [String] = []
    private var plan: CapturePlan?
    private var values: [ForeignReader.Value] = []
    /// All items, if the owner has them in one archive.
    private var archived: Draft?
    private var length = 0
    /// The reason why a part of the plan was not captured.
    private(set) var shortfall: CaptureRefusal?
    /// The targets of the plan that the program had no time to make.
    private(set) var omitted: [String] = []
    /// The target that the owner has been asked for.
    private var awaited: String?
    /// True if a value is not one of ``known``.
    private var hasNewValue = false
    /// The values of an earlier capture of the same contents, by their targets.
    private let known: [String: ForeignReader.Value]

    /// The timeout for each step of an image that its program must render: GIMP needs 3.6 seconds for 24 megapixels.
    private static let renderingTimeout = Duration.seconds(8)
    /// The time after which a program that is about to end is not asked for targets that it makes from others.
    private static let extrasTimeout = Duration.milliseconds(250)
    /// The timeout for each step of a GTK 4 program, which is asked only while it ends.
    private static let gtk4Timeout = Duration.seconds(1)
    /// The minimum length, in bytes, of an image or a document that is not captured in other forms: making them may
    /// take longer than a program that is about to end should wait.
    private static let largeLength = 4 << 20

    /// - Parameter earlier: An earlier capture, whose values are used if the contents are the same.
    init(
        owner: ForeignOwner, selection: ForeignSelection, display: DisplayProxy, idleTimeout: Duration,
        rules: CaptureRules, isBehindCompositor: Bool = false, after earlier: Capture? = nil
    ) {
        self.owner = owner
        self.display = display
        self.rules = rules
        self.isBehindCompositor = isBehindCompositor
        reader = ForeignReader(selection, idleTimeout: idleTimeout, isCapture: true)
        let same = earlier.flatMap { $0.owner == owner && !$0.listed.isEmpty ? $0 : nil }
        known = Dictionary((same?.values ?? []).map { ($0.offered.target, $0) }) { first, _ in first }
        reader.known = same?.listed ?? reader.known
    }

    // MARK: Steps

    /// Ends the capture before it has begun.
    func skip(_ refusal: CaptureRefusal) {
        if state == .waiting { state = .skipped(refusal) }
    }

    /// Ends the capture. Complete representations are kept.
    func stop(_ refusal: CaptureRefusal = .failed) {
        guard state == .waiting || state == .capturing else { return }
        shortfall = shortfall ?? refusal
        finish(otherwise: refusal)
    }

    /// Ends the capture, which succeeds if the captured values can stand for the contents. The values of an earlier
    /// capture are kept, including values that this capture was not asked for or did not reach.
    private func finish(otherwise refusal: CaptureRefusal) {
        let captured = Set(values.map(\.offered.target))
        if archived == nil { values += known.values.filter { !captured.contains($0.offered.target) } }
        state = isUseful ? .captured : .skipped(refusal)
    }

    /// Drops the captured contents.
    func discard(_ refusal: CaptureRefusal) {
        values = []
        archived = nil
        state = .skipped(refusal)
    }

    /// Ends a capture that has timed out.
    func stop(after timeout: Duration) {
        stop(awaited.map { .missing($0, within: timeout) } ?? .late)
    }

    /// The reason why the contents would be incomplete if they were replaced now; nil if they are complete.
    var refusal: CaptureRefusal? {
        switch state {
        case .waiting: .early
        case .capturing: awaited.map { .unsent($0) } ?? .early
        case .captured: shortfall
        case .skipped(let refusal): refusal
        }
    }

    /// Runs the capture. If the owner ends or is replaced, the capture stays unfinished: the contents may be needed
    /// until the display reports the change.
    func run() async {
        guard state == .waiting else { return }
        state = .capturing
        let process = await process()
        guard state == .capturing else { return }
        writer = PasteboardState.Writer(
            process: process ?? 0, program: process.flatMap { ProcessName.whole(of: $0) }, isForeign: true)
        do {
            listed = try await reader.targets()
            guard state == .capturing else { return }
            let plan = try CapturePlan(listed, program: program(of: process), rules: rules)
            self.plan = plan
            reader.acceptsPieces = plan.acceptsPieces
            try await capture(plan)
            if state == .capturing { finish(otherwise: shortfall ?? .failed) }
        } catch let refusal as CaptureRefusal {
            stop(refusal)
        } catch let failure as DisplayProxy.FetchFailure {
            switch failure {
            case .conversion(.ownerGone), .conversion(.ownerReplaced): break
            case .conversion(.silent): stop(after: timeout(of: awaited))
            default: stop(failure.refusal)
            }
        } catch {
            stop()
        }
    }

    /// Returns the owner's process, if it is known.
    private func process() async -> Int32? {
        guard case .window(let window) = owner, !isBehindCompositor else { return nil }
        return await display.process(of: WindowID(window), within: .seconds(1))
    }

    /// Returns the name that the rules use for the owner's program; nil if it is unknown.
    ///
    /// A process that forks, as xclip does, has ended by now, and a compositor does not tell which program copied. In
    /// these cases, an excepted program that is running is taken for the owner.
    private func program(of process: Int32?) -> String? {
        if let process, let name = ProcessName.of(process) { return name }
        let isX11 = if case .window = owner { true } else { false }
        return process != nil || isBehindCompositor || !isX11 ? rules.runningException() : nil
    }

    private func capture(_ plan: CapturePlan) async throws {
        let extrasDeadline = ContinuousClock.now + Self.extrasTimeout
        var targets = plan.targets[...]
        var texts = plan.texts[...]
        while let target = targets.popFirst() {
            let room = min(target == ItemArchive.mediaType ? rules.total : rules.limit, rules.total - length)
            if target == texts.first { texts.removeFirst() }
            guard room > 0 else {
                shortfall = .tooLong
                continue
            }
            if hasLargeImage, plan.images.contains(target) { continue }
            if known[target] == nil, plan.extras.contains(target),
                length >= Self.largeLength || .now > extrasDeadline
            {
                omitted.append(target)
                continue
            }
            do {
                let value = try await value(of: target, limit: room)
                guard state == .capturing else { return }
                // LibreOffice sends no bytes if it cannot render an image.
                if value.file.length == 0, plan.images.contains(target) { continue }
                try add(value)
                // The archive has everything.
                if archived != nil { return }
            } catch DisplayProxy.FetchFailure.conversion(.refused) {
                // The owner may answer another name of the same text.
                if plan.texts.contains(target), let name = texts.first {
                    targets.insert(name, at: targets.startIndex)
                }
            } catch DisplayProxy.FetchFailure.conversion(.tooLong) {
                shortfall = plan.acceptsPieces ? .tooLong : .gtk4
            }
            guard state == .capturing else { return }
        }
    }

    private func value(of target: String, limit: Int) async throws(DisplayProxy.FetchFailure) -> ForeignReader.Value {
        if let value = known[target] { return value }
        hasNewValue = true
        awaited = target
        let value = try await reader.bytes(
            of: ForeignReader.offered(target), limit: limit, within: timeout(of: target))
        awaited = nil
        return value
    }

    /// Returns the timeout for each step of the owner.
    private func timeout(of target: String?) -> Duration {
        if plan?.acceptsPieces == false { return Self.gtk4Timeout }
        return target != nil && target == plan?.renderedImage ? Self.renderingTimeout : reader.idleTimeout
    }

    private var hasLargeImage: Bool {
        values.contains { $0.file.length >= Self.largeLength && plan?.images.contains($0.offered.target) == true }
    }

    private func add(_ value: ForeignReader.Value) throws(CaptureRefusal) {
        guard value.offered.target == ItemArchive.mediaType else {
            length += value.file.length
            return values.append(value)
        }
        guard let draft = Draft(archive: value.file) else { return }
        if draft.contents.marks.isSecret { throw .secret }
        length += value.file.length
        archived = draft
    }

    // MARK: Result

    /// True if this capture adds nothing to an earlier capture of the same contents.
    var isRepetition: Bool { !values.isEmpty && !hasNewValue }

    /// True if all requested targets were captured, apart from those that the program had no time to make.
    var isWhole: Bool { state == .captured && shortfall == nil && plan?.isWhole == true }

    /// True if all of the owner's formats were captured, even those not worth capturing. One name of text is enough.
    var hasAllFormats: Bool {
        guard state == .captured, shortfall == nil, omitted.isEmpty, let plan else { return false }
        if archived != nil { return true }
        let captured = Set(usable.map(\.offered.target))
        let hasText = plan.texts.contains(where: captured.contains)
        return ForeignReader.contents(of: listed).allSatisfy { target in
            captured.contains(target) || hasText && (plan.texts.contains(target) || X11Targets.isTextName(target))
        }
    }

    /// True if the captured representations can stand for the contents: the text, a drawing or the first type is among
    /// them.
    private var isUseful: Bool {
        archived != nil
            || usable.contains { value in
                let target = value.offered.target
                return target == plan?.first || plan?.texts.contains(target) == true
                    || plan?.drawings.contains(target) == true
            }
    }

    /// The useful values. If a drawing could not be captured, text that is markup is left out: Inkscape offers a
    /// drawing's SVG source as text.
    private var usable: [ForeignReader.Value] {
        guard let plan, !plan.drawings.isEmpty, !values.contains(where: { plan.drawings.contains($0.offered.target) })
        else { return values }
        return values.filter { !plan.texts.contains($0.offered.target) || !$0.isMarkup }
    }

    /// The targets of the plan that were not captured, without other names of captured text and forms of a large image.
    var missing: [String] {
        guard archived == nil, let plan else { return [] }
        let captured = Set(usable.map(\.offered.target))
        let hasText = plan.texts.contains(where: captured.contains)
        return plan.targets.filter { target in
            !captured.contains(target) && !(hasText && plan.texts.contains(target))
                && !(hasLargeImage && plan.images.contains(target))
        }
    }

    /// The captured contents, in the owner's order.
    var draft: Draft {
        if let archived { return archived }
        let order = Dictionary(zip(listed, listed.indices)) { first, _ in first }
        let values = usable.sorted { order[$0.offered.target] ?? 0 < order[$1.offered.target] ?? 0 }
        let item = Item(representations: values.enumerated().flatMap { representations(of: $1, source: $0) })
        return Draft(Contents(items: [item]), backings: values.map { .file($0.file) })
    }

    /// Returns the representations of a value: one under its own name, and for text one under each of the owner's other
    /// names for the text, except the common names, which all text has.
    private func representations(of value: ForeignReader.Value, source: Int) -> [Representation] {
        let range = 0..<value.file.length
        var (type, target) = (value.offered.type, value.offered.target)
        // The owner chooses the encoding, and names it in the property's type (ICCCM 2.6.2).
        if target == "TEXT", X11Targets.isTextName(value.type) {
            (type, target) = (UniformType(target: value.type), value.type)
        }
        if type == .fileURL, Draft.isLink(.file(value.file), range) { type = .url }
        var names = [target]
        if type == .utf8PlainText, let texts = plan?.texts, texts.contains(value.offered.target) {
            names += texts.filter { name in
                name != target && !X11Targets.isTextName(name) && UniformType(target: name) == type
            }
        }
        return names.map { Representation(type: type, target: $0, source: source, range: range) }
    }
}

extension ForeignReader.Value {
    /// True if the bytes begin like XML.
    fileprivate var isMarkup: Bool {
        let start = (try? file.bytes(in: 0..<min(file.length, 64))) ?? []
        return start.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) } == UInt8(ascii: "<")
    }
}

extension DisplayProxy.FetchFailure {
    fileprivate var refusal: CaptureRefusal {
        switch self {
        case .displayTimedOut: .displaySilent
        case .conversion(let failure):
            switch failure {
            case .silent, .stalled: .silent
            case .tooLong: .tooLong
            case .limit(let limit): .limit(limit.reason)
            case .names: .limit(.atoms)
            case .tooSlow: .limit(.slowTransfer)
            case .noRoom: .noRoom
            case .refused, .inconsistent, .ownerGone, .ownerReplaced, .cancelled: .failed
            }
        }
    }
}
