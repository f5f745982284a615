import CGtk

/// A row of a list, reused for one entry after another.
open class ListRow {
    /// The widget of the row.
    public let widget: Widget

    /// Makes a row.
    public init(_ widget: Widget) { self.widget = widget }

    /// Shows an entry. Called when the entry comes near the visible part of the list.
    open func show(_ key: String) {}

    /// Forgets the entry that was shown.
    open func clear() {}
}

/// A list of entries, each identified by a key. The list has rows for the visible entries only. The user selects
/// several entries with Ctrl or Shift.
@safe
public final class ListView: Widget {
    private let strings: OpaquePointer
    private let selection: OpaquePointer
    private var rows: [OpaquePointer: ListRow] = unsafe [:]
    private var makeRow: () -> ListRow
    /// The keys of all entries, in order.
    public private(set) var keys: [String] = []
    /// Called when the user activates an entry, by Return or a double click.
    public var onActivate: ((String) -> Void)?
    /// The keys of the selected entries, in the order in which they were selected.
    public private(set) var selectedKeys: [String] = []
    /// Called when other entries are selected.
    public var onSelect: (() -> Void)?

    /// Makes an empty list.
    ///
    /// - Parameter makeRow: Makes a row.
    public init(makeRow: @escaping () -> ListRow) {
        guard let strings = unsafe gtk_string_list_new(nil) else { preconditionFailure("GTK made no list") }
        unsafe self.strings = strings
        // GTK's selection and view take over the references to the list and the selection; this object adds its own.
        unsafe g_object_ref(UnsafeMutableRawPointer(strings))
        guard let selection = unsafe gtk_multi_selection_new(strings) else { preconditionFailure("GTK made no list") }
        unsafe self.selection = selection
        self.makeRow = makeRow
        unsafe g_object_ref(UnsafeMutableRawPointer(selection))
        let factory = unsafe gtk_signal_list_item_factory_new()
        unsafe super.init(made: gtk_list_view_new(selection, factory))
        guard let factory = unsafe factory else { return }
        unsafe connect(factory)
        unsafe Signal.connectNumber(opaque, "activate") { [weak self] position in
            guard let self, keys.indices.contains(position) else { return }
            onActivate?(keys[position])
        }
        unsafe Signal.connectRange(selection, "selection-changed") { [weak self] in self?.readSelection() }
    }

    deinit {
        unsafe g_object_unref(UnsafeMutableRawPointer(selection))
        unsafe g_object_unref(UnsafeMutableRawPointer(strings))
    }

    private func connect(_ factory: OpaquePointer) {
        unsafe Signal.connectPointer(factory, "setup") { [weak self] item in
            guard let self else { return }
            let row = makeRow()
            unsafe rows[item] = row
            unsafe gtk_list_item_set_child(item, row.widget.pointer)
        }
        unsafe Signal.connectPointer(factory, "bind") { [weak self] item in
            guard let string = unsafe gtk_list_item_get_item(item) else { return }
            let key = unsafe String(cString: gtk_string_object_get_string(OpaquePointer(string)))
            unsafe self?.rows[item]?.show(key)
        }
        unsafe Signal.connectPointer(factory, "unbind") { [weak self] item in unsafe self?.rows[item]?.clear() }
        unsafe Signal.connectPointer(factory, "teardown") { [weak self] item in unsafe self?.rows[item] = nil }
    }

    // MARK: Entries

    /// Replaces the entries. Entries that stay at the beginning or at the end keep their rows.
    public func setKeys(_ new: [String]) {
        let limit = min(keys.count, new.count)
        var start = 0
        while start < limit, keys[start] == new[start] { start += 1 }
        var end = 0
        while end < limit - start, keys[keys.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        let removed = keys.count - start - end
        let added = Array(new[start..<(new.count - end)])
        keys = new
        guard removed > 0 || !added.isEmpty else { return }
        replace(start, removed, added)
        readSelection()
    }

    /// Shows an entry again after a change.
    public func refresh(_ key: String) {
        guard let index = keys.firstIndex(of: key) else { return }
        // The list takes the entry for another one.
        let selected = selectedKeys
        replace(index, 1, [key])
        if selected.contains(key) { unsafe gtk_selection_model_select_item(selection, guint(index), 0) }
        selectedKeys = selected
    }

    private func replace(_ start: Int, _ removed: Int, _ added: [String]) {
        var additions: [UnsafePointer<CChar>?] = unsafe added.map { unsafe UnsafePointer(g_strdup($0)) }
        unsafe additions.append(nil)
        unsafe gtk_string_list_splice(strings, guint(start), guint(removed), &additions)
        unsafe additions.forEach { string in unsafe g_free(UnsafeMutableRawPointer(mutating: string)) }
    }

    // MARK: Selection

    /// The key of the entry that was selected last.
    public var selected: String? { selectedKeys.last }

    private func readSelection() {
        guard let set = unsafe gtk_selection_model_get_selection(selection) else { return }
        let chosen = unsafe (0..<gtk_bitset_get_size(set)).map { unsafe Int(gtk_bitset_get_nth(set, guint($0))) }
        unsafe gtk_bitset_unref(set)
        let now = Set(chosen.filter(keys.indices.contains).map { keys[$0] })
        let former = selectedKeys
        let kept = former.filter(now.contains)
        let known = Set(kept)
        selectedKeys =
            kept + chosen.compactMap { keys.indices.contains($0) && !known.contains(keys[$0]) ? keys[$0] : nil }
        if selectedKeys != former { onSelect?() }
    }

    /// Selects an entry by its place, and scrolls to it.
    ///
    /// - Parameter extends: True to keep the other entries selected.
    public func select(_ index: Int, extends: Bool = false) {
        guard keys.indices.contains(index) else { return }
        unsafe gtk_selection_model_select_item(selection, guint(index), extends ? 0 : 1)
        unsafe _ = gtk_widget_activate_action_variant(
            pointer, "list.scroll-to-item", g_variant_new_uint32(guint32(index)))
    }

    /// Moves the selection down by a number of entries.
    ///
    /// - Parameter extends: True to keep the other entries selected.
    public func moveSelection(by distance: Int, extends: Bool = false) {
        let index = (selected.flatMap { keys.firstIndex(of: $0) } ?? -1) + distance
        select(min(max(index, 0), keys.count - 1), extends: extends)
    }
}
