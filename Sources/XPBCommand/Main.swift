import FastPath
import Glibc
import LinuxSystem
import SystemPackage

@main
enum Main {
    static func main() {
        StandardDescriptors.occupy()
        guard !ThisProcess.hasForeignRights else {
            // The folders, files and programs that the environment names are those of a user with fewer rights.
            Console(isQuiet: false, isVerbose: false).say(
                "xpb does not run set-user-id, set-group-id or with capabilities of its file; take them away with chmod "
                    + "and setcap -r")
            exit(ExitStatus.usage.rawValue)
        }
        let outcome = unsafe EarlyStart.outcome ?? FastPath.run(ThisProcess.ArgumentBytes())
        if case .done(let wrote, let quiet) = outcome {
            let status = Invocation.finish(wrote: wrote, quiet: quiet, failure: unsafe EarlyStart.failure)
            ThisProcess.end(status: status.rawValue)
        }
        exit(Invocation.run(ThisProcess.arguments(), after: outcome).rawValue)
    }
}

/// The fast path, ahead of everything else.
///
/// Before `main` the Swift runtime looks for the program that prints backtraces, reads the map of its own memory, and
/// counts the processor's cores: a fifth of the time that a small `get` takes, and of no use to it. What stands in the
/// section `.preinit_array` of a program is called before all that (see "Initialization and Termination Functions" of
/// the System V ABI; glibc gives it what `main` has). The C library is ready by then. What of the runtime is not: it
/// finds no conformance by looking, and so no `as?` to a protocol, no `Dictionary` or `Set`, and no description of an
/// error. The fast path has none of them; the integration tests run it in the release build as well, since in a debug
/// build, where generic code is not specialized, it starts like the rest.
enum EarlyStart {
    /// What the fast path has done; nil if it did not run here.
    nonisolated(unsafe) private(set) static var outcome: FastPath.Outcome?
    /// Why standard output could not be closed, of a line that was carried out.
    nonisolated(unsafe) private(set) static var failure: Errno?

    #if !DEBUG
        @section(".preinit_array") @used
        private static let entry:
            @convention(c) (
                Int32, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
                UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
            ) -> Void = { count, arguments, _ in unsafe EarlyStart.run(count, arguments) }
    #endif

    private static func run(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) {
        StandardDescriptors.occupy()
        guard !ThisProcess.hasForeignRights else { return }
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
}
