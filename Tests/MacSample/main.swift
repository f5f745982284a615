import ApplePasteboards

// Each line states a sentence of Apple's documentation, and whether it holds.
func expect(_ sentence: String, _ isTrue: Bool) { print(isTrue ? "holds: \(sentence)" : "FAILS: \(sentence)") }

let general = NSPasteboard.general

func strings() {
    let before = general.changeCount
    let cleared = general.clearContents()
    expect("clearContents returns the new change count", cleared == before + 1)
    expect("clearing empties the pasteboard", general.string(forType: .string) == nil)
    expect("setString succeeds after clearing", general.setString("Hello", forType: .string))
    expect("writing does not change the count", general.changeCount == cleared)
    expect("the string can be read", general.string(forType: .string) == "Hello")
    expect("a second type is added to the item", general.setString("<b>Hello</b>", forType: .html))
    expect("adding does not change the count", general.changeCount == cleared)
    expect("the types are in the order of writing", general.types?.prefix(2) == [.string, .html])
    expect("there is one item", general.pasteboardItems?.count == 1)
    expect("the first available type of a list is found", general.availableType(from: [.pdf, .html, .string]) == .html)
    expect("a missing type is nil", general.data(forType: .pdf) == nil)
    general.clearContents()
    let empty = general.changeCount
    expect("clearing an empty pasteboard counts, too", general.clearContents() == empty + 1)
    expect("and so does each further clear", general.clearContents() == empty + 2)
    expect("the pasteboard is still this program's", general.types == [] && general.setString("x", forType: .string))
    let other = NSPasteboard(name: NSPasteboard.Name("com.example.sample.untouched"))
    expect("writing without clearing fails", !other.setString("x", forType: .string))
    expect("the general pasteboard is one object", NSPasteboard.general === general)
}

func objects() {
    general.clearContents()
    guard let page = URL(string: "https://example.org/page") else { return }
    let file = URL(fileURLWithPath: "/tmp/sample.png")
    expect("objects of several classes are written", general.writeObjects(["one" as NSString, page as NSURL]))
    expect("more objects are appended", general.writeObjects([file as NSURL]))
    expect("each object is an item", general.pasteboardItems?.count == 3)
    let texts = general.readObjects(forClasses: [NSString.self], options: nil) as? [String]
    expect("strings are read from items with text", texts?.first == "one")
    let urls = general.readObjects(forClasses: [NSURL.self], options: nil) as? [URL]
    expect("URLs are read from items with URLs", urls == [page, file])
    let files = general.readObjects(forClasses: [NSURL.self], options: [.urlReadingFileURLsOnly: true]) as? [URL]
    expect("the option restricts URLs to files", files == [file])
    let images: [NSPasteboard.ReadingOptionKey: Any] = [.urlReadingContentsConformToTypes: ["public.image"]]
    let pictures = general.readObjects(forClasses: [NSURL.self], options: images) as? [URL]
    expect("the option restricts URLs to types of files", pictures == [file])
    expect("canReadObject agrees", general.canReadObject(forClasses: [NSURL.self], options: images))
    expect("no object of a class is nil", general.readObjects(forClasses: [Tile.self], options: nil) == nil)
    let mixed = general.readObjects(forClasses: [NSURL.self, NSString.self])
    expect("the first class that an item can be read as is used", mixed?.first is NSString && mixed?.count == 3)
}

func tiles() {
    general.clearContents()
    expect("an object of the program's own is written", general.writeObjects([Tile(color: "blue", size: 3)]))
    let tiles = general.readObjects(forClasses: [Tile.self]) as? [Tile]
    expect("it is read again", tiles?.first?.color == "blue" && tiles?.first?.size == 3)
    expect("its text is there, too", general.string(forType: .string) == "blue tile")
    let first = general.pasteboardItems?.first
    expect("further objects are appended", general.writeObjects([Tile(color: "red", size: 1), "end" as NSString]))
    expect(
        "strings of several items are joined by newlines",
        general.string(forType: .string) == "blue tile\nred tile\nend")
    let data = general.data(forType: Tile.type)
    expect("other data is that of the first item", data != nil && data == first?.data(forType: Tile.type))
    let values = general.propertyList(forType: Tile.type) as? [String: Any]
    expect("its data is a property list", values?["size"] as? Int == 3)
    general.clearContents()
    let list: [Any] = ["a", 1, 2.5, true, Data([1, 2])]
    expect("setPropertyList takes a property list", general.setPropertyList(list, forType: Tile.type))
    let read = general.propertyList(forType: Tile.type) as? [Any]
    expect(
        "the property list is read again",
        read?.count == 5 && read?[1] as? Int == 1 && read?[4] as? Data == Data([1, 2]))
}

