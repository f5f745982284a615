package import Configuration
import Glibc
import LinuxSystem
import PasteboardModel
import UniformTypes
package import X11Bridge

/// The targets of a foreign owner that are captured, in order.
package struct CapturePlan: Equatable {
    /// The targets in the order in which they are requested, inexpensive targets first.
    package let targets: [String]
    /// The names of the text, best encoding first. The first name that is not refused is captured, and stands for the
    /// other names. GTK 3 sends other line ends under one of its names, and escapes under another.
    package let texts: [String]
    /// The captured target that the owner lists first.
    package let first: String
    /// The drawings among the targets. Text next to a drawing may be its source.
    package let drawings: [String]
    /// The images among the targets that are forms of one picture, except the program's own format.
    package let images: [String]
    /// The targets that their program makes from other targets, such as whole documents.
    package let extras: [String]
    /// The image among the targets that its program renders on request; nil if there is none.
    package let renderedImage: String?
    /// False for a GTK 4 program, which freezes for good if it sends in pieces.
    package let acceptsPieces: Bool
    /// False if a target that the rules name is missing, or if targets were left out because there are too many.
    package let isWhole: Bool

    /// - Parameters:
    ///   - listed: The answer to TARGETS.
    ///   - program: The name of the owner's process, if it is known.
    package init(_ listed: [String], program: String?, rules: CaptureRules) throws(CaptureRefusal) {
        if listed.contains(where: SecretMark.isMark) { throw .secret }
        if let program, rules.excepts(program) { throw .excepted(program) }
        acceptsPieces = rules.gtk4 == .whole || !Self.isGTK4(listed)
        if !acceptsPieces, rules.gtk4 == .none { throw .gtk4 }
        let isRenderer = Self.isRenderer(listed, program: program)
        var offered = ForeignReader.contents(of: listed).map(Candidate.init)
        if let only = rules.only {
            offered.removeAll { !only.contains($0.target) }
        } else {
            offered.removeAll { Self.isUnasked($0.target, of: listed) }
        }
        guard !offered.isEmpty else { throw .nothing }
        // If there is text or a drawing, a renderer's image or page is only another form of it, and may take a long
        // time: LibreOffice needs seconds for the image of a large sheet, which turns out to have no bytes.
        if isRenderer, offered.contains(where: { $0.rank == .text || $0.isDrawing }) {
            offered.removeAll { $0.rank == .image || $0.isPage }
        }
        let askedCount = offered.count
        if !rules.includesExpensive {
            offered.removeAll { $0.isExtra(ofRenderer: isRenderer) }
            if offered.isEmpty { throw .rendered }
        }
        if !rules.includesImages {
            offered.removeAll { $0.rank == .image }
            if offered.isEmpty { throw .images }
        }
        if rules.only == nil, let image = Self.image(of: offered) {
            offered.removeAll { $0.rank == .image && $0.target != image }
        }
        if rules.only == nil, offered.contains(where: { $0.rank == .text && $0.type == .utf8PlainText }) {
            offered.removeAll { $0.rank == .encodedText }
        }
        let texts = Self.texts(of: offered)
        let others = Set(texts.dropFirst())
        let whole = offered.indices.filter { !others.contains(offered[$0].target) }.sorted {
            (offered[$0].order, $0) < (offered[$1].order, $1)
        }
        let chosen = whole.prefix(rules.count)
        guard let first = chosen.min() else { throw .nothing }
        targets = chosen.map { offered[$0].target }
        self.texts = targets.contains { $0 == texts.first } ? texts : []
        self.first = offered[first].target
        drawings = chosen.map { offered[$0] }.filter(\.isDrawing).map(\.target)
        images = chosen.map { offered[$0] }.filter { $0.rank == .image && !Self.isPrivate($0.target) }.map(\.target)
        renderedImage = isRenderer ? images.first : nil
        extras = chosen.map { offered[$0] }.filter { $0.isExtra(ofRenderer: isRenderer) }.map(\.target)
        isWhole = chosen.count == whole.count && (rules.only == nil || offered.count == askedCount)
    }

    // MARK: Owners

    /// Returns true for a target that is requested only if a program names it. An unprompted request for FILE_NAME,
    /// which no other program makes, kills GNUstep's pasteboard server. GTK 3 also lists a WebP picture as a sound.
    package static func isUnasked(_ target: String, of listed: [String]) -> Bool {
        switch target {
        case "FILE_NAME", "FILE": true
        case "audio/x-riff": listed.contains { $0.hasPrefix("image/") }
        default: false
        }
    }

    /// Returns true for the targets of GTK 4, which lists SAVE_TARGETS as GTK 3 does, but not MULTIPLE.
    private static func isGTK4(_ targets: [String]) -> Bool {
        targets.contains("SAVE_TARGETS") && !targets.contains("MULTIPLE")
    }

    /// Returns true for a program that renders pictures and documents on request, and does not react until it is done.
    private static func isRenderer(_ targets: [String], program: String?) -> Bool {
        if let program, renderers.contains(where: { program.hasPrefix($0) }) { return true }
        return targets.contains(where: isPrivate)
    }

    /// Returns true for a renderer's own format.
    private static func isPrivate(_ target: String) -> Bool { privateTargets.contains { target.hasPrefix($0) } }

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

/// A target that may be captured.
private struct Candidate {
    /// The order of the targets.
    enum Rank: Int, Comparable {
        case archive, text, html, richText, link, other, encodedText, image, expensive

        static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    let target: String
    let type: UniformType
    let rank: Rank

    /// True for a vector drawing, which its program has at hand.
    var isDrawing: Bool { Self.isDrawing(target) }
    var isPicture: Bool { rank == .image || isDrawing }
    /// True for a page, a metafile or LibreOffice's bitmap.
    var isPage: Bool {
        rank == .expensive && (Self.isPage(type) || Self.pageNames.contains { target.lowercased().contains($0) })
    }
    /// The place in the order of the targets: the image that every program reads comes first in its rank.
    var order: Int { 2 * rank.rawValue + (target == "image/png" ? 0 : 1) }

    /// Returns true for a target that its program makes from other targets on request.
    func isExtra(ofRenderer isRenderer: Bool) -> Bool {
        rank == .expensive || isRenderer && rank > .link && !isPicture
    }

    init(_ target: String) {
        self.target = target
        type = UniformType(target: target)
        rank = Self.rank(of: target, type)
    }

    private static func rank(of target: String, _ type: UniformType) -> Rank {
        if target == ItemArchive.mediaType { return .archive }
        if X11Targets.isTextName(target) || target == "C_STRING" || type == .utf8PlainText { return .text }
        if isExpensive(target, type) { return .expensive }
        if type.conforms(to: .html) { return .html }
        if type.conforms(to: .rtf) || type == .rtfd || type == .flatRTFD { return .richText }
        if type.conforms(to: .url) || type == .urlName { return .link }
        // Java lists the same text in dozens of encodings, and Mozilla in UTF-16.
        if type.conforms(to: .plainText), target.hasPrefix("text/plain") { return .encodedText }
        if target == "text/unicode" { return .encodedText }
        // An SVG drawing is text. Qt lists image formats that have no declared type, and needs seconds for image/xpm.
        let isImage = type.conforms(to: .image) || target.lowercased().hasPrefix("image/")
        return isImage && !type.conforms(to: .xml) && !isDrawing(target) ? .image : .other
    }

    private static func isDrawing(_ target: String) -> Bool {
        target == "image/x-inkscape-svg" || UniformType(target: target).conforms(to: .svg)
    }

    /// Returns true for a format that programs render from whatever they have: pages, metafiles, whole documents.
    private static func isExpensive(_ target: String, _ type: UniformType) -> Bool {
        let name = target.lowercased()
        return isPage(type) || (pageNames + documentNames).contains { name.contains($0) }
    }

    private static func isPage(_ type: UniformType) -> Bool { pages.contains { type.conforms(to: $0) } }

    private static let pages = ["com.adobe.pdf", "com.adobe.postscript", "com.adobe.encapsulated-postscript"]
        .compactMap { UniformType($0) }
    private static let pageNames = [
        "postscript", "metafile", "image/x-emf", "image/emf", "image/x-wmf", "image/wmf", "image/x-eps",
        "application/x-openoffice-emf", "application/x-openoffice-wmf", "application/x-openoffice-bitmap",
    ]
    private static let documentNames = [
        "application/x-openoffice", "application/x-libreoffice", "application/vnd.oasis.opendocument",
        "application/vnd.openxmlformats", "application/vnd.ms-", "application/msword", "embed source",
        "embedded object",
    ]
}

/// The rules of a capture: which targets, and how much.
package struct CaptureRules: Equatable {
    /// The maximum size of one representation, in bytes.
    package var limit: Int
    /// The maximum size of all representations, in bytes.
    package var total: Int
    /// The maximum number of representations.
    package var count: Int
    var includesImages: Bool
    /// True to capture formats that programs render on request.
    var includesExpensive: Bool
    /// The contents that GTK 4 programs are asked for. A GTK 4.8 program freezes, even while it ends, once it has begun
    /// to send a long answer in pieces.
    package var gtk4: GTK4Contents
    /// The programs whose contents are not captured.
    package var excepted: [String]
    /// The targets to capture; nil for all that are worth capturing.
    package var only: Set<String>?

    package enum GTK4Contents: Equatable {
        case none
        /// Contents of up to 256 KiB, which arrive in one piece.
        case short
        case whole
    }

    /// Creates the rules of a capture after a copy.
    package init(_ configuration: Configuration) {
        limit = configuration.captureLimit
        total = configuration.captureTotal
        count = configuration.captureCount
        includesImages = configuration.captureImages
        includesExpensive = false
        gtk4 = configuration.captureGTK4 ? .whole : .none
        excepted = configuration.captureExcept
    }

    /// Creates the rules of a capture for a program that is about to end: the program waits for the capture, and
    /// targets that are not captured are lost.
    package init(atEnd configuration: Configuration, only: [String]?) {
        self.init(configuration)
        limit = max(limit, total)
        total = max(4 * total, limit)
        count = max(count, 256)
        includesImages = true
        includesExpensive = true
        if gtk4 == .none { gtk4 = .short }
        self.only = only.map(Set.init)
    }

    /// Returns true for an excepted program.
    package func excepts(_ program: String) -> Bool {
        excepted.contains { ProcessName.isName(program, of: $0) }
    }

    /// Returns the name of an excepted program that is running; nil if there is none.
    package func runningException() -> String? {
        excepted.isEmpty ? nil : ProcessName.running(excepted, of: getuid()).first?.name
    }
}

package enum CaptureRefusal: Error, Equatable {
    case off, primary, images, forwarded, secret, unservedXwayland, removed, gtk4, nothing, rendered
    case early, silent, late, tooLong, tooSlow, failed, displaySilent, noRoom
    case limit(Refusals.Reason)
    case excepted(String)
    /// A target did not arrive within the timeout.
    case missing(String, within: Duration)
    /// A target had not arrived when the capture had to end.
    case unsent(String)

    /// True if the user, or a program for the user, has decided that nothing is captured.
    package var isWanted: Bool {
        switch self {
        case .off, .primary, .images, .forwarded, .secret, .removed, .excepted: true
        default: false
        }
    }

    /// The reason for the user, without a period.
    package var reason: String {
        switch self {
        case .off: "capture is off"
        case .primary: "capture-primary is off"
        case .forwarded: "the display is another machine's or another user's"
        case .secret: "it is a secret"
        case .unservedXwayland:
            "an X11 program may have copied it as a secret, whose mark is lost; a bridge with DISPLAY sees the mark"
        case .removed: "it was removed before, as a secret or after its time, and a program has put it back"
        case .gtk4: "its program seems to use GTK 4, and a capture may freeze it for good; capture-gtk4 takes the risk"
        case .excepted(let program): "capture-except names \(program)"
        case .images: "capture-images is off"
        case .nothing: "it has nothing that can be captured"
        case .rendered: "its program renders every format on request, and is blocked while it does"
        case .early: "there was no time to ask for it"
        case .missing(let target, let timeout): "\(target) did not arrive within \(timeout.rounded)"
        case .unsent(let target): "\(target) had not arrived"
        case .silent: "its program does not answer"
        case .tooLong: "it is longer than capture-limit or capture-total allows"
        case .tooSlow: "its program makes this format only on request, and ended before there was time to ask"
        case .late: "its program took longer than the capture may take"
        case .displaySilent: "the X server does not answer"
        case .noRoom: "the bridge has no memory or descriptors left for it"
        case .limit(let reason):
            "a limit of the bridge was reached: \(reason.rawValue)\(reason.setting.map { ", see \($0)" } ?? "")"
        case .failed: "its program refuses it or stopped sending"
        }
    }
}

extension Duration {
    /// The duration in seconds, with one decimal at most, such as `8.5 s`.
    fileprivate var rounded: String {
        let tenths = components.seconds * 10 + components.attoseconds / 100_000_000_000_000_000
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}
