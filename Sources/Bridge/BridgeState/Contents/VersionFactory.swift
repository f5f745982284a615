package import EventLoop
package import FormatConversion
import Formats
import LinuxSystem
import PasteboardModel
import PictureConversion
package import SelectionProtocol
package import X11Bridge
import X11Display

/// The factory of versions: contents with the formats in which they are available under the user's rules.
package final class VersionFactory {
    private let settings: Settings
    private let pool: ConversionPool
    private let display: DisplayProxy
    private let executor: EventLoopExecutor
    private var count = 0
    /// The portal for files; nil if the session has no bus.
    package var fileTransfer: FileTransfer?

    /// The timeout for a conversion by the X thread.
    private static let compoundTextTimeout = Duration.seconds(2)

    package init(settings: Settings, pool: ConversionPool, display: DisplayProxy, executor: EventLoopExecutor) {
        self.settings = settings
        self.pool = pool
        self.display = display
        self.executor = executor
    }

    package func nextID() -> OfferID {
        count += 1
        return OfferID(count)
    }

    /// Makes a version of a draft. `restorable` is the contents that undo restored; nil for any other change.
    package func version(
        of draft: Draft, by writer: PasteboardState.Writer, as cause: ChangeCause,
        restoring restorable: RestorableContents? = nil
    ) -> PasteboardState.Version {
        make(draft, nextID(), writer, cause, restorable ?? RestorableContents(draft))
    }

    /// Returns the same version under the present rules, or with another draft of the same contents.
    package func renewed(_ version: PasteboardState.Version, as draft: Draft? = nil) -> PasteboardState.Version {
        make(draft ?? version.draft, version.id, version.writer, version.cause, version.restorable)
    }

    private func make(
        _ draft: Draft, _ id: OfferID, _ writer: PasteboardState.Writer, _ cause: ChangeCause,
        _ restorable: RestorableContents?
    ) -> PasteboardState.Version {
        let sources = draft.representationSources
        let catalog = FormatCatalog(draft.sources, rules: rules, isSecret: draft.options.concealed)
        // A secret is not read to find empty text.
        let formats =
            draft.options.concealed
            ? catalog
            : catalog.withoutEmptyTexts { sources[$0].bytes }
                .withoutFalsePictures { sources[$0].bytes.map(Self.isFalsePicture) ?? false }
        return PasteboardState.Version(
            id: id, draft: draft, writer: writer, cause: cause, restorable: restorable, formats: formats,
            planner: OfferPlanner { Self.offeredNames(of: formats, sources, isSecret: draft.options.concealed) },
            conversions: conversions(.init(sources, timesOut: false)), sources: sources)
    }

    /// Returns true for bytes that are no picture that can be converted.
    private static func isFalsePicture(_ bytes: EncodedBytes) -> Bool {
        let start = try? bytes.held.bytes(in: bytes.range.prefix(PictureFormat.signatureLength))
        return start.map { PictureFormat($0) == nil } ?? false
    }

    private static func offeredNames(
        of formats: FormatCatalog, _ sources: [RepresentationSource], isSecret: Bool
    ) -> [FormatName] {
        formats.names(items: 0..<formats.itemCount).compactMap { name in
            // A secret is offered as it is, and nothing is derived from it (invariant 9).
            isSecret ? name.unchanged { sources[$0].bytes } : name.isPossible { sources[$0].bytes } ? name : nil
        }
    }

    // MARK: Foreign contents

    /// Returns the formats of targets that a foreign owner offers. The owner is asked for each target once.
    package func contents(_ offered: [ForeignReader.Offered], from reader: ForeignReader) -> ForeignContents {
        let sources = ConversionCache.Sources(
            present: { _ in nil },
            read: { index throws(ConversionFailure) in
                do throws(DisplayProxy.FetchFailure) {
                    let value = try await reader.bytes(of: offered[index])
                    return EncodedBytes(value.file, target: value.offered.target, propertyType: value.type)
                } catch {
                    throw reader.conversionFailure(error, of: index)
                }
            }, timesOut: true)
        let formats = FormatCatalog(
            offered.map { FormatCatalog.Source(item: 0, type: $0.type, target: $0.target) }, rules: rules,
            isForeign: true)
        return ForeignContents(
            formats: formats, conversions: conversions(sources), offered: offered, archived: nil)
    }

    /// Returns the formats of the items of an archive that a foreign owner offers.
    package func contents(ofArchive draft: Draft) -> ForeignContents {
        ForeignContents(
            formats: FormatCatalog(draft.sources, rules: rules, isForeign: true),
            conversions: conversions(.init(draft.representationSources, timesOut: true)), offered: nil, archived: draft)
    }

    private func conversions(_ sources: ConversionCache.Sources) -> ConversionCache {
        ConversionCache(
            sources, pool: pool, compoundText: compoundText, fileTransfer: fileTransfer, executor: executor)
    }

    private var rules: FormatCatalog.Rules {
        var rules = settings.rules
        rules.transfersFiles = fileTransfer != nil
        return rules
    }

    private var compoundText: CompoundTextConverter {
        CompoundTextConverter(maxLength: XDisplay.maxCompoundText) {
            [display] direction, text throws(ConversionFailure) in
            let query = CompoundTextQuery(
                direction: direction == .toCompoundText ? .toCompoundText : .fromCompoundText, text: text)
            switch await display.ask(query, within: Self.compoundTextTimeout) ?? .unavailable {
            case .text(let text): return text
            case .impossible:
                throw .impossible("the text cannot be converted to or from compound text")
            case .unavailable:
                throw .broken("there is no X server to convert the text to compound text")
            }
        }
    }
}

extension FormatName {
    /// Returns false for a conversion that may fail: a target that is offered must be convertible (ICCCM 2.7.1).
    /// STRING and COMPOUND_TEXT are made only of text in UTF-8.
    ///
    /// - Parameter present: Returns the bytes of a source, if they are available.
    func isPossible(_ present: (Int) -> EncodedBytes?) -> Bool {
        guard case .made(let step, let parts) = derivation, step == .replacingLatin1Text || step == .compoundText
        else { return true }
        var limit = Derivation.maxReadInAll
        return parts.allSatisfy { $0.isUTF8(present, readingAtMost: &limit) }
    }
}

extension Derivation {
    /// The maximum length of text that is read for an offer, in bytes. The declared encoding of longer text is trusted.
    private static let maxRead = 262_144
    /// The maximum total length of the text that is read for one format, in bytes.
    fileprivate static let maxReadInAll = 4 << 20

    /// Returns true for text that is in UTF-8, or will be converted to it.
    ///
    /// - Parameter limit: The number of bytes that may still be read; decreased by the number that is read.
    fileprivate func isUTF8(_ present: (Int) -> EncodedBytes?, readingAtMost limit: inout Int) -> Bool {
        switch self {
        case .source: return true
        case .made(.utf8Text, let parts):
            guard case .source(let index)? = parts.first, let bytes = present(index) else { return false }
            if bytes.range.count > min(Self.maxRead, limit) { return bytes.mayBeUTF8 }
            limit -= bytes.range.count
            return (try? ConversionStep.utf8Text.carryOut(on: [bytes])) != nil
        case .made(.joinedTexts, let parts): return parts.allSatisfy { $0.isUTF8(present, readingAtMost: &limit) }
        case .made(let step, _): return step.makesText
        }
    }
}
