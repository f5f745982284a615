import ArgumentParser
import Pasteboard
import PasteboardWire

/// `xpb bridge`.
struct BridgeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bridge", abstract: "Start, stop or restart the daemon.",
        subcommands: [Start.self, Stop.self, Restart.self])

    struct Start: Subcommand {
        static let configuration = CommandConfiguration(
            abstract: "Start the bridge, without a display if DISPLAY is not set. One that runs is left alone.")

        @OptionGroup var common: CommonFlags

        func perform(in session: Session) throws {
            _ = try session.connect(start: .always)
        }
    }

    struct Stop: Subcommand {
        static let configuration = CommandConfiguration(abstract: "End the bridge, and wait until it has ended.")

        @OptionGroup var common: CommonFlags

        func perform(in session: Session) throws {
            try BridgeCommand.stop(try session.connect(start: .never))
        }
    }

    struct Restart: Subcommand {
        static let configuration = CommandConfiguration(abstract: "End the bridge if it runs, and start it.")

        @OptionGroup var common: CommonFlags

        func perform(in session: Session) throws {
            do {
                try BridgeCommand.stop(try session.connect(start: .never))
            } catch let failure as Failure where failure.status == .unavailable {
                session.console.detail(failure.message)
            }
            _ = try session.connect(start: .always)
        }
    }

    private static func stop(_ client: BridgeClient) throws {
        _ = try client.call(Methods.Stop.self, .init())
        // It has contents handed on, which is other programs' time, and not its silence.
        guard client.awaitEnd(until: .now + max(client.timeout, .seconds(10)) + BridgeClient.grace) else {
            throw Failure(.silent, "the bridge was told to end and has not ended; try a longer --timeout")
        }
    }
}
