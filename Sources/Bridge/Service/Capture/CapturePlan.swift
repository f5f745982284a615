import Configuration
import PasteboardModel
import UniformTypes
import X11Bridge

/// What is taken of what a foreign owner offers, and in which order.
struct CapturePlan: Equatable {
    /// In the order in which they are asked for, the cheap ones first.
    let targets: [String]
    /// The names of the text, the best encoded first. The first that is not refused is taken, and stands for the
    /// others: GTK 3 has other line ends under one of them, and escapes under another.
    let texts: [String]
    /// What the owner lists first of all this.
    let first: String
    /// What was asked for by name and is not taken.
    let isWhole: Bool

    /// - Parameters:
    ///   - listed: The answer to TARGETS.
    ///   - program: The name of the owner's process, where it is known.
    init(_ listed: [String], program: String?, rules: CaptureRules) throws(CaptureRefusal) {
        if listed.contains(where: Self.isSecret) { throw .secret }
        if let program, rules.excepts(program) { throw .excepted(program) }
        if !rules.takesGTK4, Self.isGTK4(listed) { throw .gtk4 }
        let isRenderer = !rules.takesDear && Self.isRenderer(listed, program: program)
        var offered = ForeignReader.contents(of: listed).map(Candidate.init)
        if let only = rules.only { offered.removeAll { !only.contains($0.target) } }
        let asked = offered.count
        if !rules.takesDear {
            offered.removeAll { $0.isDear || isRenderer && $0.rank > .link }
        }
        if !rules.takesImages { offered.removeAll { $0.rank == .image } }
        if rules.only == nil, let image = Self.image(of: offered) {
            offered.removeAll { $0.rank == .image && $0.target != image }
        }
        let texts = Self.texts(of: offered)
        let others = Set(texts.dropFirst())
        let whole = offered.indices.filter { !others.contains(offered[$0].target) }.sorted {
            (offered[$0].rank.rawValue, $0) < (offered[$1].rank.rawValue, $1)
        }
        let kept = whole.prefix(rules.count)
        guard let first = kept.min() else { throw .nothing }
        targets = kept.map { offered[$0].target }
        self.texts = targets.contains { $0 == texts.first } ? texts : []
        self.first = offered[first].target
        isWhole = kept.count == whole.count && (rules.only == nil || offered.count == asked)
    }

    // MARK: Owners

    /// Whether a target says that the contents are a secret, or there for a moment only.
    static func isSecret(_ target: String) -> Bool {
        let type = UniformType(target: target)
        let name = target.lowercased()
        return type == .concealed || type == .transient || name.contains("passwordmanagerhint")
            || name.contains("nspasteboard.concealed") || name.contains("nspasteboard.transient")
    }

    /// GTK 4 lists SAVE_TARGETS, as GTK 3 does, and no MULTIPLE.
    private static func isGTK4(_ targets: [String]) -> Bool {
        targets.contains("SAVE_TARGETS") && !targets.contains("MULTIPLE")
    }

    /// Whether the owner makes its pictures and documents when they are asked for, and stands still meanwhile.
    private static func isRenderer(_ targets: [String], program: String?) -> Bool {
        if let program, renderers.contains(where: { program.hasPrefix($0) }) { return true }
        return targets.contains { target in privateTargets.contains { target.hasPrefix($0) } }
    }

    private static let renderers = ["soffice", "libreoffice", "inkscape", "gimp", "krita"]
    private static let privateTargets = [
        "application/x-openoffice", "application/x-libreoffice", "image/x-inkscape-svg", "application/x-gimp",
        "image/x-xcf", "application/x-krita",
    ]

    // MARK: Choices

    private static func image(of offered: [Candidate]) -> String? {
        let images = offered.filter { $0.rank == .image }
        return (images.first { $0.target == "image/png" } ?? images.first)?.target
    }

    private static func texts(of offered: [Candidate]) -> [String] {
        var rest = offered.filter { $0.rank == .text }
        var texts: [String] = []
        while let best = TypeQuery.best(of: rest.map { ($0.type, $0.target) }, for: [.identifier(.utf8PlainText)]) {
            texts.append(rest.remove(at: best).target)
        }
        return texts + rest.map(\.target)
    }
}

/// One target that may be taken.
private struct Candidate {
    /// What is asked for first.
    enum Rank: Int, Comparable {
        case archive, text, html, richText, link, other, encodedText, image, dear

        static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    let target: String
    let type: UniformType
    let rank: Rank

    var isDear: Bool { rank == .dear }

