import FastPath
import Glibc
import LinuxSystem

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
