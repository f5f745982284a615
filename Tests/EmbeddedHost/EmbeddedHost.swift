import FoundationEssentials
import Glibc
import PasteboardEmbedded
import Synchronization
import UniformTypes

/// A program with the bridge inside, for the tests. It reads a command from each line of input, and answers with one
/// line.
@main struct EmbeddedHost {
    private let xlib = HostXlib()
    private let descriptors = HostDescriptors()
    /// The number of fulfilled promises.
    private static let fulfilled = Mutex(0)

    static func main() {
        let host = EmbeddedHost()
        while let line = readLine() {
            print(host.answer(to: line))
            fflush(nil)
        }
    }

    private func answer(to line: String) -> String {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        do {
            return try perform(words.first ?? "", words.count > 1 ? words[1] : "")
        } catch let error as EmbeddedBridgeError {
            return "error \(error.code) \(error.process ?? 0) \(error.message)"
        } catch {
            return "error \(error)"
        }
    }

    private func perform(_ command: String, _ argument: String) throws -> String {
        switch command {
        case "start":
            let display: EmbeddedBridge.Display =
                switch argument {
                case "": .environment
                case "none": .absent
                default: .named(argument)
                }
            try EmbeddedBridge.start(display: display, timeout: .seconds(60))
            return "ok"
        case "try":
            try EmbeddedBridge.start(display: .named(argument), timeout: .milliseconds(200))
            return "ok"
        case "stop":
            EmbeddedBridge.stop()
            return "ok"
        case "running": return "\(EmbeddedBridge.isRunning)"
        case "set": return "\(try Pasteboard.general.setString(argument))"
        case "promise":
            var item = PasteboardItem()
            item.setPromise(forType: "public.utf8-plain-text") {
                let number = Self.fulfilled.withLock { fulfilled in
                    fulfilled += 1
                    return fulfilled
                }
                return Data("\(argument) \(number)".utf8)
            }
            return "\(try Pasteboard.general.setItems([item]))"
        case "declare":
            try Pasteboard.declare([TypeDeclaration(identifier: argument, conformsTo: ["public.plain-text"])])
            return "ok"
        case "get": return try Pasteboard.general.string ?? "nothing"
        case "count": return "\(try Pasteboard.general.changeCount)"
        case "cycle":
            for _ in 0..<(Int(argument) ?? 1) {
                try EmbeddedBridge.start(timeout: .seconds(60))
                try Pasteboard.general.setString("text")
                EmbeddedBridge.stop()
            }
            return "ok"
        case "descriptors": return "\(HostState.count("fd"))"
        case "threads": return "\(HostState.count("task"))"
        case "ignore":
            signal(Int32(argument) ?? 0, SIG_IGN)
            return "ok"
        case "exhaust":
            descriptors.exhaust()
            return "ok"
        case "release":
            descriptors.release()
            return "ok"
        case "state": return HostState.description()
        case "open": return xlib.open(argument) ? "ok" : "failed"
        case "handlers":
            xlib.setHandlers(passingOn: argument == "passing")
            return "ok"
        case "restore":
            xlib.restoreHandlers()
            return "ok"
        case "fail":
            xlib.fail()
            return "ok"
        case "wait":
            xlib.wait()
            return "ok"
        case "heard": return xlib.takeHeard().joined(separator: ", ")
        default: return "unknown"
        }
    }
}
