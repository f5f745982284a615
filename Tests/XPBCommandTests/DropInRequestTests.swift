import Commands
import DropIns
import FastPath
import PasteboardModel
import Testing
import XPBCommand

/// The command lines of the programs that `xpb` stands in for.
@Suite struct DropInRequestTests {
    private static func request(
        _ program: DropInName, _ line: String, _ streams: DropInStreams = DropInStreams()
    ) -> DropInRequest {
        DropInRequest(program, line.split(separator: " ").map(String.init), streams)
    }

    private static func copy(
        _ program: DropInName, _ line: String, _ streams: DropInStreams = DropInStreams()
    ) -> DropInCopy? {
        guard case .copy(let copy)? = request(program, line, streams).steps.last else { return nil }
        return copy
    }

    private static func paste(
        _ program: DropInName, _ line: String, _ streams: DropInStreams = DropInStreams()
    ) -> DropInPaste? {
        guard case .paste(let paste)? = request(program, line, streams).steps.first else { return nil }
        return paste
    }

    private static func message(_ program: DropInName, _ line: String) -> DropInMessage? {
        guard case .say(let message)? = request(program, line).steps.first else { return nil }
        return message
    }

    // MARK: xclip

    @Test(
        "xclip recognizes a selection by its first letter, and otherwise uses PRIMARY",
        arguments: [
            ("", PasteboardName.find), ("-selection clipboard", .general), ("-sel c", .general), ("-se CLIP", .general),
            ("-selection primary", .find), ("-sel s", .secondary), ("-selection unknown", .find),
            ("-sel c -sel p", .find), ("-selection buffer-cut", .find),
        ])
    func xclipSelection(line: String, pasteboard: PasteboardName) {
        #expect(Self.request(.xclip, line).pasteboard == pasteboard)
    }

    @Test(
        "An ambiguous abbreviation of an option of xclip is a file",
        arguments: ["-v", "-s", "-", "--", "-x", "-versions"])
    func xclipFiles(argument: String) {
        #expect(Self.copy(.xclip, argument)?.origins == [argument == "-" ? .standardInput : .file(argument)])
    }

    @Test("An option of xclip that lacks its value is a file")
    func xclipMissingValue() {
        #expect(Self.copy(.xclip, "-selection")?.origins == [.file("-selection")])
    }

    @Test("xclip pastes with any clear abbreviation of -out", arguments: ["-o", "-ou", "-out", "-i -o", "file -o"])
    func xclipOut(line: String) {
        #expect(Self.paste(.xclip, line)?.choice == .first(TargetChoice.text))
    }

    @Test("xclip pastes from a terminal, unless a file or -i is given")
    func xclipTerminal() {
        let streams = DropInStreams(inputIsTerminal: true)
        #expect(Self.paste(.xclip, "", streams) != nil)
        #expect(Self.copy(.xclip, "-i", streams) != nil)
        #expect(Self.copy(.xclip, "file", streams) != nil)
    }

    @Test("xclip lists the targets for the target TARGETS")
    func xclipTargets() {
        #expect(Self.request(.xclip, "-o -t TARGETS").steps == [.listTargets(withProtocol: true)])
    }

    @Test(
        "xclip reads the options that its later versions added",
        arguments: ["-sensitive", "-wait 500", "-w 1", "-l 1", "-loops 1", "-sens"])
    func xclipOnce(line: String) {
        #expect(Self.copy(.xclip, line)?.once == true)
    }

    @Test(
        "A foreground mode of xclip waits and does not write its input", arguments: ["-quiet", "-q", "-verb", "-deb"])
    func xclipForeground(option: String) {
        let copy = Self.copy(.xclip, "\(option) -f")
        #expect(copy?.waits == true && copy?.tees == false)
        #expect(Self.copy(.xclip, "-f")?.tees == true)
        #expect(Self.copy(.xclip, "-f file")?.tees == false)
    }

    @Test(
        "xclip writes its help and its version to standard error",
        arguments: ["-h", "-help", "--help", "-version", "-vers"])
    func xclipPrints(option: String) {
        #expect(Self.message(.xclip, option)?.toStandardError == true)
        #expect(Self.message(.xclip, option)?.status == 0)
    }

    // MARK: xsel

    @Test("xsel chooses between copying and pasting by the terminals")
    func xselMode() {
        func steps(_ input: Bool, _ output: Bool) -> [String] {
            let streams = DropInStreams(inputIsTerminal: input, outputIsTerminal: output)
            return Self.request(.xsel, "", streams).steps.map { step in
                switch step {
                case .copy: "copy"
                case .paste: "paste"
                default: "other"
                }
            }
        }
        #expect(steps(true, true) == ["paste"])
        #expect(steps(true, false) == ["paste"])
        #expect(steps(false, true) == ["copy"])
        #expect(steps(false, false) == ["paste", "copy"])
    }

    @Test(
        "xsel prints its usage and succeeds if it does not understand a line",
        arguments: ["--bogus", "-q", "word", "-t", "-t100", "-ob7", "--outpu", "--display", "-l"])
    func xselUsage(line: String) {
        let message = Self.message(.xsel, line)
        #expect(message?.text.hasPrefix("Usage: xsel [options]\n") == true)
        #expect(message?.status == 0 && message?.toStandardError == false)
    }

    @Test("xsel takes combined short options apart")
    func xselCombined() {
        let request = Self.request(.xsel, "-ob")
        #expect(request.pasteboard == .general && request.steps.count == 1)
        #expect(Self.copy(.xsel, "-nib")?.waits == true)
        #expect(Self.copy(.xsel, "-bi")?.appends == false)
        #expect(Self.copy(.xsel, "-ba")?.appends == true)
        #expect(Self.copy(.xsel, "-z")?.growth == .fromZero)
        #expect(Self.request(.xsel, "-bp").pasteboard == .general)
    }

