import LinuxSystem
import SystemPackage
import Testing

@testable import PasteboardWire

struct DescriptorInboxTests {
    private func message(naming count: Int) -> [UInt8] {
        Array("[\((0..<count).map { "{\"descriptor\":\($0)}" }.joined(separator: ","))]".utf8)
    }

    private func inbox(_ count: Int, limit: Int = 3) throws -> (inbox: DescriptorInbox, numbers: [Int32]) {
        let descriptors = try (0..<count).map { _ in
            try Descriptor(adopting: .pipe().readEnd)
        }
        var inbox = DescriptorInbox(limit: limit)
        inbox.append(descriptors)
        return (inbox, descriptors.map(\.fileDescriptor.rawValue))
    }

    @Test("Each message takes those that it names, in the order in which they came")
    func order() throws {
        var (inbox, numbers) = try inbox(3)
        let first = try inbox.take(for: message(naming: 2), isLast: false)
        #expect(try inbox.take(for: message(naming: 0), isLast: false).isEmpty)
        let second = try inbox.take(for: message(naming: 1), isLast: true)
        #expect((first + second).map(\.fileDescriptor.rawValue) == numbers)
        #expect(try inbox.take(for: message(naming: 9), isLast: true).isEmpty, "none came")
        numbers.removeAll()
    }

    @Test("What is left behind the last message belongs to none")
    func stray() throws {
        var inbox = try inbox(2).inbox
        #expect(throws: WireFault.strayDescriptors(1)) { _ = try inbox.take(for: message(naming: 1), isLast: true) }
    }

    @Test("A message has no more than it may")
    func limit() throws {
        var inbox = try inbox(3).inbox
        #expect(!inbox.isOverfull)
        #expect(throws: WireFault.tooManyDescriptors(limit: 3)) {
            _ = try inbox.take(for: message(naming: 4), isLast: false)
        }
        inbox.append(try self.inbox(1).inbox.take(for: message(naming: 1)))
        #expect(inbox.isOverfull)
        #expect(throws: WireFault.tooManyDescriptors(limit: 3)) { try inbox.check() }
    }
}

extension DescriptorInbox {
    fileprivate func take(for message: [UInt8]) throws -> [Descriptor] {
        var copy = self
        return try copy.take(for: message, isLast: true)
    }
}
