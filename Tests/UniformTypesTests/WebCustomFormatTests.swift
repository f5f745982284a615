import Testing
import UniformTypes

@Suite struct WebCustomFormatTests {
    @Test(
        "A web page's custom format has an identifier for each number, and both lead to each other",
        arguments: [
            "0", "7", "10", "99", "123456789",
        ])
    func both(number: String) throws {
        let target = "application/web;type=\"custom/format\(number)\""
        let type = UniformType(target: target)
        #expect(type.identifier == "org.w3.web-custom-format.type-\(number)")
        #expect(X11Targets.names(for: type, given: nil, exact: false) == [target])
        #expect(type.preferredMIMEType == target)
        #expect(UniformType(mimeType: target) == type)
        #expect(type.isDeclared && !type.isDynamic && type.conforms(to: .data))
    }

    @Test("The map of the formats is a type of its own")
    func map() {
        let target = "application/web;type=\"custom/formatmap\""
        #expect(UniformType(target: target).identifier == "org.w3.web-custom-format.map")
        #expect(X11Targets.names(for: UniformType(target: target), given: nil, exact: false) == [target])
    }

    @Test(
        "What is not counted that way is a name like any other",
        arguments: [
            "00", "01", "", "-1", "1a", "1234567890", "٣",
        ])
    func others(number: String) {
        let target = "application/web;type=\"custom/format\(number)\""
        #expect(UniformType(target: target).isDynamic)
        #expect(X11Targets.names(for: UniformType(target: target), given: nil, exact: false) == [target])
        #expect(UniformType("org.w3.web-custom-format.type-\(number)")?.isDeclared != true)
    }
}
