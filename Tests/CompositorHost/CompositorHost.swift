import CompositorFixture
import DataControlProtocol
import EventLoop
import Glibc
import LinuxSystem
import SystemPackage
import WaylandWire

/// A program that plays a compositor with nothing but data control: `CompositorHost PATH [ext|wlr]... [seat=NAME]...`.
/// It reads one command per line, carries it out on the first seat, and prints one line in reply:
///
/// * `copy TEXT`: another program copies the text.
/// * `clear`: the clipboard is emptied, as when its owner exits.
/// * `types`: prints the types on the clipboard.
/// * `paste TYPE`: prints the contents.
/// * `replace`: ends all connections, as a restarted compositor does.
@main final class CompositorHost {
    private let loop = EventLoop()
    private let compositor: FakeCompositor
    private var line: [UInt8] = []
    private var registrations: [Registration] = []

    static func main() throws {
        let words = CommandLine.arguments.dropFirst()
        guard let path = words.first else { return say("usage: CompositorHost PATH [ext|wlr]... [seat=NAME]...") }
        let seats = words.compactMap { $0.hasPrefix("seat=") ? String($0.dropFirst(5)) : nil }
        let variants: [DataControlVariant] = words.compactMap { ["ext": .ext, "wlr": .wlr][$0] }
        let host = try CompositorHost(variants, seats.isEmpty ? ["seat0"] : seats, listeningAt: path)
        say("ready")
        try host.loop.run()
    }

    private init(_ variants: [DataControlVariant], _ seats: [String], listeningAt path: String) throws {
        compositor = FakeCompositor(variants, seats: seats, loop: loop)
        try compositor.listen(at: path)
        registrations.append(loop.add(.standardInput, interest: .readable) { [unowned self] _ in readInput() })
    }

    private func readInput() {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
        guard count > 0 else { return loop.stop() }
        for byte in bytes.prefix(count) {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 1).map(String.init)
            line = []
            perform(words.first ?? "", words.count > 1 ? words[1] : "")
        }
    }

    private func perform(_ command: String, _ rest: String) {
        let contents = compositor.seats.first?.contents[.clipboard]
        switch command {
        case "copy": compositor.copy(rest)
        case "clear": compositor.clear()
        case "replace": for client in compositor.clients { client.close() }
        case "types": return Self.say(contents?.types.joined(separator: " ") ?? "")
        case "paste":
            guard let contents else { return Self.say("") }
            return paste(contents, as: rest)
        default: return Self.say("unknown: \(command)")
        }
        Self.say("done")
    }

    /// Prints the contents once their owner has closed the pipe.
    private func paste(_ contents: FakeCompositor.Contents, as type: String) {
        guard let pipe = try? Descriptor.pipe() else { return Self.say("no pipe") }
        contents.ask(for: type, pipe.writing)
        var text: [UInt8] = []
        registrations.append(
            loop.add(pipe.reading.fileDescriptor, interest: .readable) { [unowned self, reading = pipe.reading] _ in
                var bytes = [UInt8](repeating: 0, count: 65_536)
                let count = unsafe read(reading.fileDescriptor.rawValue, &bytes, bytes.count)
                guard count <= 0 else { return text += bytes.prefix(count) }
                registrations.removeLast().cancel()
                Self.say(String(decoding: text, as: UTF8.self))
            })
    }

    private static func say(_ text: String) {
        print(text)
        fflush(nil)
    }
}
