import TestRandom
import Testing
import UniformTypes

/// Tests of a law: every X11 target has a type, and the names of that type include exactly that target.
@Suite struct TargetLawTests {
    /// Returns how the law is violated for `target`; nil if the law holds.
    private func breach(of target: String) -> String? {
        let type = UniformType(target: target)
        let names = X11Targets.names(for: type, given: target, exact: false)
        guard names.contains(where: target.isExactly) else { return "'\(target)' is not among \(names)" }
        guard UniformType(type.identifier) == type else {
            return "the identifier of '\(target)' cannot be read again"
        }
        guard type.isDynamic else { return nil }
        let own = X11Targets.names(for: type, given: nil, exact: false)
        guard own.count == 1, own[0].isExactly(target) else { return "'\(target)' is offered as \(own)" }
        return nil
    }

    @Test(
        "The law holds for names that are easily confused",
        arguments: [
            "", " ", "a", "Text/Plain", "application/X-Kaya", "application/x-kaya; Charset=\"UTF-8\"", "image/png;a=B",
            "text/x-kaya;name=\u{212A}", "text/x-kaya;name=é", "a/b;c=\"x ; y\"", "a/b;", ";a/b", "a/b ", " a/b",
            // Canonically equivalent to names with a meaning.
            "text/plain\u{37E}charset=utf-8", "\u{301}x", "x\u{301}", "e\u{301}", "\u{E9}", "\u{212A}", "\r\n", "\n",
            // Identifiers, dynamic or not, valid or damaged.
            "com.example.Note", "PUBLIC.PNG", "public.png", "a.b", "dyn.a", "dyn.ai", "dyn.age80s5i", "dyn.x", "DYN.X",
            "dyn.age80s52", "DYN.AGE80S52", "dyn.AGE80S52", "dyn.age80s53", "dyn.ah62d4rv4gq80k3p0f3z0c8pbf71g87df",
            "dyn.ah62d4rv4gu80k3p0f3z0c8pbf71g87df", "dyn.a/b", "dyn.a:b", "dyn.",
            "?0=6:3=text/html", "?0=6:4=x", "3=a/b", "\\", "\\\\", "a\\", "::::", "?=:,\\",
        ])
    func chosen(target: String) {
        #expect(breach(of: target) == nil)
    }

    @Test(
        "The law holds for names of maximum length",
        arguments: [
            "a", ":", "\\", "é", "\u{301}", "A", ".", "-", "/", "😀",
        ])
    func long(piece: String) {
        for front in ["", "dyn.a", "dyn.", "a/", "com.", "text/plain;"] {
            let count = (1024 - front.utf8.count) / piece.utf8.count
            let target = front + String(repeating: piece, count: count)
            #expect(breach(of: target) == nil)
        }
    }

    @Test("The law holds for dynamic identifiers as names of targets")
    func dynamic() {
        for `class` in DynamicTag.Class.allCases {
            for value in ["go", "a/b", "TARGETS", "", "x:y"] {
                for conformsTo in [[], ["public.data"], ["public.image", "com.example.x"]] {
                    let identifier = DynamicType(conformsTo: conformsTo, tags: [DynamicTag(`class`, value)]).identifier
                    #expect(breach(of: identifier) == nil)
                    #expect(breach(of: identifier.uppercased()) == nil)
                    // Identifiers are compared without regard to case, but targets are not, so two spellings need two
                    // types.
                    #expect(UniformType(target: identifier.uppercased()) != UniformType(target: identifier))
                    #expect(breach(of: identifier + "a") == nil)
                    #expect(breach(of: String(identifier.dropLast())) == nil)
                }
            }
        }
    }

    @Test("The law holds for ten thousand random names", arguments: [UInt64(1), 2, 3, 4])
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<2500 {
            let name = generator.name(atMost: round % 25 == 0 ? 1024 : 48)
            guard !X11Targets.isProtocolTarget(name) else { continue }
            if let breach = breach(of: name) {
                Issue.record("seed \(seed), round \(round): \(breach)")
                return
            }
        }
    }

    @Test("A target with a name that is too long is noise")
    func tooLong() {
        #expect(X11Targets.isIgnored(String(repeating: "x", count: 1025)))
        #expect(!X11Targets.isIgnored(String(repeating: "x", count: 1024)))
    }

    @Test("A dynamic type is never offered as a target of the protocol")
    func protocolTargets() {
        for `class` in [DynamicTag.Class.mimeType, .pasteboardType] {
            let type = UniformType(dynamic: DynamicTag(`class`, "DELETE"))
            #expect(X11Targets.names(for: type, given: nil, exact: false) == [type.identifier])
        }
    }
}
