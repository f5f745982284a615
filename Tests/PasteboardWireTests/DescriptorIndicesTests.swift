import Testing

@testable import PasteboardWire

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
