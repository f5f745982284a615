#if FUZZING
    import CFuzzer
    import Glibc
    import LinuxSystem

    /// Hands a target to libFuzzer, whose options the arguments are. The target's name stands in the environment, as
    /// libFuzzer starts this program anew with arguments of its own.
    @main
    enum LibFuzzer {
        private static let target = ThisProcess.environment()["XPB_FUZZ_TARGET"].flatMap(FuzzTarget.named)

        static func main() {
            guard target != nil else { fatalError("XPB_FUZZ_TARGET names no target") }
            var count = CommandLine.argc
            var arguments = unsafe Optional(CommandLine.unsafeArgv)
            exit(unsafe LLVMFuzzerRunDriver(&count, &arguments, testOneInput))
        }

        /// What libFuzzer calls. It takes a trap for a find.
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
#endif
