import ApplePasteboards

// A program that performs one scenario, which its argument names. Each line that it prints is a fact; a line of input
// lets it go on.

let general = NSPasteboard.general

func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

final class Owner: NSObject, NSPasteboardTypeOwner {
    func pasteboard(_ sender: NSPasteboard, provideDataForType type: NSPasteboard.PasteboardType) {
        say("asked \(type.rawValue) \(Thread.isMainThread ? "on the main thread" : "elsewhere")")
        sender.setString("owned", forType: type)
    }

    func pasteboardChangedOwner(_ sender: NSPasteboard) { say("changed owner") }
}

final class Silent: NSObject, NSPasteboardItemDataProvider {
    func pasteboard(
        _ pasteboard: NSPasteboard?, item: NSPasteboardItem, provideDataForType type: NSPasteboard.PasteboardType
    ) {}
}

final class Stranger: NSObject {}

/// Runs the main run loop, and exits when a line of input comes.
func runUntilInput() -> Never {
    let thread = Thread {
        _ = readLine()
        DispatchQueue.main.async { exit(0) }
    }
    thread.start()
    RunLoop.main.run()
    fatalError("the run loop has ended")
}

switch CommandLine.arguments.dropFirst().first {
case "copies":
    // Four copies, by the calls that programs use. No pause separates the calls of a copy.
    Collecting.pause(.seconds(3_600))
    general.clearContents()
    general.setString("first", forType: .string)
    general.setString("<b>first</b>", forType: .html)
    say("\(general.changeCount)")
    general.declareTypes([.string, .html], owner: nil)
    general.setString("second", forType: .string)
    general.setString("<b>second</b>", forType: .html)
    general.clearContents()
    general.writeObjects(["third" as NSString])
    general.writeObjects(["another" as NSString])
    let item = NSPasteboardItem()
    item.setString("fourth", forType: .string)
    general.clearContents()
    general.writeObjects([item])
    item.setString("<b>fourth</b>", forType: .html)
    say("\(general.string(forType: .html) ?? "nothing")")
case "owner":
    let owner = Owner()
    general.declareTypes([.string], owner: owner)
    // Reading the types writes what was collected.
    say("declared \(general.types?.first?.rawValue ?? "nothing")")
    withExtendedLifetime(owner) { runUntilInput() }
case "leaves":
    general.clearContents()
    general.setString("left behind", forType: .string)
case "promises":
    let owner = Owner()
    general.declareTypes([.string, .html], owner: owner)
    withExtendedLifetime(owner) { exit(0) }
case "derived":
    // The text is made from the promised HTML by the bridge, while this thread waits for it.
    let owner = Owner()
    general.declareTypes([.html], owner: owner)
    say(general.string(forType: .string) ?? "nothing")
    say(UIPasteboard.general.string ?? "nothing")
    withExtendedLifetime(owner) {}
case "refusals":
    let item = NSPasteboardItem()
    item.setDataProvider(Silent(), forTypes: [.pdf])
    general.clearContents()
    general.writeObjects([item])
    say("a provider that sets nothing: \(general.data(forType: .pdf) as Any)")
    say("an item that is written again: \(general.writeObjects([item]))")
    say("no property list: \(general.setPropertyList(Stranger(), forType: .string))")
    say("a number as text: \(general.setPropertyList(5, forType: .string))")
    say("no type: \(general.setString("x", forType: NSPasteboard.PasteboardType("")))")
    say("a class of types: \(general.setString("x", forType: NSPasteboard.PasteboardType("image")))")
    say(
        "what can be written stays: \(general.setString("x", forType: .html)) \(general.types?.contains(.html) == true)"
    )
    let nameless = NSPasteboard(name: NSPasteboard.Name(""))
    nameless.clearContents()
    say("a pasteboard without a name: \(nameless.setString("x", forType: .string))")
    say("a class that cannot be read: \(general.readObjects(forClasses: [Stranger.self]) as Any)")
    general.declareTypes([.string], owner: Stranger())
    say("an owner that is none: \(general.string(forType: .string) as Any)")
    general.declareTypes([.string], owner: Owner())
    say("an owner that nobody else keeps: \(general.string(forType: .string) ?? "nothing")")
case "lost":
    general.clearContents()
    general.setString("mine", forType: .string)
    say("\(general.string(forType: .string) ?? "nothing")")
    _ = readLine()
    let isWritten = general.setString("late", forType: .string)
    say("after another copy: \(isWritten) \(general.string(forType: .string) ?? "nothing")")
case "unreachable":
    say("\(general.changeCount) \(general.clearContents()) \(general.setString("x", forType: .string))")
    say("\(general.string(forType: .string) as Any) \(general.types as Any) \(UIPasteboard.general.hasStrings)")
case "large":
    let list = (0..<10).map { Data(repeating: UInt8($0), count: 1 << 20) }
    general.clearContents()
    say("\(general.setPropertyList(list, forType: NSPasteboard.PasteboardType("com.example.large")))")
    let read = general.propertyList(forType: NSPasteboard.PasteboardType("com.example.large")) as? [Data]
    say("\(read == list)")
case "phone":
    // Sentences of UIKit's documentation, and whether they hold.
    let board = UIPasteboard.general
    func expect(_ sentence: String, _ isTrue: Bool) { say("\(isTrue ? "holds" : "FAILS"): \(sentence)") }
    let before = board.changeCount
    board.string = "words"
    expect("setting the string counts", board.changeCount == before + 1)
    expect("the string is read again", board.string == "words" && board.hasStrings && !board.hasURLs)
    board.strings = ["one", "two"]
    expect("each string is an item", board.numberOfItems == 2 && board.strings == ["one", "two"])
    board.url = URL(string: "https://example.org/")
    expect("the URL is read again", board.url?.host() == "example.org" && board.hasURLs)
    let picture = Data([0x89, 0x50])
    board.setItems([["public.png": picture, "public.utf8-plain-text": "dot"], ["com.example.list": [1, 2]]])
    expect("an item has several types", board.types.prefix(2) == ["public.png", "public.utf8-plain-text"])
    expect(
        "the items are read again",
        board.items.count == 2 && board.items[0]["public.utf8-plain-text"] as? String == "dot")
    expect("values are property lists", board.items[1]["com.example.list"] as? [Int] == [1, 2])
    expect("bytes are read by type", board.data(forPasteboardType: "public.png") == picture && board.hasImages)
    let second = IndexSet(integer: 1)
    expect("types of an item", board.types(forItemSet: second)?.first?.first == "com.example.list")
    expect("the items with a type", board.itemSet(withPasteboardTypes: ["com.example.list"]) == second)
    expect("no item with a type", board.itemSet(withPasteboardTypes: ["com.adobe.pdf"]) == nil)
    expect("an item set that does not exist", board.types(forItemSet: IndexSet(integer: 7)) == nil)
    let values = board.values(forPasteboardType: "com.example.list", inItemSet: nil)
    expect("values are those of the items with the type", values?.count == 1 && values?.first as? [Int] == [1, 2])
    expect(
        "and so is data", board.data(forPasteboardType: "public.png", inItemSet: IndexSet(0..<2)) == [picture])
    board.addItems([["public.utf8-plain-text": "third"]])
    expect("items are added", board.numberOfItems == 3)
    board.setValue("a value", forPasteboardType: UIPasteboard.typeAutomatic)
    expect("a value is set", board.value(forPasteboardType: "public.utf8-plain-text") as? String == "a value")
    board.setItems(
        [["public.utf8-plain-text": "secret"]], options: [.localOnly: true, .expirationDate: Date() + 3_600])
    expect("options are taken", board.string == "secret")
    board.setItems([], options: [:])
    expect("no items clear the pasteboard", board.numberOfItems == 0 && board.string == nil)
    let name = UIPasteboard.Name("com.example.host.phone")
    expect("a pasteboard that does not exist", UIPasteboard(name: name, create: false) == nil)
    let own = UIPasteboard(name: name, create: true)
    own?.string = "mine"
    own?.setPersistent(true)
    expect(
        "a pasteboard of its own",
        UIPasteboard(name: name, create: false)?.string == "mine" && own?.isPersistent == true)
    UIPasteboard.remove(withName: name)
    expect("a pasteboard that was removed", UIPasteboard(name: name, create: false) == nil)
    board.string = "Write to jane@example.org or see https://example.org/x, or call +43 1 234 56 78."
    let found = try await board.detectedPatterns(for: [
        \.emailAddresses, \.links, \.phoneNumbers, \.number, \.probableWebURL,
    ])
    expect("patterns are detected", found == [\.emailAddresses, \.links, \.phoneNumbers])
    board.string = "42.5"
    let detected = try await NSPasteboard.general.detectedValues(for: [\.number])
    expect("a number is detected", detected.number == 42.5 && detected.patterns == [\.number])
case "notifications":
    let observer = NotificationCenter.default.addObserver(
        forName: UIPasteboard.changedNotification, object: UIPasteboard.general, queue: nil
    ) { note in
        let types = note.userInfo?[UIPasteboard.changedTypesAddedUserInfoKey] as? [String] ?? []
        say("changed: \(types.joined(separator: " "))")
    }
    say("\(UIPasteboard.general.changeCount)")
    withExtendedLifetime(observer) { runUntilInput() }
case "hostless":
    // Undo managers of the module Undo: nothing ends the events of the first.
    let stranger = Stranger()
    func change(_ manager: Undo.UndoManager, endingEvents: Bool) {
        for _ in 0..<3 {
            manager.beginUndoGrouping()
            manager.registerUndo(withTarget: stranger) { _ in }
            manager.endUndoGrouping()
            if endingEvents { manager.endEvent() }
        }
        manager.undo()
        say("can undo: \(manager.canUndo)")
    }
    change(Undo.UndoManager(), endingEvents: false)
    change(Undo.UndoManager(), endingEvents: true)
    let grouping = Undo.UndoManager()
    grouping.groupsByEvent = false
    change(grouping, endingEvents: false)
case "readTwice": readTwice()
case "clearElsewhere": clearElsewhere()
case "copyOver": copyOver()
case "copyAtExit": copyAtExit()
case "suspend": await suspend()
case "copyTwice": copyTwice()
case "provideNested": provideNested()
case "copyAfterLoss": copyAfterLoss()
case "misuseUndo": misuseUndo()
case "odd": writeOddData()
case "detect": try await detect()
default: say("unknown")
}
