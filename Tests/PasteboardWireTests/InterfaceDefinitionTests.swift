import Foundation
import Testing

@testable import PasteboardWire

/// The interface definition and the Swift types are two hands' work: they must agree to the letter.
struct InterfaceDefinitionTests {
    let definition: InterfaceDefinition

    init() throws {
        definition = try InterfaceDefinition(parsing: ServiceInterface.definition)
    }

    let methodTypes: [any WireMethod.Type] = [
        Methods.Get.self, Methods.Set.self, Methods.Clear.self, Methods.Describe.self, Methods.Count.self,
        Methods.GetOwner.self, Methods.List.self, Methods.Monitor.self, Methods.Read.self, Methods.Begin.self,
        Methods.Append.self, Methods.Commit.self, Methods.Release.self, Methods.Status.self, Methods.Attach.self,
        Methods.Declare.self, Methods.Stop.self, Methods.Fetch.self, Methods.Keep.self, Methods.Break.self,
        Methods.Create.self, Methods.Persist.self, Methods.Remove.self, Methods.Undo.self, Methods.Redo.self,
        Methods.History.self, Methods.Restore.self, Methods.DeleteEntries.self, Methods.Pin.self,
        Methods.ClearHistory.self, Methods.PauseHistory.self, Methods.Settings.self,
    ]

    let memberTypes: [any Decodable.Type] = [
        WireBytes.self, WireRepresentation.self, WireItem.self, WireNewRepresentation.self, WireNewItem.self,
        WireOwner.self, WireBoard.self, WireTypeDeclaration.self, WireOptions.self, WireFound.self, WireWanted.self,
        WireHistoryEntry.self, WireCapture.self, WireStore.self, WireSetting.self,
        WireLimit.self, WireRefusal.self, WireTransfer.self,
    ]

    @Test("Every method is there, with the same parameters and the same reply")
    func methods() throws {
        #expect(Set(methodTypes.map { $0.name }) == Set(definition.methods.keys))
        for method in methodTypes { try compare(method) }
    }

    private func compare<Method: WireMethod>(_ method: Method.Type) throws {
        let defined = try #require(definition.methods[method.name])
        #expect(try MemberRecorder.members(of: Method.Parameters.self) == defined.parameters, "\(method)")
        #expect(try MemberRecorder.members(of: Method.Reply.self) == defined.reply, "\(method)")
    }

    @Test("Every type is there, with the same members")
    func types() throws {
        #expect(Set(memberTypes.map { "\($0)".dropFirst("Wire".count) }) == Set(definition.types.keys.map { $0[...] }))
        for type in memberTypes {
            let defined = definition.types[String("\(type)".dropFirst("Wire".count))]
            #expect(try MemberRecorder.members(of: type) == defined, "\(type)")
        }
    }

    @Test("Every error is there, and has on the wire the members defined", arguments: BridgeError.Code.allCases)
    func errors(code: BridgeError.Code) throws {
        #expect(Set(BridgeError.Code.allCases.map(\.rawValue)) == Set(definition.errors.keys))
        let parameters = WireErrorParameters(BridgeError(code, "a message", types: ["a.b"], count: 3))
        let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(parameters))
        let members = try #require(json as? [String: Any])
        #expect(Set(members.keys) == definition.errors[code.rawValue].map { Set($0.keys) })
    }

    @Test("The errors of every service are there, and have on the wire the members defined")
    func serviceErrors() throws {
        let errors: [VarlinkError] = [
            .interfaceNotFound("a.b"), .methodNotFound("a.b.C"), .methodNotImplemented("a.b.C"),
            .invalidParameter("d"), .permissionDenied, .expectedMore,
        ]
        for error in errors {
            #expect(VarlinkError(fullName: error.fullName, parameters: error.parameters) == error)
        }
        #expect(VarlinkError(fullName: "org.varlink.service.Other", parameters: [:]) == nil)
        #expect(VarlinkError(fullName: "a.b.PermissionDenied", parameters: [:]) == nil)
    }
}
