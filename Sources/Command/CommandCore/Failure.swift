package import BridgeClient
import LinuxSystem
import PasteboardWire
import UniformTypes

/// The exit status of `xpb`.
package struct ExitStatus: RawRepresentable, Equatable, Sendable {
    /// The number. Values other than those below are exit statuses of commands that were run.
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let done = ExitStatus(rawValue: 0)
    /// Nothing is there, or nothing of the requested types.
    package static let nothing = ExitStatus(rawValue: 1)
    package static let usage = ExitStatus(rawValue: 2)
    /// The owner did not answer in time.
    package static let silent = ExitStatus(rawValue: 3)
    /// There is no display or no bridge.
    package static let unavailable = ExitStatus(rawValue: 4)
    /// The transfer broke or is incomplete, or the change could not be stored.
    package static let broken = ExitStatus(rawValue: 5)
    /// Refused: the change count does not match, a policy or a limit forbids it, or another owner was faster.
    package static let refused = ExitStatus(rawValue: 6)
    /// Standard output has no reader; the status that a shell reports for a program killed by SIGPIPE.
    package static let brokenPipe = ExitStatus(rawValue: 141)
}

/// The reason a command failed.
package struct Failure: Error, Equatable {
    package let status: ExitStatus
    /// The cause and the next step, without a full stop; empty if there is nothing to report.
    package let message: String

    package init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    package static func usage(_ message: String) -> Failure { Failure(.usage, message) }

    /// Returns the failure for a name that is not a type.
    ///
    /// - Parameter reason: The reason if the name is not too long.
    package static func notAType(
        _ name: String,
        _ reason: String = "is not a type; a TYPE is like public.html, text/html, UTF8_STRING, .png, text or image/*"
    ) -> Failure {
        let quoted = name.count <= 80 ? "'\(name)'" : "'\(name.prefix(80))…'"
        guard name.utf8.count > TypeQuery.maxLength else { return .usage("\(quoted) \(reason)") }
        return .usage("the type \(quoted) has \(name.utf8.count) bytes, and at most \(TypeQuery.maxLength) are allowed")
    }
}

extension Failure {
    /// - Parameter error: Any error.
    package init(reporting error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as BridgeClientError: self.init(error)
        default: self.init(.broken, "\(error)")
        }
    }

    package init(_ error: BridgeClientError) { self.init(error, advice: Advice.after(error)) }

    package init(_ error: BridgeClientError, advice: String?) {
        let status: ExitStatus =
            switch error.code {
            case .empty, .noSuchType, .noSuchItem, .noSuchPasteboard, .noSuchEntry: .nothing
            case .invalidName, .invalidType: .usage
            case .silent: .silent
            case .unavailable: .unavailable
            case .transferBroken, .promiseBroken, .tooSlow, .notStored: .broken
            case .countMismatch, .refused, .superseded: .refused
            }
        self.init(status, advice.map { "\(error.message); \($0)" } ?? error.message)
    }
}

extension Failure {
    /// The number of descriptors that is enough for every command: the standard ones, the connection, the contents, and
    /// the files, folders and pipes that a command opens.
    private static let neededDescriptors = 16

    /// Returns the failure with likely causes outside the program: a low limit on descriptors, or a missing /proc. A
    /// call that fails for lack of a descriptor often looks like a missing or broken bridge.
    package func explained(
        descriptorLimit limit: Int = DescriptorLimit.current, hasProc: Bool = Self.hasProc
    ) -> Failure {
        guard [.unavailable, .broken, .refused].contains(status), !message.isEmpty else { return self }
        var explained = message
        if limit < Self.neededDescriptors {
            explained += "; the limit of \(limit) open files may be too low (\(Self.neededDescriptors) are enough), "
            explained += "raise it with 'ulimit -n'"
        }
        if !hasProc { explained += "; /proc is not mounted, and promises and secrets need it" }
        return Failure(status, explained)
    }

    package static var hasProc: Bool { (try? FileStatus(ofPath: "/proc/self", followsSymlink: false)) != nil }
}

/// The next step after an error.
///
/// The bridge's message has the cause, and a next step if that is the same for programs of any kind. The next step for
/// a user of the command line depends on the error's code and context, not on the message.
package enum Advice {
    /// The maximum number of types in the list.
    private static let maxTypes = 12

    package static func after(
        _ error: BridgeClientError, environment: [String: String] = ThisProcess.environment()
    ) -> String? {
        switch error.code {
        case .noSuchType where !error.context.types.isEmpty: "on offer: \(list(error.context.types))"
        case .noSuchEntry: "'xpb history' lists the entries"
        case .noSuchPasteboard: "'xpb list' lists the pasteboards"
        case .silent: "'xpb owner' names the owner, and a longer --timeout allows more time"
        case .refused where error.context.reason == BridgeError.storeReason:
            "'xpb set --memory' keeps the contents until the bridge ends"
        case .refused where [BridgeError.endReason, BridgeError.withheldReason].contains(error.context.reason): nil
        case .refused where error.context.reason != nil: "'xpb status' lists the transfers"
        case .unavailable: after(error.context.cause, isRemote: environment["SSH_CONNECTION"] != nil)
        default: nil
        }
    }

    /// - Parameter isRemote: True in a session over ssh.
    private static func after(_ cause: BridgeClientError.Context.Cause?, isRemote: Bool) -> String {
        switch cause {
        case .noDisplay where isRemote:
            "'xpb link' on your own machine lets programs here use its pasteboard, and 'xpb set --osc52' sends text to "
                + "your terminal"
        case .noDisplay: "set DISPLAY to the display of your session, which 'xpb doctor' names"
        case .noBridge: "'xpb bridge start' starts one"
        case .severalBridges: "choose one with --display or DISPLAY"
        case .notReady: "a longer --timeout allows more time"
        case .noProgram, nil: "'xpb doctor' finds the cause"
        }
    }

    private static func list(_ types: [String]) -> String {
        let more = types.count - maxTypes
        return types.prefix(maxTypes).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }
}
