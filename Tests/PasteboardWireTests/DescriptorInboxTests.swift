import LinuxSystem
import PasteboardWire
import SystemPackage
import Testing

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

    @Test("Each message takes the descriptors that it names, in the order in which they arrived")
    func order() throws {
        var (inbox, numbers) = try inbox(3)
        let first = try inbox.take(for: message(naming: 2), isLast: false)
        #expect(try inbox.take(for: message(naming: 0), isLast: false).isEmpty)
        let second = try inbox.take(for: message(naming: 1), isLast: true)
        #expect((first + second).map(\.fileDescriptor.rawValue) == numbers)
        #expect(try inbox.take(for: message(naming: 9), isLast: true).isEmpty, "no descriptors arrived")
        numbers.removeAll()
    }

    @Test("Descriptors that remain after the last message are a fault")
    func stray() throws {
        var inbox = try inbox(2).inbox
        #expect(throws: WireFault.strayDescriptors(1)) { _ = try inbox.take(for: message(naming: 1), isLast: true) }
    }

    @Test("A message cannot have more descriptors than the limit")
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

struct DescriptorIndicesTests {
    @Test(
        "A message takes the descriptors up to the highest index it names",
        arguments: [
            ("{}", 0),
            ("", 0),
            (#"{"bytes":{"descriptor":0}}"#, 1),
            (#"{"a":[{"descriptor":0},{"descriptor":3},{"descriptor":1}]}"#, 4),
            ("{ \"descriptor\" \t:\r\n 12 }", 13),
            (#"{"descriptor":null,"descriptors":7,"xdescriptor":8}"#, 0),
            (#"{"value":"descriptor","other":5}"#, 0),
            (#"{"text":"\"descriptor\":9","descriptor":1}"#, 2),
            (#"{"text":"\\","descriptor":1}"#, 2),
            (#"{"descriptor":-1}"#, 0),
            (#"{"descriptor":99999999999999999999999}"#, 100_000),
            (#"{"descriptor""#, 0),
            (#"{"descriptor":"#, 0),
            (#"{"descr"#, 0),
            (#"{"\"#, 0),
        ])
    func counts(message: String, count: Int) {
        #expect(DescriptorIndices.count(in: Array(message.utf8)) == count)
    }
}
