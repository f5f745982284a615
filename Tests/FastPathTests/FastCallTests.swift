import FastPath
import LinuxSystem
import Testing

@testable import PasteboardWire

@Suite struct FastCallTests {
    private struct Call<Parameters: Decodable>: Decodable {
        var method: String
        var parameters: Parameters
        var more: Bool?
        var oneway: Bool?
    }

    private func decoded<Method: WireMethod>(_ message: [UInt8], _: Method.Type) throws -> Call<Method.Parameters> {
        #expect(message.firstIndex(of: 0) == message.count - 1)
        let decoded = try WireCoding.decode(Call<Method.Parameters>.self, from: Array(message.dropLast()))
        #expect(decoded.method == Method.fullName)
        return decoded
    }

    private func line(_ words: String...) throws -> FastLine {
        try #require(FastLine(words.map { Array($0.utf8) }))
    }

    @Test("A get says what the ordinary one says")
    func get() throws {
        let plain = try decoded(FastCall.get(line("get")), Methods.Get.self)
        #expect(plain.more == nil && plain.oneway == nil)
        #expect(plain.parameters.pasteboard == "general")
        #expect(plain.parameters.types == nil)
        #expect(plain.parameters.exact == nil)
        #expect(plain.parameters.timeout == 5_000)
        #expect(plain.parameters.descriptors == true)

        let other = try decoded(
            FastCall.get(line("get", "-p", "primary", "-t", "image/*", "--type=text", "--exact")), Methods.Get.self
        ).parameters
        #expect(other.pasteboard == "find")
        #expect(other.types == ["image/*", "text"])
        #expect(other.exact == true)
        #expect(other.item == nil && other.stale == nil && other.entry == nil && other.watching == nil)
    }

    @Test("A set has one item, whose bytes go by every name")
    func set() throws {
        let line = try line("set", "-p", "com.example.a", "x")
        let call = try decoded(
            FastCall.set(line, types: [Array("text/html".utf8), Array("public.data".utf8)], length: 45),
            Methods.Set.self
        ).parameters
        #expect(call.pasteboards == ["com.example.a"])
        #expect(call.append == nil && call.into == nil && call.ifCount == nil && call.options == nil)
        #expect(call.timeout == 5_000)
        #expect(call.items.count == 1)
        let bytes = WireBytes(descriptor: 0, offset: 0, length: 45)
        #expect(
            call.items.first?.representations == [
                WireNewRepresentation(type: "text/html", bytes: bytes),
                WireNewRepresentation(type: "public.data", bytes: bytes),
            ])
    }

    @Test("An add appends")
    func add() throws {
        let call = try decoded(
            FastCall.set(line("add", "x"), types: [Array("text".utf8)], length: 1), Methods.Set.self)
        #expect(call.parameters.append == true)
    }

    @Test("A count names its pasteboard")
    func count() throws {
        #expect(try decoded(FastCall.count(line("count")), Methods.Count.self).parameters.pasteboard == "general")
    }
}
