import Glibc

#if !FUZZING
    /// Tries a target on files, once each: what a fuzzing run left behind, or the corpus.
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
