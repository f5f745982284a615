import LinuxSystem
import Pasteboard
import SystemPackage
import Testing

@Suite("Events of a program with its own loop", .timeLimit(.minutes(3))) struct PasteboardEventsTests {
    private static func waitReadable(_ events: PasteboardEvents) throws {
        let descriptor = FileDescriptor(rawValue: events.descriptor)
        while try !LinuxSystem.waitReadable(descriptor, until: .now + .seconds(1)) { try Task.checkCancellation() }
    }

    @Test("The closure of cancelled work does not run, even if the result is ready")
    func cancelled() throws {
        let events = try PasteboardEvents()
        var hasRun = false
        let work = events.perform({}) { _ in hasRun = true }
        try Self.waitReadable(events)
        work.cancel()
        events.dispatch()
        #expect(!hasRun)
    }

    @Test("A closure may cancel other work whose result is ready")
    func cancelledByAnother() throws {
        let events = try PasteboardEvents()
        var registrations: [PasteboardEvents.Registration] = []
        var runs = 0
        for _ in 0..<3 {
            registrations.append(
                events.perform({}) { _ in
                    runs += 1
                    for registration in registrations { registration.cancel() }
                })
        }
        while runs == 0 {
            try Self.waitReadable(events)
            events.dispatch()
        }
        var isDone = false
        events.perform({}) { _ in isDone = true }
        while !isDone {
            try Self.waitReadable(events)
            events.dispatch()
        }
        #expect(runs == 1)
    }
}