    @Test("Clearing has precedence over copying in xsel", arguments: ["-c", "-ci", "-ic", "-d", "--clear -i"])
    func xselClear(line: String) {
        #expect(Self.request(.xsel, line).steps == [.clear])
    }

    @Test("The timeout of xsel is the timeout for the owner, and the lifetime of copied contents")
    func xselTimeout() {
        #expect(Self.request(.xsel, "-o -t 300").timeout == 300)
        #expect(Self.copy(.xsel, "-i -t 300")?.expires == 300)
        #expect(Self.copy(.xsel, "-i -t 0")?.expires == nil)
    }

    // MARK: pbcopy and pbpaste

    @Test("pbcopy and pbpaste have four pasteboards, and refuse other names")
    func pasteboards() {
        #expect(Self.request(.pbcopy, "").pasteboard == .general)
        #expect(Self.request(.pbcopy, "-pboard find").pasteboard == .find)
        #expect(Self.request(.pbpaste, "-pboard ruler").pasteboard == .app("org.xpb.ruler"))
        for line in ["-pboard", "-pboard other", "-bogus"] {
            #expect(Self.message(.pbcopy, line)?.status == 1, "\(line)")
        }
        #expect(Self.message(.pbcopy, "-Prefer txt")?.status == 1)
    }

    @Test("pbcopy and pbpaste ignore words, as pyperclip expects of them")
    func pasteboardWords() {
        #expect(Self.copy(.pbcopy, "w -pboard find") == Self.copy(.pbcopy, ""))
        #expect(Self.request(.pbcopy, "w -pboard find").pasteboard == .find)
        #expect(Self.paste(.pbpaste, "r") == Self.paste(.pbpaste, ""))
    }

    @Test("pbpaste tries the preferred format first, and then the others")
    func preferences() {
        guard case .first(let names)? = Self.paste(.pbpaste, "-Prefer rtf")?.choice else {
            Issue.record("pbpaste does not paste")
            return
        }
        #expect(names.first == "text/rtf" && names.contains("UTF8_STRING") && names.contains("application/postscript"))
    }

    // MARK: wl-copy and wl-paste

    @Test("wl-copy reads options after words, and -- ends the options")
    func waylandWords() {
        #expect(Self.copy(.wlCopy, "one -o two")?.origins == [.text("one two")])
        #expect(Self.copy(.wlCopy, "one -o two")?.once == true)
        #expect(Self.copy(.wlCopy, "-- -o")?.origins == [.text("-o")])
        #expect(Self.copy(.wlCopy, "-pft text/html")?.targets == ["text/html"])
        #expect(Self.copy(.wlCopy, "--type=image/png")?.targets == ["image/png"])
        #expect(Self.copy(.wlCopy, "--fore --trim")?.waits == true)
        #expect(Self.copy(.wlCopy, "--sensitive")?.isSecret == true)
    }

    @Test(
        "wl-copy and wl-paste refuse wrong options with the messages of getopt_long",
        arguments: [
            (DropInName.wlCopy, "-x", "wl-copy: invalid option -- 'x'"),
            (.wlCopy, "-S", "wl-copy: invalid option -- 'S'"),
            (.wlCopy, "--bogus=1", "wl-copy: unrecognized option '--bogus=1'"),
            (.wlCopy, "-t", "wl-copy: option requires an argument -- 't'"),
            (.wlCopy, "--type", "wl-copy: option '--type' requires an argument"),
            (.wlCopy, "--clear=1", "wl-copy: option '--clear' doesn't allow an argument"),
            (.wlCopy, "--p", "wl-copy: option '--p' is ambiguous; possibilities: '--primary' '--paste-once'"),
            (.wlPaste, "word", "Unexpected argument: word"),
            (.wlPaste, "--watch -x", "Expected a subcommand instead of an argument after --watch"),
        ])
    func waylandRefusals(program: DropInName, line: String, expected: String) {
        let message = Self.message(program, line)
        #expect(message?.text.split(separator: "\n").first.map(String.init) == expected)
        #expect(message?.status == 1 && message?.toStandardError == true)
    }

    @Test("The command of wl-paste --watch takes the rest of the line")
    func waylandWatch() {
        guard case .watch(let command, let choice)? = Self.request(.wlPaste, "-t text -w wc -c").steps.first else {
            Issue.record("wl-paste does not watch")
            return
        }
        #expect(command == ["wc", "-c"])
        #expect(choice == .wayland(type: "text", inferred: nil))
    }

    @Test(
        "wl-paste chooses the given type, the type of its output file, or text",
        arguments: [
            (nil, nil, ["image/png", "text/plain"], "text/plain"),
            (nil, nil, ["image/png"], "image/png"),
            (nil, nil, ["text/html", "UTF8_STRING"], "text/html"),
            ("text", nil, ["image/png", "UTF8_STRING"], "UTF8_STRING"),
            ("image", nil, ["text/plain", "image/png"], "image/png"),
            ("image", nil, ["text/plain"], nil),
            ("image/png", nil, ["image/jpeg"], nil),
            ("STRING", nil, ["STRING_X"], nil),
            (nil, "image/png", ["text/plain", "image/png"], "image/png"),
            (nil, "image/png", ["text/plain"], nil),
            (nil, "text/x-python", ["text/plain"], "text/plain"),
        ] as [(String?, String?, [String], String?)])
    func waylandChoice(type: String?, inferred: String?, offered: [String], chosen: String?) {
        #expect(TargetChoice.wayland(type: type, inferred: inferred).name(among: offered) == chosen)
    }
}
