import PasteboardModel
import Testing

@Suite struct ContentsOptionsTests {
    private static func options(_ seconds: Int?, _ localOnly: Bool = false) -> ContentsOptions {
        ContentsOptions(expires: seconds.map { .seconds($0) }, localOnly: localOnly)
    }

    @Test(
        "Contents appended to go when the first of both would",
        arguments: [
            (nil, nil, 5, nil), (60, nil, 5, 55), (nil, 30, 5, 30), (60, 30, 5, 30), (60, 58, 5, 55), (60, 60, 0, 60),
            (60, nil, 61, 0), (60, 30, 61, 0),
        ] as [(Int?, Int?, Int, Int?)])
    func expiry(present: Int?, added: Int?, elapsed: Int, expected: Int?) {
        let appended = Self.options(present).appending(Self.options(added), elapsed: .seconds(elapsed))
        #expect(appended == Self.options(expected))
    }

    @Test("They stay here when either would", arguments: [true, false], [true, false])
    func localOnly(present: Bool, added: Bool) {
        let appended = Self.options(nil, present).appending(Self.options(nil, added), elapsed: .zero)
        #expect(appended.localOnly == (present || added))
    }

    @Test("A call gives milliseconds")
    func milliseconds() throws {
        #expect(try ContentsOptions(milliseconds: nil, localOnly: nil) == ContentsOptions())
        #expect(
            try ContentsOptions(milliseconds: 1_500, localOnly: true)
                == ContentsOptions(expires: .milliseconds(1_500), localOnly: true))
        #expect(try ContentsOptions(milliseconds: ContentsOptions.longestExpiry, localOnly: false).expires != nil)
    }

    @Test(
        "An expiry that is none is refused", arguments: [0, -1, .min, .max, ContentsOptions.longestExpiry + 1])
    func invalid(milliseconds: Int) {
        let error = #expect(throws: ContentsOptions.InvalidExpiry.self) {
            try ContentsOptions(milliseconds: milliseconds, localOnly: nil)
        }
        #expect(error?.message.contains("\(milliseconds)") == true)
    }
}
