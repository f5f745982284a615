import CommandCore
import Commands
import DropIns
import FastPath
import Glibc
import LinuxSystem
import SystemPackage

@main
enum Main {
    static func main() {
        StandardDescriptors.openMissing()
        guard !ThisProcess.isPrivileged else {
            // The environment, which names folders, files and programs, is that of a user with fewer rights.
            Console(isQuiet: false, isVerbose: false).say(
                "xpb does not run set-user-id, set-group-id or with file capabilities; remove them with chmod and "
                    + "setcap -r")
            exit(ExitStatus.usage.rawValue)
        }
        if let program = DropInName(ThisProcess.ArgumentBytes()) {
            exit(DropIn.run(program, ThisProcess.arguments()).rawValue)
        }
        let outcome = unsafe EarlyStart.outcome ?? FastPath.run(ThisProcess.ArgumentBytes())
        if case .done(let wrote, let quiet) = outcome {
            let status = Invocation.finish(wrote: wrote, quiet: quiet, failure: unsafe EarlyStart.failure)
            ThisProcess.end(status: status.rawValue)
        }
        exit(Invocation.run(ThisProcess.arguments(), after: outcome).rawValue)
    }
}

/// The fast path, run before everything else.
///
/// Before `main`, the Swift runtime searches for the program that prints backtraces, reads the map of its own memory
/// and counts the processor's cores. That takes a fifth of the time of a small `get`, which needs none of it. Functions
/// in the section `.preinit_array` run earlier (see "Initialization and Termination Functions" of the System V ABI;
/// glibc passes them the arguments of `main`). The C library is ready then, but parts of the runtime are not: it cannot
/// look up conformances, so `as?` to a protocol, `Dictionary`, `Set` and the descriptions of errors do not work. The
/// fast path uses none of them. In a debug build, where generic code is not specialized, the fast path runs from `main`
/// instead, so the integration tests also use the release build.
enum EarlyStart {
    /// The outcome of the fast path; nil if it did not run here.
    nonisolated(unsafe) private(set) static var outcome: FastPath.Outcome?
    /// The error of closing standard output after the command line was executed.
    nonisolated(unsafe) private(set) static var failure: Errno?

    private typealias Entry =
        @convention(c) (
            Int32, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
            UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
        ) -> Void

    #if DEBUG
    // Sanitizers are ready only in `.init_array`.
    @section(".init_array") @used
    private static let entry: Entry = { count, arguments, _ in unsafe ThisProcess.keepArguments(count, arguments) }
    #else
    @section(".preinit_array") @used
    private static let entry: Entry = { count, arguments, _ in unsafe EarlyStart.run(count, arguments) }
    #endif

    private static func run(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) {
        skipSearchWithoutProc()
        unsafe ThisProcess.keepArguments(count, arguments)
        StandardDescriptors.openMissing()
        guard !ThisProcess.isPrivileged else { return }
        let outcome = FastPath.run(unsafe ThisProcess.ArgumentBytes(count: count, start: arguments))
        if case .done(let wrote, _) = outcome {
            do throws(Errno) {
                if wrote { try StandardDescriptors.closeOutput() }
                ThisProcess.end(status: ExitStatus.done.rawValue)
            } catch {
                unsafe failure = error
            }
        }
        unsafe Self.outcome = outcome
    }

    /// Names a program for backtraces if /proc is not mounted. The runtime of a static executable searches for one
    /// beside itself, by /proc/self/exe, and aborts if it cannot find its own path. The runtime reads the environment
    /// once, at its first use.
    private static func skipSearchWithoutProc() {
        if unsafe access("/proc/self/exe", F_OK) != 0 {
            unsafe setenv("SWIFT_BACKTRACE", "enable=no,swift-backtrace=/", 1)
        }
    }
}
