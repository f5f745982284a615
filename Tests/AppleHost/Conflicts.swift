import ApplePasteboards
import Synchronization

// Scenarios of threads, exits and data that are in each other's way.

/// An owner whose answers wait for a signal.
private final class SlowOwner: NSObject, NSPasteboardTypeOwner, @unchecked Sendable {
    let asked = DispatchSemaphore(value: 0)
    let go = DispatchSemaphore(value: 0)

    func pasteboard(_ sender: NSPasteboard, provideDataForType type: NSPasteboard.PasteboardType) {
        asked.signal()
        go.wait()
        sender.setString("owned", forType: type)
    }
}

/// An owner that copies again when it is asked, or when it has lost the pasteboard.
private final class EagerOwner: NSObject, NSPasteboardTypeOwner {
    var copiesWhenAsked = false

    func pasteboard(_ sender: NSPasteboard, provideDataForType type: NSPasteboard.PasteboardType) {
        sender.clearContents()
        sender.setString("new", forType: .string)
    }

    func pasteboardChangedOwner(_ sender: NSPasteboard) {
        say("changed owner \(Thread.isMainThread ? "on the main thread" : "elsewhere")")
        guard !copiesWhenAsked else { return }
        sender.clearContents()
        sender.setString("of the former owner", forType: .string)
    }
}

private final class Reader: @unchecked Sendable {
    private let done = DispatchSemaphore(value: 0)
    private(set) var text: String?

    /// Reads the text of the pasteboard on a thread of its own.
    init(started: DispatchSemaphore? = nil) {
        Thread { [self] in
            started?.signal()
            text = general.string(forType: .string)
            done.signal()
        }.start()
    }

    func wait() -> String {
        done.wait()
        return text ?? "nothing"
    }
}

/// Two threads read a promise while its owner is being asked.
func readTwice() {
    for _ in 0..<20 {
        let owner = SlowOwner()
        general.declareTypes([.string], owner: owner)
        _ = general.types
        let first = Reader()
        owner.asked.wait()
        let started = DispatchSemaphore(value: 0)
        let second = Reader(started: started)
        started.wait()
        owner.go.signal()
        let texts = [first.wait(), second.wait()]
        if texts != ["owned", "owned"] { say("read \(texts)") }
    }
    say("done")
}

/// A thread clears the pasteboard. The owner learns of it on the main thread, and copies again.
func clearElsewhere() {
    let owner = EagerOwner()
    general.declareTypes([.string], owner: owner)
    _ = general.types
    Thread {
        general.clearContents()
        DispatchQueue.main.async {
            say(general.string(forType: .string) ?? "nothing")
            exit(0)
        }
    }.start()
    withExtendedLifetime(owner) { RunLoop.main.run() }
}

/// The former owner copies when it learns of the next copy.
func copyOver() {
    let owner = EagerOwner()
    general.declareTypes([.string], owner: owner)
    _ = general.types
    general.clearContents()
    general.setString("mine", forType: .string)
    say(general.string(forType: .string) ?? "nothing")
}

/// The owner copies again when it is asked at the exit of the program.
func copyAtExit() -> Never {
    let owner = EagerOwner()
    owner.copiesWhenAsked = true
    general.declareTypes([.string], owner: owner)
    withExtendedLifetime(owner) { exit(0) }
}

/// The main queue runs on another thread after the first suspension.
@MainActor func suspend() async {
    await Task.detached {}.value
    let owner = Owner()
    general.declareTypes([.html], owner: owner)
    say(general.string(forType: .string) ?? "nothing")
    let manager = UndoManager()
    await withCheckedContinuation { continuation in
        _ = NotificationCenter.default.addObserver(
            forName: .NSUndoManagerDidCloseUndoGroup, object: manager, queue: nil
        ) { _ in continuation.resume() }
        manager.registerUndo(withTarget: owner) { _ in }
    }
    say("the event has ended")
    general.declareTypes([.string], owner: owner)
}

/// The timer of a copy that was sent must not send the beginning of the next copy.
func copyTwice() {
    Collecting.pause(.milliseconds(10))
    general.clearContents()
    general.setString("first", forType: .string)
    say("\(general.types?.count ?? 0)")
    Collecting.pause(.seconds(3_600))
    general.clearContents()
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.1))
    say("cleared")
    _ = readLine()
    general.setString("second", forType: .string)
}

/// A provider that reads another type of its item while it is asked, and a provider that is replaced then.
private final class NestedProvider: NSObject, NSPasteboardItemDataProvider {
    var successor: NestedProvider?
    private(set) var finishes = 0

    func pasteboard(
        _ pasteboard: NSPasteboard?, item: NSPasteboardItem, provideDataForType type: NSPasteboard.PasteboardType
    ) {
        if let successor, type == .pdf { return _ = item.setDataProvider(successor, forTypes: [.pdf]) }
        item.setString("\(type == .html ? item.string(forType: .rtf) ?? "" : "of") \(type.rawValue)", forType: type)
    }

    func pasteboardFinishedWithDataProvider(_ pasteboard: NSPasteboard) { finishes += 1 }
}

