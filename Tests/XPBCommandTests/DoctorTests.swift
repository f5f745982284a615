import CommandCore
import Commands
import Doctor
import FoundationEssentials
import LinuxSystem
import PasteboardWire
import Testing
import XPBCommand

@Suite struct DoctorTests {
    private func check(_ name: String, _ findings: Finding...) -> Check { Check(name) { _ in findings } }

    private var examination: Examination { Examination(environment: [:], timeout: .seconds(1)) }

    @Test("The worst findings come first, and equally bad ones in the order of the checks")
    func order() {
        let findings = Check.run(
            [
                check("a", .ok("fine"), .note("odd")), check("b"), check("c", .warning("bad", advice: "mend")),
                check("d", .fault("broken", advice: "replace"), .warning("worn", advice: "wait")),
            ], on: examination)
        #expect(
            Finding.rows(findings, verbose: true) == [
                ["fault", "d", "broken; replace"], ["warning", "c", "bad; mend"], ["warning", "d", "worn; wait"],
                ["note", "a", "odd"], ["ok", "a", "fine"],
            ])
        #expect(Finding.rows(findings, verbose: false).map { $0[0] } == ["fault", "warning", "warning", "note"])
    }

    @Test("Without faults, the notes are shown, and a line that says that nothing is wrong")
    func healthy() {
        let findings = Check.run([check("a", .ok("fine"), .note("odd", advice: "look"))], on: examination)
        #expect(findings.allSatisfy { !$0.isWrong })
        #expect(
            Finding.rows(findings, verbose: false) == [
                ["note", "a", "odd; look"], ["ok", "all", "nothing is wrong"],
            ])
        #expect(Finding.rows(findings, verbose: true) == [["note", "a", "odd; look"], ["ok", "a", "fine"]])
    }

    @Test("A finding in JSON has its check, weight, message and advice")
    func json() throws {
        let finding = try #require(Check.run([check("a", .fault("broken", advice: "mend"))], on: examination).first)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(
            String(decoding: try encoder.encode(finding), as: UTF8.self)
                == #"{"advice":"mend","check":"a","finding":"fault","message":"broken"}"#)
    }

    @Test(
        "The compositor is recognized by its variables",
        arguments: [
            (["XDG_CURRENT_DESKTOP": "KDE"], .kde), (["XDG_CURRENT_DESKTOP": "ubuntu:GNOME"], .gnome),
            (["XDG_CURRENT_DESKTOP": "Hyprland"], .hyprland), (["HYPRLAND_INSTANCE_SIGNATURE": "x"], .hyprland),
            (["XDG_CURRENT_DESKTOP": "labwc:wlroots"], .wlroots("labwc")), (["SWAYSOCK": "/x"], .wlroots("sway")),
            (["XDG_CURRENT_DESKTOP": "COSMIC"], .other), ([:], .other), (["SWAYSOCK": ""], .other),
        ] as [([String: String], WaylandDesktop)])
    func desktops(environment: [String: String], desktop: WaylandDesktop) {
        #expect(WaylandDesktop(environment: environment) == desktop)
    }

    @Test("A Wayland session is reported in a note, with advice if copies are hidden")
    func session() {
        func note(_ environment: [String: String]) -> [Finding] {
            Check.session.look(Examination(environment: environment, timeout: .seconds(1)))
        }
        for environment in [["WAYLAND_DISPLAY": "wayland-0"], ["XDG_SESSION_TYPE": "wayland"]] {
            #expect(note(environment).map(\.weight) == [.note])
            #expect(note(environment)[0].advice?.contains("wl-paste") == true)
            #expect(note(environment.merging(["XDG_CURRENT_DESKTOP": "GNOME"]) { $1 })[0].advice == nil)
        }
        #expect(note(["XDG_SESSION_TYPE": "x11", "WAYLAND_DISPLAY": ""]).map(\.weight) == [.ok])
    }

    @Test("The warnings and errors of a log are extracted, without time and source")
    func logLines() {
        let lines = LogLines(
            """
            2026-11-21T20:48:20+0000 notice xpbd: [Bridge] attached to display :0
            2026-11-21T20:48:21+0000 warning xpbd: [Bridge] lost display :0; its pasteboards are kept
            2026-11-21T20:48:22+0000 error xpbd: [Bridge] contents are not stored: the disk is full

            nonsense
            """)
        #expect(
            lines.troubles == [
                .init(message: "lost display :0; its pasteboards are kept", isError: false),
                .init(message: "contents are not stored: the disk is full", isError: true),
            ])
        #expect(LogLines(inFileAt: "/nonexistent/log").troubles == [])
    }

    @Test("Reached limits are warnings, and recent refusals are notes unless they are routine")
    func limits() {
        var status = Methods.Status.Reply(
            version: "0", process: 1, display: nil, attached: false, clients: 0, transfers: 0, bytes: 0, since: 0,
            store: WireStore(state: .memory))
        #expect(Check.limits(of: status, at: 0).map(\.weight) == [.ok])
        status.limits = [
            WireLimit(name: "clients", limit: 10, used: 10), WireLimit(name: "atoms", limit: 10, used: 9),
        ]
        status.refusals = [
            WireRefusal(reason: "too many transfers", count: 3, last: 10_000_000),
            WireRefusal(reason: "too many clients", count: 3, last: 1_000_000),
            WireRefusal(reason: "target not on offer", count: 3, last: 10_000_000, routine: true),
        ]
        let findings = Check.limits(of: status, at: 10_000_001)
        #expect(findings.map(\.weight) == [.warning, .note])
        #expect(findings[0].message.hasPrefix("limit reached: clients (10 of 10)"))
        #expect(findings[1].message == "refused 3 times, last at 1970-01-01T02:46:40Z: too many transfers")
    }

    @Test("Cookies are parsed in order, up to the first that is cut off")
    func authority() {
        func counted(_ bytes: [UInt8]) -> [UInt8] { [0, UInt8(bytes.count)] + bytes }
        func entry(_ family: [UInt8], _ address: String, _ number: String, _ data: [UInt8]) -> [UInt8] {
            family + [address, number, XAuthority.cookie].flatMap { counted(Array($0.utf8)) } + counted(data)
        }
        let file = entry([1, 0], "here", "7", [1, 2]) + entry([0xFF, 0xFF], "", "", [3])
        let entries = XAuthority.entries(in: file + [1, 0, 0])
        #expect(entries.map(\.data) == [[1, 2], [3]])
        #expect(entries.map(\.family) == [256, 65_535])
        #expect(entries[0].address == Array("here".utf8) && entries[0].number == "7")
        #expect(XAuthority.entries(in: Array(file.dropLast())).count == 1)
        #expect(XAuthority.entries(in: []) == [])
    }

    @Test("The cookie of a display over TCP is found by its address, and the cookie of this machine by its name")
    func remoteAuthority() throws {
        func entry(_ family: Int, _ address: [UInt8], _ number: String, _ data: UInt8) -> XAuthority.Entry {
            .init(family: family, address: address, number: number, name: XAuthority.cookie, data: [data])
        }
        var authority = try #require(XAuthority(environment: ["XAUTHORITY": "/nonexistent/authority"]))
        authority.entries = [
            entry(256, Array("here".utf8), "10", 1), entry(0, [192, 0, 2, 1], "10", 2),
            entry(0, [192, 0, 2, 1], "11", 3),
        ]
        func data(_ number: Int, _ address: String) -> [UInt8]? {
            authority.entry(forRemote: number, at: TCPSocket.Address(address), host: "here")?.data
        }
        #expect(data(10, "127.0.0.1") == [1])
        #expect(data(10, "192.0.2.1") == [2])
        #expect(data(11, "192.0.2.1") == [3])
        #expect(data(10, "192.0.2.2") == nil)
    }

    @Test("A store reports a blocked path or a full disk")
    func storePlace() throws {
        let folder = "/tmp/xpb-\(UInt64.random(in: 0 ... .max))"
        #expect(StorePlace("\(folder)/xpb/:0").trouble == nil)
        // A device is not a folder.
        #expect(StorePlace("/dev/null/xpb/:0").trouble == .blocked(by: "/dev/null"))
        #expect(StorePlace.trouble(of: .init(bytes: 1_000_000, files: nil), in: folder) == nil)
        #expect(StorePlace.trouble(of: .init(bytes: 1_000, files: nil), in: folder) == .full(folder, left: 1_000))
        #expect(StorePlace.trouble(of: .init(bytes: 1_000_000, files: 0), in: folder) == .noFiles(folder))
        for trouble in [.full(folder, left: 0), .noFiles(folder), .blocked(by: folder)] as [StorePlace.Trouble] {
            #expect(trouble.message.contains(folder))
        }
        #expect(StorePlace(key: ":0", environment: ["XDG_STATE_HOME": "/s"])?.folder == "/s/xpb/:0")
        #expect(StorePlace(key: ":0", environment: [:]) == nil)
    }

    @Test("The advice for a store that refuses contents names its folder, and for a locked store the other process too")
    func refusing() {
        func advice(_ cause: WireStore.Cause) -> String {
            Check.refusing(WireStore(state: .refusing, reason: "wrong", folder: "/s/xpb/:0", cause: cause)).advice ?? ""
        }
        #expect(advice(.failed).hasPrefix("repair the folder /s/xpb/:0, then run: xpb bridge restart"))
        #expect(advice(.locked).hasPrefix("resume or end the process that has locked the folder /s/xpb/:0"))
    }

    @Test("The doctor itself does not count as a client")
    func ownConnection() {
        var status = Methods.Status.Reply(
            version: "0", process: 1, display: nil, attached: false, clients: 0, transfers: 0, bytes: 0, since: 0,
            store: WireStore(state: .memory))
        func weights(_ clients: Int, _ programClients: Int) -> [Finding.Weight] {
            status.limits = [
                WireLimit(name: "limit-clients", limit: clients, used: clients),
                WireLimit(name: "limit-program-clients", limit: programClients, used: programClients),
            ]
            return Check.limits(of: status, at: 0).map(\.weight)
        }
        #expect(weights(1, 1) == [.ok])
        #expect(weights(2, 1) == [.ok])
        #expect(weights(2, 2) == [.warning])
        status.limits = [WireLimit(name: "limit-clients", limit: 1, used: 2)]
        #expect(Check.limits(of: status, at: 0).map(\.weight) == [.warning])
    }

    @Test("A server that stops answering while displays are listed is listed once, or not at all")
    func goingAway() throws {
        let folder = "/tmp/xpb-\(UInt64.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // A full backlog: each server takes one more connection, and no second one.
        let servers = try (1...3).map { try UnixSocket.listen(at: "\(folder)/X\($0)", backlog: 0) }
        #expect(LocalDisplays.present(in: folder) == [":1", ":2", ":3"])
        #expect(LocalDisplays.present(in: folder) == [])
        withExtendedLifetime(servers) {}
    }
}