func items() {
    let drawing = Drawing()
    let item = NSPasteboardItem()
    expect("data is set on an item", item.setString("caption", forType: .string))
    expect("a provider is set for types", item.setDataProvider(drawing, forTypes: [.pdf, .rtf]))
    general.clearContents()
    expect("the item is written", general.writeObjects([item]))
    expect("an item is written once", !general.writeObjects([item]))
    expect("the item has an index", general.index(of: item) == 0)
    expect("the types include the promised ones", general.types?.contains(.pdf) == true)
    expect("nothing was asked so far", drawing.requests.isEmpty)
    expect("the provider is asked by a reader", general.string(forType: .pdf) == "rendered PDF")
    expect("it is asked once", general.string(forType: .pdf) == "rendered PDF" && drawing.requests == [.pdf])
    expect("it is still needed for the other promise", drawing.finishes == 0)
    let read = general.pasteboardItems?.first
    expect("an item that was read has the data", read?.string(forType: .string) == "caption")
    general.clearContents()
    expect("the provider is finished when the contents go", drawing.finishes == 1)
    expect("an item that was read has no data after a change", read?.string(forType: .string) == nil)
    expect("and no types", read?.types == [] && read?.availableType(from: [.string]) == nil)
    expect("nor has the item that was written", item.types == [] && item.string(forType: .string) == nil)
    let series = Drawing()
    let pages = (0..<2).map { _ in NSPasteboardItem() }
    for page in pages { page.setDataProvider(series, forTypes: [.pdf]) }
    general.writeObjects(pages)
    expect("a provider provides data for two items", general.pasteboardItems?.count == 2)
    for page in general.pasteboardItems ?? [] { _ = page.data(forType: .pdf) }
    expect("it is finished once when all promises are kept", series.requests.count == 2 && series.finishes == 1)
    general.clearContents()
    expect("and not again when the contents go", series.finishes == 1)
}

func owners() {
    let owner = Owner()
    let before = general.changeCount
    expect("declareTypes counts", general.declareTypes([.string, .html], owner: owner) == before + 1)
    expect("the types are there", general.types?.prefix(2) == [.string, .html])
    expect("the owner was not asked", owner.requests == 0)
    expect("the owner is asked for data", general.string(forType: .html) == "owned 1")
    expect("it is asked once for a type", general.string(forType: .html) == "owned 1")
    expect("addTypes does not count", general.addTypes([.rtf], owner: owner) == before + 1)
    expect("an added type is asked for", general.string(forType: .rtf) == "owned 2")
    general.clearContents()
    expect("the owner learns that the contents changed", owner.losses == 1)
    general.declareTypes([.string], owner: nil)
    expect("data of a declared type is set later", general.setString("now", forType: .string))
    expect("it can be read", general.string(forType: .string) == "now")
}

func pasteboards() {
    let find = NSPasteboard(name: .find)
    find.clearContents()
    find.setString("needle", forType: .string)
    expect("the find pasteboard is another one", NSPasteboard(name: .find).string(forType: .string) == "needle")
    expect("the general pasteboard is not changed", general.string(forType: .string) == "now")
    let unique = NSPasteboard.withUniqueName()
    expect("a unique pasteboard is the program's from the beginning", unique.setString("mine", forType: .string))
    expect(
        "a unique pasteboard is found by its name", NSPasteboard(name: unique.name).string(forType: .string) == "mine")
    unique.releaseGlobally()
    expect("it is gone after its release", NSPasteboard(name: unique.name).string(forType: .string) == nil)
    let watcher = Watcher()
    for text in ["first", "second"] {
        general.clearContents()
        general.setString(text, forType: .string)
        watcher.poll()
        watcher.poll()
    }
    expect("a watcher sees each change once", watcher.texts == ["first", "second"])
}

func undo() {
    let document = Document()
    var notes: [String] = []
    let names: [(Notification.Name, String)] = [
        (.NSUndoManagerDidOpenUndoGroup, "open"), (.NSUndoManagerDidCloseUndoGroup, "close"),
        (.NSUndoManagerWillUndoChange, "will undo"), (.NSUndoManagerDidUndoChange, "did undo"),
        (.NSUndoManagerDidRedoChange, "did redo"),
    ]
    let observers = names.map { name, note in
        NotificationCenter.default.addObserver(forName: name, object: document.undoManager, queue: nil) { _ in
            MainActor.assumeIsolated { notes.append(note) }
        }
    }
    document.rename(to: "Letter")
    expect("the menu names the action", document.undoManager.undoMenuItemTitle == "Undo Rename")
    RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.01))
    expect("the group ends with the turn of the run loop", document.undoManager.groupingLevel == 0)
    document.rename(to: "Report")
    RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.01))
    document.undoManager.undo()
    expect("undo reverts one event", document.title == "Letter")
    document.undoManager.redo()
    expect("redo repeats it", document.title == "Report" && !document.undoManager.canRedo)
    document.undoManager.undo()
    document.undoManager.undo()
    expect("undo reverts the event before", document.title == "Untitled" && !document.undoManager.canUndo)
    expect(
        "the notifications are in order",
        notes.prefix(8) == ["open", "close", "open", "close", "will undo", "did undo", "did redo", "will undo"])
    observers.forEach(NotificationCenter.default.removeObserver)
}

strings()
objects()
tiles()
items()
owners()
pasteboards()
undo()
