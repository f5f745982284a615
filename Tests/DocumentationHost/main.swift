// The program in the article about the bridge inside a program. It prints each step, and continues when it reads a
// line.
import Glibc
// snippet: start
import PasteboardEmbedded

try EmbeddedBridge.start()
try Pasteboard.general.setString("Hello")
// end

func say(_ line: String) {
    print(line)
    fflush(nil)
    _ = readLine()
}

say("started")

// snippet: stop
EmbeddedBridge.stop()
// end

say("stopped")

// snippet: served
do {
    try EmbeddedBridge.start()
} catch let error as EmbeddedBridgeError where error.code == .served {
    print("continuing with the bridge of process \(error.process ?? 0)")
}
// end

say(try Pasteboard.general.string ?? "nothing")
