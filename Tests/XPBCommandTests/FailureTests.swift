import BridgeClient
import CommandCore
import Testing
import XPBCommand

@Suite struct FailureTests {
    private func message(
        _ code: BridgeClientError.Code, _ message: String = "wrong", context: BridgeClientError.Context = .init()
    ) -> String {
        Failure(BridgeClientError(code: code, message: message, context: context)).message
    }

    @Test(
        "Every error has its exit status",
        arguments: [
            (.empty, 1), (.noSuchType, 1), (.noSuchItem, 1), (.invalidName, 2), (.invalidType, 2), (.silent, 3),
            (.unavailable, 4), (.transferBroken, 5), (.countMismatch, 6), (.refused, 6),
        ] as [(BridgeClientError.Code, Int32)])
    func statuses(code: BridgeClientError.Code, status: Int32) {
        #expect(Failure(BridgeClientError(code: code, message: "")).status.rawValue == status)
    }

    @Test("A low limit on descriptors and a missing /proc are named as causes, but not of usage errors")
    func surroundings() {
        let failure = Failure(.unavailable, "no bridge")
        #expect(failure.explained(descriptorLimit: 16) == failure)
        #expect(
            failure.explained(descriptorLimit: 4).message
                == "no bridge; the limit of 4 open files may be too low (16 are enough), raise it with 'ulimit -n'")
        #expect(failure.explained(descriptorLimit: 16, hasProc: false).message.contains("; /proc is not mounted"))
        #expect(Failure(.usage, "wrong").explained(descriptorLimit: 4).message == "wrong")
    }

    @Test("The message for a missing type lists the types on offer, up to a dozen")
    func missingType() {
        #expect(message(.noSuchType) == "wrong")
        #expect(message(.noSuchType, context: .init(types: ["a", "b"])) == "wrong; on offer: a, b")
        let many = message(.noSuchType, context: .init(types: (1...15).map(String.init)))
        #expect(many == "wrong; on offer: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 3 more")
    }

    @Test(
        "The advice depends on the code and the context, not on the message",
        arguments: [
            (.noSuchEntry, .init(), "'xpb history' lists the entries"),
            (.noSuchPasteboard, .init(), "'xpb list' lists the pasteboards"),
            (.silent, .init(), "'xpb owner' names the owner, and a longer --timeout allows more time"),
            (.unavailable, .init(), "'xpb doctor' finds the cause"),
            (.unavailable, .init(cause: .noBridge), "'xpb bridge start' starts one"),
            (.unavailable, .init(cause: .severalBridges), "choose one with --display or DISPLAY"),
            (.unavailable, .init(cause: .notReady), "a longer --timeout allows more time"),
            (.refused, .init(reason: "store"), "'xpb set --memory' keeps the contents until the bridge ends"),
            (.refused, .init(reason: "limit-transfers"), "'xpb status' lists the transfers"),
        ] as [(BridgeClientError.Code, BridgeClientError.Context, String)])
    func advice(code: BridgeClientError.Code, context: BridgeClientError.Context, advice: String) {
        #expect(message(code, context: context) == "wrong; \(advice)")
        #expect(message(code, advice, context: context) == "\(advice); \(advice)")
    }

    @Test("A name that is too long for a type is cut, and the limit is named")
    func longTypes() {
        let name = "x-" + String(repeating: "a", count: 1_100)
        #expect(
            Failure.notAType(name).message
                == "the type '\(name.prefix(80))…' has 1102 bytes, and at most 1024 are allowed")
        #expect(Failure.notAType("a b", "is wrong").message == "'a b' is wrong")
    }

    @Test("Some errors have no advice")
    func noAdvice() {
        #expect(message(.countMismatch) == "wrong")
        #expect(message(.refused) == "wrong")
    }
}
