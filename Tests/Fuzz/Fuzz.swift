import Glibc

#if FUZZING
import CFuzzer
import LinuxSystem

/// A program that passes a target to libFuzzer, whose options are the arguments. The name of the target is in the
/// environment, because libFuzzer restarts this program with its own arguments.
@main
enum LibFuzzer {
    private static let target = ThisProcess.environment()["XPB_FUZZ_TARGET"].flatMap(FuzzTarget.named)

    static func main() {
        guard target != nil else { fatalError("XPB_FUZZ_TARGET is not the name of a target") }
        var count = CommandLine.argc
        var arguments = unsafe Optional(CommandLine.unsafeArgv)
        exit(unsafe LLVMFuzzerRunDriver(&count, &arguments, testOneInput))
    }

    /// The function that libFuzzer calls with each input. libFuzzer reports an input that makes the function trap.
    private static let testOneInput: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt = { start, count in
        let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
        do {
            try LibFuzzer.target?.check(bytes)
        } catch {
            fatalError("\(error)")
        }
        return 0
    }
}
#else
/// A program that runs a target once with each given file, such as the findings of a fuzzing run, or the corpus.
@main
enum Fuzz {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let target = arguments.first.flatMap(FuzzTarget.named), arguments.count > 1 else {
            print("usage: Fuzz TARGET FILE...\ntargets: \(FuzzTarget.all.map(\.name).joined(separator: " "))")
            exit(2)
        }
        for path in arguments.dropFirst() {
            do {
                try target.check(try CorpusFile.bytes(at: path))
            } catch let error as BrokenInvariant {
                print("\(path): \(error)")
                exit(1)
            }
        }
    }
}
#endif
