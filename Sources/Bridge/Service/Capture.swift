import LinuxSystem
import PasteboardModel
import SelectionProtocol
import UniformTypes

/// The taking of a copy of what one foreign owner offers: its targets, and then the bytes under some of them, one after
/// the other.
final class Capture {
    enum State: Equatable {
        /// Until nothing newer has come for a while.
        case waiting
        case taking
        /// Taken, as far as it could be.
        case taken
        case skipped(CaptureRefusal)
    }

    /// The owner's window.
    let window: WindowID
    private let link: DisplayProxy
    let reader: ForeignReader
    private let rules: CaptureRules
    /// When it begins, or is over.
    var alarm: TimerQueue.Number?
    /// Called once, at its end.
    var onEnd: (() -> Void)?
    private(set) var state = State.waiting
    /// The owner's program.
    private(set) var writer = PasteboardState.Writer(process: 0, program: nil)
    private var listed: [String] = []
    private var plan: CapturePlan?
    /// The targets that are still to be asked for.
    private var todo: ArraySlice<String> = []
    private var texts: ArraySlice<String> = []
    private var values: [ForeignReader.Value] = []
    /// All items, where the owner has them in one archive.
    private var archived: Draft?
    private var length = 0
    /// Why not all of the plan was taken.
    private(set) var shortfall: CaptureRefusal?

    init(window: WindowID, selection: String, link: DisplayProxy, silence: Duration, rules: CaptureRules) {
        self.window = window
        self.link = link
        self.rules = rules
        reader = ForeignReader(link: link, selection: selection, silence: silence, isCapture: true)
    }

    // MARK: Course

    /// It is not to begin.
    func skip(_ refusal: CaptureRefusal) {
        state = .skipped(refusal)
        end()
    }

    func begin() {
        guard state == .waiting else { return }
        state = .taking
        link.identify(window, within: .seconds(1)) { [self] process in
            guard state == .taking else { return }
            writer = PasteboardState.Writer(process: process ?? 0, program: process.flatMap { ProcessName.of($0) })
            reader.targets { [self] result in
                guard state == .taking else { return }
                switch result {
                case .success(let targets): take(from: targets)
                case .failure(let failure): failed(failure)
                }
            }
        }
    }

    /// Asks for nothing more. What is whole stays.
    func stop(_ refusal: CaptureRefusal = .failed) {
        guard state == .waiting || state == .taking else { return }
        reader.cancel()
        shortfall = shortfall ?? refusal
        state = isUseful ? .taken : .skipped(refusal)
        end()
    }

    private func end() {
        let body = onEnd
        onEnd = nil
        body?()
    }

    private func take(from targets: [String]) {
        do throws(CaptureRefusal) {
            let plan = try CapturePlan(targets, program: writer.program, rules: rules)
            self.plan = plan
            listed = targets
            todo = plan.targets[...]
            texts = plan.texts[...]
            next()
        } catch {
            stop(error)
        }
    }

    private func next() {
        guard state == .taking else { return }
        while let target = todo.popFirst() {
            let room = min(target == ItemArchive.mediaType ? rules.total : rules.limit, rules.total - length)
            if target == texts.first { texts.removeFirst() }
            if room > 0 { return ask(for: target, room) }
            shortfall = .tooLong
        }
        state = isUseful ? .taken : .skipped(shortfall ?? .failed)
        end()
    }

    private func ask(for target: String, _ room: Int) {
        reader.bytes(of: ForeignReader.offered(target), limit: room) { [self] result in
            guard state == .taking else { return }
            switch result {
            case .success(let value):
                length += value.file.length
                if target == ItemArchive.mediaType {
                    archived = Draft(archive: value.file)
                    if archived?.contents.marks.isSecret == true {
                        archived = nil
                        return stop(.secret)
                    }
                    // All there is is in it.
                    if archived != nil { todo = [] } else { length = 0 }
                } else {
                    values.append(value)
                }
            case .failure(.conversion(.refused)):
                // Another name of the same text may be answered.
                if plan?.texts.contains(target) == true, let name = texts.first {
                    todo.insert(name, at: todo.startIndex)
                }
            case .failure(.conversion(.tooLong)): shortfall = .tooLong
            case .failure(let failure): return failed(failure)
            }
            next()
        }
    }

    private func failed(_ failure: DisplayProxy.FetchFailure) {
        // Whether it died or is followed by another is told in a moment; what was taken may be wanted until then.
        guard failure != .conversion(.ownerGone), failure != .conversion(.ownerReplaced) else { return }
        stop(failure.refusal)
    }

    // MARK: Result

    /// Whether all was taken that was to be.
    var isWhole: Bool { state == .taken && shortfall == nil && plan?.isWhole == true }

    /// Whether what is there can stand for the whole: its text or its first type is among it.
    var isUseful: Bool {
        archived != nil || values.contains { plan?.texts.contains($0.offered.target) == true }
            || values.contains { $0.offered.target == plan?.first }
    }

    /// What was taken, in the owner's order.
    var draft: Draft {
        if let archived { return archived }
        let order = Dictionary(zip(listed, listed.indices)) { first, _ in first }
        let values = values.sorted { order[$0.offered.target] ?? 0 < order[$1.offered.target] ?? 0 }
        let item = Item(representations: values.enumerated().flatMap { representations(of: $1, source: $0) })
        return Draft(Contents(items: [item]), blobs: values.map { .file($0.file) })
    }

    /// Under its own name, and of a text under those that are no common ones, which every text has.
    private func representations(of value: ForeignReader.Value, source: Int) -> [Representation] {
        let range = 0..<value.file.length
        var (type, target) = (value.offered.type, value.offered.target)
        // The owner chooses the encoding, and the property's type tells which (ICCCM 2.6.2).
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

extension DisplayProxy.FetchFailure {
    fileprivate var refusal: CaptureRefusal {
        switch self {
        case .displaySilent: .displaySilent
        case .conversion(let failure):
            switch failure {
            case .silent, .stalled: .silent
            case .tooLong: .tooLong
            case .limit(let limit): .limit(limit.reason)
            case .names: .limit(.atoms)
            case .dripped: .limit(.drip)
            case .noRoom: .noRoom
            case .refused, .inconsistent, .ownerGone, .ownerReplaced, .cancelled: .failed
            }
        }
    }
}
