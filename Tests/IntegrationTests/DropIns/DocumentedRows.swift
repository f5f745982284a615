/// A command line of a program whose original cannot run here, with the result that the original's documentation gives.
struct DocumentedRow: Sendable {
    let row: DropInRow
    let output: String
    let status: String
    /// The first line of the message after a failure.
    let error: String
    /// The bytes that the independent client reads; nil if it gets nothing.
    let reads: [String?]

    init(
        _ line: String, before: String = "", asks: [String] = [], reads: [String?] = [], output: String = "",
        status: String = "0", error: String = "", hangs: Bool = false, differs reason: String? = nil
    ) {
        var row = DropInRow(line, before: before, hangs: hangs, differs: reason)
        row.asks = asks
        self.row = row
        self.output = output
        self.status = status
        self.error = error
        self.reads = reads
    }

    /// True if the original wl-copy and wl-paste can run the line. They offer one type and have no history, and the
    /// type that they give a file depends on the installed programs.
    var isForOriginal: Bool {
        let words = row.before.split(separator: " ")
        let offersOne = words.first != "offer" || words.count == 4
        return offersOne && !["xpb", "wl-copy -o", "image.png; wl-paste -l"].contains { row.line.contains($0) }
    }

    /// Returns true if the result is the documented result.
    func matches(_ result: DropInResult) -> Bool {
        let read = result.reads.map { $0.status == "0" ? String(decoding: $0.bytes, as: UTF8.self) : nil }
        return String(decoding: result.output, as: UTF8.self) == output && result.status == status
            && result.error == error && read == reads
    }
}

private let usage = "usage: pbcopy [-help] [-pboard {general | ruler | find | font}]"
private let pasteUsage = usage.replacing("pbcopy", with: "pbpaste") + " [-Prefer {txt | rtf | ps}]"

/// Command lines of pbcopy and pbpaste, with the results that their manual gives.
let pasteboardRows: [DocumentedRow] = [
    .init("printf 'a text' | pbcopy", asks: [clipboard, primary], reads: ["a text", nil]),
    .init("pbcopy < one", asks: [clipboard], reads: ["first file\n"]),
    .init("pbcopy < utf8", asks: [clipboard], reads: ["žluťoučký ☃\n"]),
    .init("LC_ALL=C pbcopy < utf8; LC_ALL=C pbpaste", output: "žluťoučký ☃\n"),
    .init("pbcopy < empty", before: "text clipboard before", asks: [clipboard], reads: [""]),
    .init("printf 'a text' | pbcopy -pboard general", asks: [clipboard], reads: ["a text"]),
    .init("printf 'a text' | pbcopy -pboard find", asks: [primary, clipboard], reads: ["a text", nil]),
    .init("printf 'a text' | pbcopy -pboard ruler; pbpaste -pboard ruler; pbpaste -pboard font", output: "a text"),
    .init("printf 'a text' | pbcopy -pboard font; pbpaste -pboard font", output: "a text"),
    .init("pbcopy < rich.rtf", asks: ["clipboard:text/rtf"], reads: ["{\\rtf1 rich}"]),
    .init(
        "pbcopy < figure.eps", asks: ["clipboard:application/postscript"],
        reads: ["%!PS-Adobe-3.0 EPSF-3.0\nshowpage\n"]),
    .init("pbcopy < latin; pbpaste | cmp - latin"),
    .init("pbcopy < nul; pbpaste | cmp - nul"),
    .init("head -c 2000000 /dev/zero | tr '\\0' x | pbcopy; pbpaste | wc -c", output: "2000000\n"),
    .init("x=$(printf 'a text' | pbcopy); echo ended", output: "ended\n"),
    .init("pbcopy -help | head -1", output: usage + "\n"),
    .init("pbcopy -pboard other < one", status: "1", error: usage),
    .init("pbcopy -bogus < one", asks: [clipboard], reads: [nil], status: "1", error: usage),
    .init("printf 'a text' | pbcopy w; pbpaste r", asks: [clipboard], reads: ["a text"], output: "a text"),
    .init("pbpaste", before: "text clipboard 'a text'", output: "a text"),
    .init("pbpaste", before: "text clipboard $'žluť\\n'", output: "žluť\n"),
    .init("pbpaste -pboard find", before: "text primary 'a text'", output: "a text"),
    .init("pbpaste"),
    .init("pbpaste", before: "offer clipboard image/png image.png"),
    .init("pbpaste", before: "offer clipboard text/rtf rich.rtf UTF8_STRING one", output: "first file\n"),
    .init("pbpaste -Prefer rtf", before: "offer clipboard text/rtf rich.rtf UTF8_STRING one", output: "{\\rtf1 rich}"),
    .init("pbpaste -Prefer rtf", before: "text clipboard 'a text'", output: "a text"),
    .init("pbpaste -Prefer txt", before: "offer clipboard text/rtf rich.rtf UTF8_STRING one", output: "first file\n"),
    .init(
        "pbpaste -Prefer ps", before: "offer clipboard application/postscript figure.eps UTF8_STRING one",
        output: "%!PS-Adobe-3.0 EPSF-3.0\nshowpage\n"),
    .init("pbpaste -Prefer ps", before: "text clipboard 'a text'", output: "a text"),
    .init("pbcopy < rich.rtf; pbpaste -Prefer rtf", output: "{\\rtf1 rich}"),
    .init("pbcopy < figure.eps; pbpaste", output: "%!PS-Adobe-3.0 EPSF-3.0\nshowpage\n"),
    .init("pbpaste -Prefer other", status: "1", error: pasteUsage),
    .init("pbpaste -help | head -1", output: pasteUsage + "\n"),
]

