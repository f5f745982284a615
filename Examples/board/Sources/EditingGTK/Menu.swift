import CGtk
public import Editing

/// A menu whose items perform actions.
@safe
public final class Menu {
    let pointer: OpaquePointer

    /// Makes an empty menu.
    public init() {
        guard let pointer = unsafe g_menu_new() else { preconditionFailure("GTK made no menu") }
        unsafe self.pointer = pointer
    }

    deinit { unsafe g_object_unref(UnsafeMutableRawPointer(pointer)) }

    var model: UnsafeMutablePointer<GMenuModel> { unsafe UnsafeMutablePointer(pointer) }

    /// Removes all items.
    public func removeAll() { unsafe g_menu_remove_all(pointer) }

    /// Adds an item.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - action: The action with its scope, such as `win.copy`.
    public func append(_ title: String, action: String) { unsafe g_menu_append(pointer, title, action) }

    /// Adds the items of another menu as a group.
    public func append(section: Menu) { unsafe g_menu_append_section(pointer, nil, section.model) }

    /// Adds another menu below a title.
    public func append(_ title: String, submenu: Menu) { unsafe g_menu_append_submenu(pointer, title, submenu.model) }
}

/// A bar with the titles of menus.
public final class MenuBar: Widget {
    /// Makes a bar from the submenus of a menu.
    public init(_ menu: Menu) { unsafe super.init(made: gtk_popover_menu_bar_new_from_model(menu.model)) }
}

/// The commands of a window as actions: keys, menus and buttons perform them on an `EditCenter`, and show their state.
public final class EditActions {
    private let center: EditCenter
    private let commands: [[EditCommand]]
    private var actions: [EditCommand: Action] = [:]
    private var titles: [String] = []
    private var buttons: [(EditCommand, Button)] = []
    private var observation: EditCenter.Observation?
    /// The menu of the commands, in groups. Its titles follow the states.
    public let menu = Menu()

    /// Makes actions for commands.
    ///
    /// - Parameters:
    ///   - center: The center of the window.
    ///   - window: The window; the actions have its scope, `win`.
    ///   - application: The program, which maps keys to the actions.
    ///   - commands: The commands, in groups.
    public init(center: EditCenter, window: Window, application: Application, commands: [[EditCommand]]) {
        self.center = center
        self.commands = commands
        for command in commands.joined() {
            actions[command] = window.addAction(Self.name(of: command)) { [weak center] in center?.perform(command) }
            let keys = command.keys.filter { !$0.isMouseButton }.map(Self.accelerator)
            application.setKeys(keys, for: Self.action(of: command))
        }
        // All changes of an event are shown in one update.
        center.scheduleUpdate = { update in MainLoop.whenIdle(update) }
        observation = center.observe { [weak self] in self?.update() }
        update()
    }

    /// The action of a command, with its scope.
    public static func action(of command: EditCommand) -> String { "win." + name(of: command) }

    private static func name(of command: EditCommand) -> String {
        String(command.identifier.map { $0 == "." ? "-" : $0 })
    }

    /// Returns a key in GTK's notation.
    static func accelerator(_ key: KeyEquivalent) -> String {
        var text = ""
        if key.modifiers.contains(.control) { text += "<Control>" }
        if key.modifiers.contains(.shift) { text += "<Shift>" }
        if key.modifiers.contains(.alt) { text += "<Alt>" }
        return text + key.key
    }

    private func update() {
        let states = commands.map { $0.map { ($0, center.state(of: $0)) } }
        for (command, state) in states.joined() where actions[command]?.isEnabled != state.isEnabled {
            actions[command]?.isEnabled = state.isEnabled
        }
        let titles = states.joined().map(\.1.title)
        if titles != self.titles {
            self.titles = titles
            menu.removeAll()
            for group in states {
                let section = Menu()
                for (command, state) in group { section.append(state.title, action: Self.action(of: command)) }
                menu.append(section: section)
            }
        }
        for (command, button) in buttons { button.setTitle(center.state(of: command).title) }
    }

    /// The keys of the commands that have keys, with the titles that the commands have now.
    public var keys: [KeysWindow.Line] {
        commands.joined().compactMap { command in
            command.keys.first { !$0.isMouseButton }
                .map { (Self.accelerator($0), center.state(of: command).title) }
        }
    }

    /// Makes a button for a command, with the command's current name and state.
    public func makeButton(for command: EditCommand, icon: String) -> Button {
        let button = Button(icon: icon, title: center.state(of: command).title)
        button.setFocusable(false)
        button.setAction(Self.action(of: command))
        buttons.append((command, button))
        return button
    }
}

/// An `EditMenu` as a popover beside the selection.
public final class EditMenuPopover: EditMenuPresenter {
    private unowned let anchor: Widget
    private var popover: Popover?
    private var actions: [Action] = []
    /// Called when the user has closed the menu.
    public var onClose: (() -> Void)?

    /// Makes a presenter.
    ///
    /// - Parameter anchor: The widget whose coordinates the menu's place uses.
    public init(anchor: Widget) { self.anchor = anchor }

    /// Shows the items.
    public func show(_ items: [[EditMenu.Item]], at rectangle: EditRectangle) {
        hide()
        let popover = Popover(menuOf: Menu())
        self.popover = popover
        fill(popover, items)
        popover.onClose = { [weak self, weak popover] in
            // The action of an item runs after the menu has closed.
            MainLoop.whenIdle { popover?.detach() }
            guard let self, self.popover === popover else { return }
            self.popover = nil
            onClose?()
        }
        popover.show(on: anchor, at: rectangle)
    }

    /// Replaces the items.
    public func update(_ items: [[EditMenu.Item]]) {
        if let popover { fill(popover, items) }
    }

    /// Closes the menu.
    public func hide() {
        let former = popover
        popover = nil
        former?.close()
    }

    private func fill(_ popover: Popover, _ items: [[EditMenu.Item]]) {
        let menu = Menu()
        var actions: [Action] = []
        for group in items {
            let section = Menu()
            for item in group {
                let action = Action("item-\(actions.count)")
                action.isEnabled = item.isEnabled
                action.onActivate = { item.perform() }
                section.append(item.title, action: "menu.\(action.name)")
                actions.append(action)
            }
            menu.append(section: section)
        }
        self.actions = actions
        popover.setMenu(menu, actions)
    }
}
