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

/// A list of entries, each identified by a key. The list has rows for the visible entries only.
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
    /// Called when another entry is selected.
    public var onSelect: (() -> Void)?

    /// Makes an empty list.
    ///
    /// - Parameter makeRow: Makes a row.
    public init(makeRow: @escaping () -> ListRow) {
        guard let strings = unsafe gtk_string_list_new(nil) else { preconditionFailure("GTK made no list") }
        unsafe self.strings = strings
        // GTK's selection and view take over the references to the list and the selection; this object adds its own.
        unsafe g_object_ref(UnsafeMutableRawPointer(strings))
        guard let selection = unsafe gtk_single_selection_new(strings) else { preconditionFailure("GTK made no list") }
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
        unsafe Signal.connectNotify(selection, "selected") { [weak self] in self?.onSelect?() }
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
    }

    /// Shows an entry again after a change.
    public func refresh(_ key: String) {
        guard let index = keys.firstIndex(of: key) else { return }
        let selected = selectedIndex
        replace(index, 1, [key])
        if selected == index { unsafe gtk_single_selection_set_selected(selection, guint(index)) }
    }

    private func replace(_ start: Int, _ removed: Int, _ added: [String]) {
        var additions: [UnsafePointer<CChar>?] = unsafe added.map { unsafe UnsafePointer(g_strdup($0)) }
        unsafe additions.append(nil)
        unsafe gtk_string_list_splice(strings, guint(start), guint(removed), &additions)
        unsafe additions.forEach { string in unsafe g_free(UnsafeMutableRawPointer(mutating: string)) }
    }

    // MARK: Selection

    private var selectedIndex: Int? {
        let index = unsafe Int(gtk_single_selection_get_selected(selection))
        return keys.indices.contains(index) ? index : nil
    }

    /// The key of the selected entry.
    public var selected: String? { selectedIndex.map { keys[$0] } }

    /// Selects an entry by its place, and scrolls to it.
    public func select(_ index: Int) {
        guard keys.indices.contains(index) else { return }
        unsafe gtk_single_selection_set_selected(selection, guint(index))
        unsafe _ = gtk_widget_activate_action_variant(
            pointer, "list.scroll-to-item", g_variant_new_uint32(guint32(index)))
    }

    /// Moves the selection down by a number of entries.
    public func moveSelection(by distance: Int) {
        let index = (selectedIndex ?? -1) + distance
        select(min(max(index, 0), keys.count - 1))
    }
}
