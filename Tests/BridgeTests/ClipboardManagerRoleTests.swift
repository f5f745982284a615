import Bridge
import BridgeState
import Configuration
import EventLoop
import Glibc
import LinuxSystem
import PasteboardWire
import SelectionProtocol
import Testing
import X11Bridge

@Suite struct ClipboardManagerRoleTests {
    private static let window = WindowID(7)

    private func fixture(display: String = ":0", owner: OwnershipTracker.Owner = .none) throws -> ServiceFixture {
        let fixture = try ServiceFixture(display: display)
        fixture.report(.found(selection: ClipboardManagerProtocol.selection, owner))
        fixture.succeed()
        return fixture
    }

    private func change(_ fixture: ServiceFixture, to owner: OwnershipTracker.Owner) {
        fixture.give(ClipboardManagerProtocol.selection, to: owner)
        fixture.succeed()
    }

    @Test("The bridge becomes the clipboard manager if there is none")
    func free() throws {
        let fixture = try fixture()
        #expect(fixture.service.clipboardManager.owner?.kind == .client)
        #expect(fixture.service.clipboardManager.owner?.process == Int(getpid()))
    }

    @Test("A running clipboard manager keeps the role, and the status names its program")
    func taken() throws {
        let fixture = try ServiceFixture(display: ":0")
        fixture.processes[Self.window] = getpid()
        fixture.give(ClipboardManagerProtocol.selection, to: .foreign(Self.window))
        fixture.succeed()
        let owner = try #require(fixture.service.clipboardManager.owner)
        #expect(owner.kind == .window)
        #expect(owner.window == 7)
        #expect(owner.process == Int(getpid()))
        #expect(owner.program == ProcessName.of(getpid()))
    }

    @Test("The bridge becomes the clipboard manager when another manager goes away")
    func left() throws {
        let fixture = try fixture(owner: .foreign(Self.window))
        change(fixture, to: .none)
        #expect(fixture.service.clipboardManager.owner?.kind == .client)
    }

    @Test("A program that takes the role keeps it, and the bridge gets it back afterwards")
    func rival() throws {
        let fixture = try fixture()
        change(fixture, to: .foreign(Self.window))
        #expect(fixture.service.clipboardManager.owner?.window == 7)
        change(fixture, to: .none)
        #expect(fixture.service.clipboardManager.owner?.kind == .client)
    }

    @Test("The bridge gets the role even if a manager comes and goes during the bridge's claim")
    func passing() throws {
        let fixture = try ServiceFixture(display: ":0")
        fixture.report(.found(selection: ClipboardManagerProtocol.selection, .none))
        fixture.give(ClipboardManagerProtocol.selection, to: .foreign(Self.window))
        fixture.give(ClipboardManagerProtocol.selection, to: .none)
        fixture.succeed()
        #expect(fixture.service.clipboardManager.owner?.kind == .client)
    }

    @Test("The bridge does not claim the role on the display of another machine")
    func forwarded() throws {
        let fixture = try fixture(display: "localhost:10.0")
        #expect(fixture.service.clipboardManager.owner?.kind == WireOwner.Kind.none)
    }

    @Test("The setting takes the role away from the bridge at once")
    func setting() throws {
        let fixture = try fixture()
        fixture.service.settings.configuration.manager = false
        fixture.service.clipboardManager.refresh()
        fixture.succeed()
        #expect(fixture.withdrawn.count == 1)
        change(fixture, to: .none)
        #expect(fixture.service.clipboardManager.owner?.kind == WireOwner.Kind.none)
        fixture.service.settings.configuration.manager = true
        fixture.service.clipboardManager.refresh()
        fixture.succeed()
        #expect(fixture.service.clipboardManager.owner?.kind == .client)
    }

    @Test("Programs that the settings name are managers, even if the kernel has shortened their names")
    func named() throws {
        let fixture = try ServiceFixture(display: ":0")
        let program = try #require(ProcessName.of(getpid()))
        #expect(!fixture.service.clipboardManager.isManager(process: getpid()))
        fixture.service.settings.configuration.managers = [program]
        #expect(fixture.service.clipboardManager.isManager(process: getpid()))
        fixture.service.settings.configuration.managers = [program + "x"]
        #expect(fixture.service.clipboardManager.isManager(process: getpid()) == (program.utf8.count == 15))
    }

    @Test("A program that sends the clipboard elsewhere is a manager, whatever the settings say")
    func senders() throws {
        let fixture = try ServiceFixture(display: ":0")
        fixture.service.settings.configuration.managers = []
        for name in ["x11vnc", "Xtigervnc", "xrdp-chansrv", "barrierc", "kdeconnectd"] {
            #expect(fixture.service.settings.configuration.isManager(named: name))
        }
        #expect(!fixture.service.settings.configuration.isManager(named: "gedit"))
    }

    @Test("A bridge that is leaving does not claim the role")
    func leaving() throws {
        let fixture = try fixture(owner: .foreign(Self.window))
        fixture.service.lifetime.isLeaving = true
        change(fixture, to: .none)
        #expect(fixture.service.clipboardManager.owner?.kind == WireOwner.Kind.none)
    }

    @Test("Without a display, the status names no manager")
    func noDisplay() throws {
        let fixture = try fixture()
        #expect(fixture.service.clipboardManager.owner != nil)
        fixture.report(.detached(display: ":0"))
        #expect(fixture.service.clipboardManager.owner == nil)
        #expect(try ServiceFixture().service.clipboardManager.owner == nil)
    }

    @Test("All windows of the manager's process count as the manager's")
    func windows() throws {
        // Neither process has the name of a manager.
        let (manager, other) = (getpid(), getppid())
        let fixture = try ServiceFixture(display: ":0")
        fixture.processes = [Self.window: manager, WindowID(8): manager, WindowID(9): other]
        func isManager(_ window: UInt32) -> Bool? {
            var found: Bool?
            fixture.executor.start {
                let process = await fixture.display.process(of: WindowID(window), within: .seconds(1))
                found = process.map(fixture.service.clipboardManager.isManager(process:)) ?? false
            }
            fixture.succeed()
            return found
        }
        #expect(isManager(8) == false)
        fixture.give(ClipboardManagerProtocol.selection, to: .foreign(Self.window))
        #expect(isManager(8) == true)
        #expect(isManager(9) == false)
        #expect(isManager(10) == false)
    }
}
