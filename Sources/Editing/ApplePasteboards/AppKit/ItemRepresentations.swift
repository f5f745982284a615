#if !canImport(Darwin)

import Foundation
import Pasteboard

/// The representations of an item that this program made, as a value.
struct ItemRepresentations {
    enum Value {
        case data(Data)
        /// The source is asked for the data once, when it is first needed.
        case promised(DataSource)
        /// The type has no data yet, and nobody to ask.
        case declared
    }

    /// The result of the question for the value of a type.
    enum Answer {
        case value(Value)
        /// Another thread asks the source, until the completion.
        case asked(Completion<Void>)
    }

    /// The request of a source for the data of a type.
    private struct Request {
        let source: DataSource
        let thread: ThreadService.Thread
        let end = Completion<Void>()
    }

    private(set) var types: [NSPasteboard.PasteboardType] = []
    private var values: [NSPasteboard.PasteboardType: Value] = [:]
    /// The sources of all promises, including those that were kept.
    private(set) var sources: [DataSource] = []
    /// The types whose sources are being asked.
    private var asked: [NSPasteboard.PasteboardType: Request] = [:]
    /// The number of changes that a pasteboard must write. Data for a promised type is not such a change, since the
    /// pasteboard has the promise.
    private var changes = 0

    mutating func set(_ value: Value, for type: NSPasteboard.PasteboardType) {
        let former = values.updateValue(value, forKey: type)
        if former == nil { types.append(type) }
        if case .promised(let source) = value, !sources.contains(where: { $0 === source }) { sources.append(source) }
        if case .promised = former { return }
        changes += 1
    }

    func needsWrite(since former: ItemRepresentations) -> Bool { changes != former.changes }

    /// The types with their data; without data for those that are promised.
    var all: [(type: NSPasteboard.PasteboardType, data: Data?)] {
        types.map { type in
            guard case .data(let data) = values[type] else { return (type, nil) }
            return (type, data)
        }
    }

    /// Returns the value of a type. A source is asked from now until ``end(_:of:)``, and only once.
    mutating func begin(_ type: NSPasteboard.PasteboardType) -> Answer {
        guard let value = values[type] else { return .value(.declared) }
        if let request = asked[type] {
            // A source that reads the type that it is asked for finds no data.
            return request.thread == .current ? .value(.declared) : .asked(request.end)
        }
        if case .promised(let source) = value { asked[type] = Request(source: source, thread: .current) }
        return .value(value)
    }

    /// Ends the request of a type's source.
    ///
    /// - Returns: The data that the source has set, nil if it has set none; and the completion to complete.
    mutating func end(_ type: NSPasteboard.PasteboardType, of source: DataSource) -> (Data?, Completion<Void>?) {
        let completion = asked.removeValue(forKey: type)?.end
        if case .data(let data) = values[type] { return (data, completion) }
        // A provider may have set another provider in its place.
        if case .promised(let present) = values[type], present === source { values[type] = .declared }
        return (nil, completion)
    }

    /// True if a source is being asked for a type.
    var isAsked: Bool { !asked.isEmpty }

    /// Returns true if an object still has to provide data, or is being asked.
    func isPromised(by object: AnyObject) -> Bool {
        asked.values.contains { $0.source.object === object }
            || values.values.contains { if case .promised(let source) = $0 { source.object === object } else { false } }
    }

    /// Removes the sources that ask an object, whose promises are kept. Returns true if there were any.
    mutating func removeSources(asking object: AnyObject) -> Bool {
        let count = sources.count
        sources.removeAll { $0.object === object }
        return sources.count < count
    }

    /// Removes all sources. Their promises can no longer be kept.
    mutating func removeSources() -> [DataSource] {
        for type in types {
            if case .promised = values[type] { values[type] = .declared }
        }
        defer { sources = [] }
        return sources
    }
}

/// The source of promised data: the provider of an item, the owner of declared types, or an object that was written.
final class DataSource: @unchecked Sendable {
    /// The provider, the owner or the object. A provider of several items has a source for each item.
    let object: AnyObject
    /// Sets the data of a type. It is called on the main thread, or on the thread of a call that reads the program's
    /// own contents.
    let provide: (NSPasteboard?, NSPasteboardItem, NSPasteboard.PasteboardType) -> Void
    /// Tells the object, once, that the pasteboard no longer needs it.
    let finish: (NSPasteboard) -> Void

    private init(
        _ object: AnyObject,
        provide: @escaping (NSPasteboard?, NSPasteboardItem, NSPasteboard.PasteboardType) -> Void,
        finish: @escaping (NSPasteboard) -> Void = { _ in }
    ) {
        self.object = object
        self.provide = provide
        self.finish = finish
    }

    static func provider(_ provider: any NSPasteboardItemDataProvider) -> DataSource {
        DataSource(provider) { pasteboard, item, type in
            provider.pasteboard(pasteboard, item: item, provideDataForType: type)
        } finish: { pasteboard in
            provider.pasteboardFinishedWithDataProvider(pasteboard)
        }
    }

    static func owner(_ owner: any NSPasteboardTypeOwner) -> DataSource {
        DataSource(owner) { pasteboard, item, type in
            if let pasteboard {
                owner.pasteboard(NSPasteboard(pasteboard.board, providing: item), provideDataForType: type)
            }
        }
    }

    static func object(_ object: any NSPasteboardWriting) -> DataSource {
        DataSource(object) { _, item, type in
            guard let value = object.pasteboardPropertyList(forType: type) else { return }
            _ = item.setPropertyList(value, forType: type)
        }
    }
}

#endif
