import Glibc
import LinuxSystem

@main
enum Main {
    static func main() {
        StandardDescriptors.occupy()
        exit(Invocation.run(ThisProcess.arguments()).rawValue)
    }
}
