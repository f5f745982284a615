import ArgumentParser
import BridgeClient
import CommandCore
import LinuxSystem

struct BridgeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bridge", abstract: "Start, stop or restart the daemon.",
        subcommands: [Start.self, Stop.self, Restart.self])

    struct Start: Subcommand {
        static let configuration = CommandConfiguration(
            commandName: "start",
            abstract:
                "Start the bridge if none is running; if DISPLAY and WAYLAND_DISPLAY are unset, without a display.",
            discussion: """
                  xpb bridge start
                """)

        @OptionGroup(title: CommonFlags.title) var common: CommonFlags

        func perform(in session: Session) throws {
            _ = try session.connect(start: .always)
        }
    }

    struct Stop: Subcommand {
        static let configuration = CommandConfiguration(
            commandName: "stop", abstract: "Stop the bridge, and wait until it has ended.",
            discussion: """
                  xpb bridge stop
                """)

        @OptionGroup var ending: EndingFlags
        @OptionGroup(title: CommonFlags.title) var common: CommonFlags

        func perform(in session: Session) throws {
            try ending.stop(try session.connect(start: .never), session)
        }
    }

    struct Restart: Subcommand {
        static let configuration = CommandConfiguration(
            commandName: "restart", abstract: "Stop the bridge if it is running, and start it again.",
            discussion: """
                  xpb bridge restart
                """)

        @OptionGroup var ending: EndingFlags
        @OptionGroup(title: CommonFlags.title) var common: CommonFlags

        func perform(in session: Session) throws {
            if let former = try Self.running(session) {
                try Self.check(former, session)
                try ending.stop(former, forSuccessor: true, session)
            }
            _ = try session.connect(start: .always)
        }

        /// Throws if the bridge that is to be stopped could not be started again from here.
        private static func check(_ former: BridgeClient, _ session: Session) throws(Failure) {
            if former.isOutside {
                throw Failure(.refused, "the bridge runs outside this container; restart it there")
            }
            guard BridgeLauncher(environment: session.environment).program != nil else {
                throw Failure(
                    .refused, "xpbd was not found beside xpb nor in PATH, so the bridge was not stopped; install xpbd")
            }
        }

        /// Returns the running bridge; nil if there is none.
        private static func running(_ session: Session) throws(Failure) -> BridgeClient? {
            do throws(Failure) {
                return try session.connect(start: .never)
            } catch {
                guard error.status == .unavailable else { throw error }
                session.console.detail(error.message)
                return nil
            }
        }
    }
}

/// The way to stop a bridge.
struct EndingFlags: ParsableArguments {
    @Flag(help: "Kill the bridge if it does not exit within --timeout; stored contents are not lost.")
    var force = false

    fileprivate func stop(_ bridge: BridgeClient, forSuccessor successor: Bool = false, _ session: Session) throws {
        if try bridge.stop(forSuccessor: successor) { return }
        guard force else { throw Failure(.silent, Self.message(process: bridge.listener)) }
        do throws(BridgeClientError) {
            let process = try bridge.kill()
            session.console.detail("the bridge, process \(process), was killed")
        } catch {
            // The bridge is silent here, not an owner, so the advice for a silent owner does not apply.
            throw Failure(error, advice: nil)
        }
    }

    private static func message(process: Int32?) -> String {
        let isStopped = process.flatMap { ProcessState.isStopped($0) } ?? false
        let bridge = process.map { "the bridge, process \($0)," } ?? "the bridge"
        let advice = isStopped ? process.map { "resume it (kill -CONT \($0))" } : nil
        return "\(bridge) \(isStopped ? "is stopped" : "does not answer, or did not exit"); "
            + "\(advice ?? "try a longer --timeout"), or kill it with --force: stored contents are not lost"
    }
}
