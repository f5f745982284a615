import Testing
import WaylandWire

@Suite struct GeneratedMessagesTests {
    private let object: ObjectID
    private let other = ObjectID.firstOfCompositor
    private let text: WireString

    init() throws {
        object = try #require(ObjectID(3))
        text = try #require(WireString("text/plain"))
    }

    /// Checks that a message is decoded as it was encoded.
    private func expectRoundTrip<Message: WaylandMessage>(
        _ messages: [Message], at location: SourceLocation = #_sourceLocation
    ) throws {
        for (opcode, message) in messages.enumerated() {
            let encoded = try message.encoded(to: object)
            var decoder = FrameDecoder()
            decoder.append(encoded.bytes)
            let frame = try #require(try decoder.next(), sourceLocation: location)
            var descriptors = DescriptorCount()
            try descriptors.receive(encoded.descriptors.count)
            #expect(try Message(frame, descriptors: &descriptors) == message, sourceLocation: location)
            #expect(descriptors.waiting == 0, sourceLocation: location)
            #expect(Int(frame.opcode) == opcode, "messages have the opcodes of their order", sourceLocation: location)
        }
        let unknown = WireFrame(object: object, opcode: UInt16(messages.count), arguments: [])
        var none = DescriptorCount()
        #expect(throws: WireError.unknownOpcode(unknown.opcode), sourceLocation: location) {
            try Message(unknown, descriptors: &none)
        }
    }

    @Test("Requests are decoded as they were encoded")
    func requests() throws {
        let descriptor = WireDescriptor(0)
        try expectRoundTrip([WlDisplay.Request.sync(callback: object), .getRegistry(registry: object)])
        try expectRoundTrip([WlRegistry.Request.bind(name: 9, interface: text, version: 2, id: object)])
        try expectRoundTrip([
            WlSeat.Request.getPointer(id: object), .getKeyboard(id: object), .getTouch(id: object), .release,
        ])
        try expectRoundTrip([
            DataControlManager.Request.createDataSource(id: object), .getDataDevice(id: object, seat: other), .destroy,
        ])
        try expectRoundTrip([
            DataControlDevice.Request.setSelection(source: nil), .destroy, .setPrimarySelection(source: object),
        ])
        try expectRoundTrip([DataControlSource.Request.offer(mimeType: text), .destroy])
        try expectRoundTrip([DataControlOffer.Request.receive(mimeType: text, fd: descriptor), .destroy])
    }

    @Test("Events are decoded as they were encoded")
    func events() throws {
        try expectRoundTrip([
            WlDisplay.Event.error(objectID: other, code: 1, message: text), .deleteID(id: .max),
        ])
        try expectRoundTrip([WlRegistry.Event.global(name: 1, interface: text, version: 3), .globalRemove(name: 1)])
        try expectRoundTrip([WlCallback.Event.done(callbackData: 5)])
        try expectRoundTrip([WlSeat.Event.capabilities(capabilities: 3), .name(name: text)])
        try expectRoundTrip([
            DataControlDevice.Event.dataOffer(id: other), .selection(id: other), .finished, .primarySelection(id: nil),
        ])
        try expectRoundTrip([DataControlSource.Event.send(mimeType: text, fd: WireDescriptor(0)), .cancelled])
        try expectRoundTrip([DataControlOffer.Event.offer(mimeType: text)])
    }

    @Test("Each protocol has its own names")
    func names() {
        #expect(DataControlManager.interface(of: .ext).name == "ext_data_control_manager_v1")
        #expect(DataControlManager.interface(of: .wlr).name == "zwlr_data_control_manager_v1")
        #expect(DataControlManager.interface(of: .wlr).version == 2)
        #expect(DataControlDevice.primarySelectionSince(.wlr) == 2)
        #expect(DataControlDevice.primarySelectionSince(.ext) == 1)
        #expect(WlSeat.releaseSince == 5)
    }

    @Test("A message with bytes after its arguments is refused")
    func trailing() throws {
        var none = DescriptorCount()
        let frame = WireFrame(object: object, opcode: 1, arguments: [0, 0, 0, 0])
        #expect(throws: WireError.trailing(4)) { try DataControlSource.Event(frame, descriptors: &none) }
    }
}