    init(_ target: String) {
        self.target = target
        type = UniformType(target: target)
        rank = Self.rank(of: target, type)
    }

    private static func rank(of target: String, _ type: UniformType) -> Rank {
        if target == ItemArchive.mediaType { return .archive }
        if X11Targets.isTextName(target) || target == "C_STRING" || type == .utf8PlainText { return .text }
        if isDear(target, type) { return .dear }
        if type.conforms(to: .html) { return .html }
        if type.conforms(to: .rtf) || type == .rtfd || type == .flatRTFD { return .richText }
        if type.conforms(to: .url) || type == .urlName { return .link }
        // The same text in another encoding, of which Java lists dozens.
        if type.conforms(to: .plainText), target.hasPrefix("text/plain") { return .encodedText }
        // A drawing is text. Qt has formats that no declaration knows, and takes seconds for image/xpm.
        let isImage = type.conforms(to: .image) || target.lowercased().hasPrefix("image/")
        return isImage && !type.conforms(to: .xml) ? .image : .other
    }

    /// Whether it is a form that programs render, whatever they have: pages, metafiles, whole documents.
    private static func isDear(_ target: String, _ type: UniformType) -> Bool {
        if rendered.contains(where: { type.conforms(to: $0) }) { return true }
        let name = target.lowercased()
        return renderedNames.contains { name.contains($0) }
    }

    private static let rendered = ["com.adobe.pdf", "com.adobe.postscript", "com.adobe.encapsulated-postscript"]
        .compactMap { UniformType($0) }
    private static let renderedNames = [
        "postscript", "metafile", "image/x-emf", "image/emf", "image/x-wmf", "image/wmf", "image/x-eps",
        "application/x-openoffice", "application/x-libreoffice", "application/vnd.oasis.opendocument",
        "application/vnd.openxmlformats", "application/vnd.ms-", "application/msword", "embed source",
        "embedded object",
    ]
}

/// What may be captured, and how much of it.
struct CaptureRules: Equatable {
    /// The most bytes of one representation.
    var limit: Int
    /// The most bytes of all.
    var total: Int
    /// The most representations.
    var count: Int
    var takesImages: Bool
    /// Whether forms are taken that are rendered when they are asked for.
    var takesDear: Bool
    var takesGTK4: Bool
    /// Programs whose contents are not captured.
    var excepted: [String]
    /// The targets that are asked for; nil for what is worth taking.
    var only: Set<String>?

    /// What the bridge captures of its own accord.
    init(_ configuration: Configuration) {
        limit = configuration.captureLimit
        total = configuration.captureTotal
        count = configuration.captureCount
        takesImages = configuration.captureImages
        takesDear = false
        takesGTK4 = configuration.captureGTK4
        excepted = configuration.captureExcept
    }

    /// The kernel keeps 15 bytes of a process's name.
    fileprivate func excepts(_ program: String) -> Bool {
        excepted.contains { $0.utf8.prefix(15).elementsEqual(program.utf8.prefix(15)) }
    }

    /// What it takes of a program that is about to end and asks for it: it waits for this, and whatever is not taken is
    /// lost.
    init(atEnd configuration: Configuration, only: [String]?) {
        self.init(configuration)
        limit = max(limit, total)
        total = max(4 * total, limit)
        count = max(count, 256)
        takesImages = true
        takesDear = true
        self.only = only.map(Set.init)
    }
}

/// Why contents are not captured.
enum CaptureRefusal: Error, Equatable {
    case off, primary, forwarded, secret, gtk4, nothing, silent, late, tooLong, failed, displaySilent, noRoom
    /// One of the bridge's own was reached.
    case limit(Refusals.Reason)
    case excepted(String)

    /// For the user, without a full stop.
    var reason: String {
        switch self {
        case .off: "capture is off"
        case .primary: "capture-primary is off"
        case .forwarded: "the display is another machine's"
        case .secret: "it is a secret"
        case .gtk4: "its program looks like one of GTK 4, which this may freeze for good; capture-gtk4 takes the risk"
        case .excepted(let program): "capture-except names \(program)"
        case .nothing: "it has nothing that is captured"
        case .silent: "its program does not answer"
        case .tooLong: "it is longer than capture-limit or capture-total allows"
        case .late: "its program took longer than it is waited for"
        case .displaySilent: "the X server does not answer"
        case .noRoom: "the bridge has no memory or descriptors left for it"
        case .limit(let reason):
            "a limit of the bridge was reached: \(reason.rawValue)\(reason.setting.map { ", see \($0)" } ?? "")"
        case .failed: "its program refuses it or stopped sending"
        }
    }
}
