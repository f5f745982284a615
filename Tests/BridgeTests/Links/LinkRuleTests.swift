import Bridge
import PasteboardWire
import Testing

@Suite struct LinkRuleTests {
    @Test("Each method of the interface has a rule")
    func decisions() {
        let methods = ServiceInterface.definition.split(separator: "\n").compactMap { line in
            line.hasPrefix("method ") ? line.dropFirst(7).prefix { $0 != "(" }.description : nil
        }
        #expect(methods.count > 30 && methods.contains("OpenLink"))
        #expect(Set(methods) == Set(MethodName.allCases.map(\.rawValue)))
        #expect(MethodName(rawValue: "Unknown") == nil)
    }

    private func rule(for method: MethodName) -> LinkRule { CallTraits.of(method).link }

    @Test("Calls that find or control the bridge, or delete what the user keeps, are never possible over a link")
    func never() {
        let never: [MethodName] = [
            .stop, .status, .settings, .attach, .declare, .create, .persist, .remove, .deleteEntries, .pin,
            .clearHistory, .pauseHistory, .listUndo, .keep, .break, .openLink, .joinLink, .reportLink,
            .closeLink, .importHistory, .progress,
        ]
        for method in never { #expect(rule(for: method) == .never, "\(method)") }
    }

    @Test("Each permission allows its calls")
    func needed() {
        let methods: [LinkPermission: [MethodName]] = [
            .set: [.set], .clear: [.clear], .count: [.count], .types: [.describe, .match],
            .history: [.history, .restore], .undo: [.undo, .redo, .getUndoState], .watch: [.monitor],
            .owner: [.getOwner], .list: [.list],
        ]
        for (permission, names) in methods {
            for name in names { #expect(rule(for: name) == .needs(permission), "\(name)") }
        }
        for name in [MethodName.get, .fetch] { #expect(rule(for: name) == .reads, "\(name)") }
    }

    @Test("The fields with rules are exactly the fields of the replies that are possible over a link")
    func fields() throws {
        for method in MethodName.allCases where rule(for: method) != .never {
            let fields = try #require(LinkRule.fields(of: method), "\(method) has no decisions")
            let decided = Set(fields.keys.filter { !$0.contains(".") })
            #expect(decided == Set(try Self.replyFields(of: method.rawValue)), "\(method)")
        }
    }

    /// Returns the names of the fields of a method's reply, from the interface's definition.
    private static func replyFields(of method: String) throws -> [String] {
        let start = try #require(ServiceInterface.definition.firstRange(of: "\nmethod \(method)("))
        let declaration = ServiceInterface.definition[start.upperBound...]
        let arrow = try #require(declaration.firstRange(of: "-> ("))
        let fields = declaration[arrow.upperBound...].prefix { $0 != ")" }
        return fields.split { $0 == "," || $0 == "\n" }.compactMap { field in
            field.drop { $0 == " " }.split(separator: ":").first.map(String.init)
        }
    }

    @Test("Choosing set alone allows nothing else, and other permissions are added to the usual permissions")
    func permissions() throws {
        #expect(try LinkPermission.chosen([]) == [.set, .clear, .count, .types])
        #expect(try LinkPermission.chosen(["set"]) == [.set])
        #expect(try LinkPermission.chosen(["get", "find"]) == [.set, .clear, .count, .types, .get, .find])
        let error = #expect(throws: BridgeError.self) { try LinkPermission.chosen(["get", "stop"]) }
        #expect(error?.message.contains("'stop'") == true && error?.message.contains("history") == true)
    }
}
