import WaylandWire

/// The contents that this client offers.
extension DataControlClient {
    /// Creates a source, fills it and makes it the selection.
    mutating func offer(
        _ id: SourceID, on selection: SeatSelection, types: [String], marker: String
    ) throws(Fault) -> [Effect] {
        guard let device, let manager = boundManager, let owner = manager.object else { return [] }
        supersede(on: selection)
        let object = try objects.create(.source(manager.variant))
        // wlroots ignores repeated types; KWin lists them twice.
        var known: Set<WireString> = []
        let names = (types + [marker]).compactMap { type -> WireString? in
            guard let name = WireString(type), !name.bytes.isEmpty, name.bytes.count <= limits.typeName,
                known.insert(name).inserted
            else { return nil }
            return name
        }
        sources[object] = Source(id: id, selection: selection, types: known, marker: marker)
        return [.request(.manager(owner, .createDataSource(id: object)))]
            + names.map { .request(.source(object, .offer(mimeType: $0))) }
            + [.request(.device(device.object, Self.setting(selection, object)))]
            + (try sync(.selection(selection, id)))
    }

    static func setting(_ selection: SeatSelection, _ source: ObjectID?) -> DataControlDevice.Request {
        switch selection {
        case .clipboard: .setSelection(source: source)
        case .primary: .setPrimarySelection(source: source)
        }
    }

    mutating func supersede(on selection: SeatSelection) {
        for (object, source) in sources where source.selection == selection { sources[object]?.isSuperseded = true }
    }

    mutating func handle(_ event: DataControlSource.Event, of object: ObjectID) -> [Effect] {
        let source = sources[object]
        switch event {
        case .send(let name, let descriptor):
            guard let source, source.types.contains(name), let type = name.text else { return [.close(descriptor)] }
            return [.write(source.id, type: type, to: descriptor)]
        case .cancelled:
            guard let source else { return [] }
            return end(object, source.isSuperseded ? .superseded : .replaced)
        }
    }

    /// Ends the selection's previous sources, since the compositor may cancel them only after it has reported the new
    /// owner.
    mutating func replaced(by owner: Owner, on selection: SeatSelection) -> [Effect] {
        end { $0.selection == selection && $0.isConfirmed && owner != .ours($0.id) }
    }

    /// Ends sources after the compositor has handled the setting or clearing with this number: older, superseded
    /// sources, and the source with this number if it has not become the selection.
    mutating func conclude(_ selection: SeatSelection, _ id: SourceID) -> [Effect] {
        end { source in
            guard source.selection == selection else { return false }
            return source.isSuperseded
                ? source.id.number < id.number : source.id.number == id.number && !source.isConfirmed
        }
    }

    /// Ends sources in the order of their numbers.
    private mutating func end(where isDue: (Source) -> Bool) -> [Effect] {
        sources.filter { isDue($0.value) }.sorted { $0.value.id.number < $1.value.id.number }.flatMap {
            object, source in
            end(object, source.isSuperseded ? .superseded : source.isConfirmed ? .replaced : .refused)
        }
    }

    mutating func end(_ object: ObjectID, _ reason: SourceEnd) -> [Effect] {
        guard let source = sources.removeValue(forKey: object) else { return [] }
        objects.destroy(object)
        return [.request(.source(object, .destroy)), .ended(source.id, reason)]
    }
}