private let empty = "Nothing is copied"
private let wording = "the message is that of version 2.3"
private let state = "CLIPBOARD_STATE came with version 2.2"

/// Command lines of wl-copy and wl-paste, with the results that their manual and the source of version 2.3 give.
let waylandRows: [DocumentedRow] = [
    .init("wl-copy a text", asks: [clipboard, primary], reads: ["a text", nil]),
    .init("wl-copy 'a  text'", asks: [clipboard], reads: ["a  text"]),
    .init("wl-copy a -n text", asks: [clipboard], reads: ["a text"]),
    .init("wl-copy -- -n", asks: [clipboard], reads: ["-n"]),
    .init("wl-copy ''", asks: [clipboard], reads: [""]),
    .init("wl-copy < one", asks: [clipboard], reads: ["first file\n"]),
    .init("wl-copy -n < one", asks: [clipboard], reads: ["first file"]),
    .init("wl-copy --trim-newline < one", asks: [clipboard], reads: ["first file"]),
    .init("wl-copy --trim < one", asks: [clipboard], reads: ["first file"]),
    .init("wl-copy -p a text", asks: [primary, clipboard], reads: ["a text", nil]),
    .init("wl-copy --primary < one", asks: [primary], reads: ["first file\n"]),
    .init("wl-copy < image.png; wl-paste -l | head -1", output: "image/png\n"),
    .init("wl-copy < image.png; wl-paste | cmp - image.png"),
    .init("wl-copy -t text/html < page.html", asks: ["clipboard:text/html"], reads: ["<b>bold</b>"]),
    .init("wl-copy --type text/html '<i>a</i>'", asks: ["clipboard:text/html"], reads: ["<i>a</i>"]),
    .init("wl-copy --type=application/x-own < one", asks: ["clipboard:application/x-own"], reads: ["first file\n"]),
    .init("wl-copy -tapplication/x-own < one; wl-paste -l", output: "application/x-own\n"),
    .init(
        "wl-copy --foreground --type text/plain < one & owned clipboard; wl-paste -n; wl-copy -c; wait",
        output: "first file\n"),
    .init("printf 'a text' | wl-copy; wl-paste -n -t text", output: "a text"),
    .init("wl-copy -c", before: "text clipboard 'a text'", asks: [clipboard], reads: [nil]),
    .init("wl-copy --clear --primary", before: "text primary 'a text'", asks: [primary], reads: [nil]),
    .init("wl-copy -o a text; wl-paste -n; free clipboard; wl-paste", output: "a text", status: "1", error: empty),
    .init("wl-copy -s seat0 a text", asks: [clipboard], reads: ["a text"]),
    .init(
        "wl-copy --sensitive a secret; wl-paste -n", output: "a secret",
        differs: "the option came with version 2.3"),
    .init(
        "printf 'a secret' | wl-copy --sensitive; xpb history list 2>/dev/null | grep -c secret", output: "0\n",
        status: "1"),
    .init("wl-copy -f a text & owned clipboard; jobs -r | wc -l; wl-copy new; wait; echo ended", output: "1\nended\n"),
    .init(
        "x=$(wl-copy a text 2>&1); echo ended", output: "ended\n", hangs: true,
        differs: "wl-copy stays in the background and holds the caller's output"),
    .init("wl-paste", before: "text clipboard 'a text'", output: "a text\n"),
    .init("wl-paste", before: "text clipboard $'a text\\n'", output: "a text\n\n"),
    .init("wl-paste -n", before: "text clipboard 'a text'", output: "a text"),
    .init("wl-paste --no-newline", before: "text clipboard 'a text'", output: "a text"),
    .init("wl-paste -np", before: "text primary 'a text'", output: "a text"),
    .init("wl-paste", status: "1", error: empty, differs: wording),
    .init("wl-paste -p", status: "1", error: empty, differs: wording),
    .init("wl-paste -l", status: "1", error: empty, differs: wording),
    .init("wl-paste | cmp - image.png", before: "offer clipboard image/png image.png"),
    .init("wl-paste -t image | cmp - image.png", before: "offer clipboard UTF8_STRING one image/png image.png"),
    .init("wl-paste -t image/png | cmp - image.png", before: "offer clipboard UTF8_STRING one image/png image.png"),
    .init("wl-paste", before: "offer clipboard image/png image.png text/plain one", output: "first file\n\n"),
    .init("wl-paste -nt text", before: "offer clipboard image/png image.png text/plain one", output: "first file\n"),
    .init("wl-paste -t text/html", before: "offer clipboard text/html page.html", output: "<b>bold</b>\n"),
    .init(
        "wl-paste -t image/png", before: "text clipboard 'a text'", status: "1",
        error: "Clipboard content is not available as requested type \"image/png\"", differs: wording),
    .init(
        "wl-paste -t image", before: "text clipboard 'a text'", status: "1",
        error: "Clipboard content is not available as requested type \"image\"", differs: wording),
    .init("wl-paste > a.png; cmp a.png image.png", before: "offer clipboard UTF8_STRING one image/png image.png"),
    .init(
        "wl-paste > a.png", before: "text clipboard 'a text'", status: "1",
        error: "Clipboard content is not available as inferred output type \"image/png\"", differs: wording),
    .init("wl-paste > a.txt; cat a.txt", before: "text clipboard 'a text'", output: "a text\n"),
    .init(
        "wl-paste --list-types | grep image", before: "offer clipboard image/png image.png image/jpeg one",
        output: "image/png\nimage/jpeg\n"),
    .init(
        "mkfifo p; exec 3<> p; wl-paste -w cat > p & head -c 6 p; kill $! && echo stays",
        before: "text clipboard 'a text'", output: "a textstays\n"),
    .init(
        "mkfifo p; exec 3<> p; wl-paste -w cat > p & wl-copy one; head -c 3 p; wl-copy two; head -c 3 p; kill $!",
        output: "onetwo"),
    // Only a time limit can show that nothing happens.
    .init("timeout 1 wl-paste -t image -w cat", before: "text clipboard 'a text'", status: "124"),
    .init(
        "mkfifo p; exec 3<> p; wl-paste --watch sh -c 'echo $CLIPBOARD_STATE' > p & head -1 p; kill $! && echo stays",
        before: "text clipboard 'a text'", output: "data\nstays\n", differs: state),
    .init(
        "mkfifo p; exec 3<> p; wl-paste --watch sh -c 'echo $CLIPBOARD_STATE' > p & head -1 p; kill $! && echo stays",
        output: "nil\nstays\n", hangs: true, differs: state),
]

/// Lines of wl-copy and wl-paste that exit before they look for a compositor, so that the originals can run them.
let waylandOptionRows: [DropInRow] = [
    .init("wl-copy -v | cut -d' ' -f1 | head -1"),
    .init("wl-paste --version | cut -d' ' -f1 | head -1"),
    .init("wl-copy -h | head -1"),
    .init("wl-paste --help | head -1"),
    .init("wl-copy -x"),
    .init("wl-copy -px"),
    .init("wl-copy --bogus"),
    .init("wl-copy --bogus=1"),
    .init("wl-copy --p text"),
    .init("wl-copy --clear=1"),
    .init("wl-copy -t"),
    .init("wl-copy --type"),
    .init("wl-copy a -x"),
    .init("wl-paste -x"),
    .init("wl-paste --bogus"),
    .init("wl-paste word"),
    .init("wl-paste -n word"),
    .init("wl-paste -- -n"),
    .init("wl-paste --watch -x"),
    .init("wl-paste -w"),
    .init("wl-paste --list=1"),
    .init("wl-paste -t"),
]
