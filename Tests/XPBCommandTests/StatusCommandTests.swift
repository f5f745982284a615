import CommandCore
import FoundationEssentials
import PasteboardWire
import Testing
import XPBCommand

@Suite struct StatusCommandTests {
    @Test("A transfer is shown with its program, progress and age, and with its idle time if it is idle")
    func transfers() {
        let sent = WireTransfer(
            direction: .sending, selection: "CLIPBOARD", type: "image/png", window: 42, process: 7, program: "gimp",
            bytes: 1_258_291, length: 64 << 20, age: 12_345, silence: 3_999)
        #expect(
            sent.text
                == "sending image/png on CLIPBOARD to gimp (7): 1.2 MiB of 64 MiB, 12s old, silent for 3s")
        let received = WireTransfer(
            direction: .receiving, selection: "PRIMARY", type: "UTF8_STRING", window: 42, bytes: 0, age: 900,
            silence: 900)
        #expect(received.text == "receiving UTF8_STRING on PRIMARY: 0 bytes, 0s old")
        let drained = WireTransfer(
            direction: .draining, selection: "CLIPBOARD", type: "TEXT", window: 42, process: 8, bytes: 5, age: 61_000,
            silence: 0)
        #expect(drained.text == "draining TEXT on CLIPBOARD from a program (8): 5 bytes, 61s old")
    }

    @Test("A limit is shown once it was exceeded or is four fifths used")
    func limits() {
        func limit(used: Int, refused: Int = 0, ended: Int = 0) -> WireLimit {
            WireLimit(name: "limit-transfers", limit: 512, used: used, refused: refused, ended: ended)
        }
        #expect(!limit(used: 0).isRelevant)
        #expect(!limit(used: 409).isRelevant)
        #expect(limit(used: 410).isRelevant)
        #expect(limit(used: 410).text == "limit-transfers: 410 of 512")
        #expect(limit(used: 0, refused: 3).isRelevant)
        #expect(limit(used: 0, refused: 3).text == "limit-transfers: 512, 3 refused")
        #expect(limit(used: 1, ended: 2).isRelevant)
        #expect(limit(used: 1, refused: 3, ended: 2).text == "limit-transfers: 1 of 512, 3 refused, 2 ended")
        let bytes = WireLimit(name: "limit-program-bytes", limit: 4 << 30, used: 4 << 30)
        #expect(bytes.text == "limit-program-bytes: 4 GiB of 4 GiB")
        #expect(!WireLimit(name: "limit-atoms", limit: 0, used: 0).isRelevant)
    }

    @Test("A refusal is shown with its reason, its count and its age")
    func refusals() {
        let now = Date(timeIntervalSince1970: 1_000)
        #expect(
            WireRefusal(reason: "too many clients", count: 1, last: 988_000).text(at: now)
                == "too many clients, once, 12s ago")
        #expect(
            WireRefusal(reason: "too many clients", count: 30, last: 400_000).text(at: now)
                == "too many clients, 30 times, last 10m ago")
    }

    @Test("The status has transfers first, then limits that are near, then refusals")
    func order() {
        let reply = Methods.Status.Reply(
            version: "1", process: 1, display: nil, attached: false, clients: 0, transfers: 0, bytes: 0, since: 0,
            store: WireStore(state: .memory, reason: nil),
            limits: [
                WireLimit(name: "limit-transfers", limit: 10, used: 1),
                WireLimit(name: "limit-atoms", limit: 10, used: 10),
            ], refusals: [WireRefusal(reason: "too many clients", count: 1, last: 0)],
            underway: [
                WireTransfer(direction: .sending, selection: "A", type: "B", bytes: 0, age: 0, silence: 0)
            ])
        let lines = reply.trafficLines(at: Date(timeIntervalSince1970: 0))
        #expect(lines.map(\.key) == ["transfer", "limit", "refused"])
        #expect(lines[1].value == "limit-atoms: 10 of 10")
    }
}
