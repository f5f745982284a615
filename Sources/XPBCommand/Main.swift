import Glibc
import LinuxSystem

@main
enum Main {
    static func main() {
        StandardDescriptors.occupy()
        let status: ExitStatus
        switch ThisProcess.arguments() {
        case .success(let arguments):
            status = Invocation.run(arguments)
        case .failure(let bad):
            Console(isQuiet: false, isVerbose: false).say(
                "argument \(bad.number) is not valid UTF-8; give such bytes through standard input or a file")
            status = .usage
        }
        exit(status.rawValue)
    }
}