func provideNested() {
    let (provider, successor) = (NestedProvider(), NestedProvider())
    let item = NSPasteboardItem()
    item.setDataProvider(provider, forTypes: [.html, .rtf])
    general.clearContents()
    general.writeObjects([item])
    say("\(general.string(forType: .html) ?? "nothing"), finished \(provider.finishes)")
    let other = NSPasteboardItem()
    provider.successor = successor
    other.setDataProvider(provider, forTypes: [.pdf])
    general.clearContents()
    general.writeObjects([other])
    say("\(general.string(forType: .pdf) ?? "nothing"), then \(general.string(forType: .pdf) ?? "nothing")")
}

/// A copy follows one that was lost before it was sent.
func copyAfterLoss() {
    Collecting.pause(.seconds(3_600))
    general.clearContents()
    general.setString("lost", forType: .string)
    say("begun")
    _ = readLine()
    say("\(general.changeCount)")
    Collecting.pause(.milliseconds(10))
    general.clearContents()
    general.setString("after the loss", forType: .string)
    runUntilInput()
}

func misuseUndo() {
    let manager = UndoManager()
    manager.endUndoGrouping()
    manager.enableUndoRegistration()
    say("done")
}

/// A class whose initializer counts its calls.
private final class Counted: NSObject, NSPasteboardReading {
    static let calls = Mutex(0)

    static func readableTypes(for pasteboard: NSPasteboard) -> [NSPasteboard.PasteboardType] { [.string] }

    init?(pasteboardPropertyList propertyList: Any, ofType type: NSPasteboard.PasteboardType) {
        Self.calls.withLock { $0 += 1 }
    }
}

func writeOddData() {
    let items = ["two", "three"].map { text in
        let item = NSPasteboardItem()
        item.setString(text, forType: .string)
        return item
    }
    general.clearContents()
    general.writeObjects([NSPasteboardItem()] + items)
    say("after an empty item: \((general.pasteboardItems ?? []).map { $0.string(forType: .string) ?? "nothing" })")
    say("its number: \(general.index(of: items[1]))")
    let fresh = NSPasteboardItem()
    fresh.setString("fresh", forType: .string)
    say("with an old item: \(general.writeObjects([fresh, items[0]])), then alone: \(general.writeObjects([fresh]))")
    let count = general.readObjects(forClasses: [Counted.self])?.count ?? 0
    say("objects: \(count), initialized: \(Counted.calls.withLock(\.self))")
    var deep: Any = "deep"
    for _ in 0..<600 { deep = ["in": deep] }
    let type = NSPasteboard.PasteboardType("com.example.odd")
    general.clearContents()
    say("a deep property list: \(general.setPropertyList(deep, forType: type))")
    general.setData(expandingList(), forType: type)
    say("a list that expands: \(general.propertyList(forType: type) == nil ? "nothing" : "read")")
    let phone = UIPasteboard.general
    say("it is bytes for UIKit: \(phone.items.first?[type.rawValue] is Data)")
    phone.setData(Data("(1,2)".utf8), forPasteboardType: type.rawValue)
    phone.items = phone.items
    say("raw bytes: \(phone.data(forPasteboardType: type.rawValue).map { String(decoding: $0, as: UTF8.self) } ?? "")")
    say("many numbers: \(phone.types(forItemSet: IndexSet(0..<10_000_000)) == nil)")
    phone.setItems([["public.utf8-plain-text": "late"]], options: [.expirationDate: Date(timeIntervalSinceNow: -1)])
    say("contents of yesterday: \(phone.numberOfItems)")
    general.declareTypes((0...1_024).map { NSPasteboard.PasteboardType("com.example.t\($0)") }, owner: nil)
    say("too many types: \(general.types?.count ?? -1)")
}

/// Returns a binary property list in which each of 30 arrays has the next one ten times.
private func expandingList() -> Data {
    var bytes = Array("bplist00".utf8)
    var places: [UInt8] = []
    for number in 0..<30 {
        places.append(UInt8(bytes.count))
        bytes += [0xAA] + Array(repeating: UInt8(number + 1), count: 10)
        if bytes.count > 240 { break }
    }
    places.append(UInt8(bytes.count))
    bytes += [0x51, UInt8(ascii: "x")]
    let table = UInt8(truncatingIfNeeded: bytes.count)
    let count = UInt8(places.count)
    bytes += places
    bytes += [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, count] + [0, 0, 0, 0, 0, 0, 0, 0]
    return Data(bytes + [0, 0, 0, 0, 0, 0, 0, table])
}

func detect() async throws {
    for text in [
        "https://www.google.com/maps/@48.2,16.3,15z", "See https://en.wikipedia.org/wiki/Swift_(bird).",
        "(https://example.org/a)", "mailto:jane@example.org", "http://192.168.1.100/", "2024-01-02 10:20",
        "0664 123 45 67",
    ] {
        UIPasteboard.general.string = text
        let found = try await UIPasteboard.general.detectedValues(for: [\.links])
        say("\(found.links) \(found.emailAddresses) \(found.phoneNumbers)")
    }
}
