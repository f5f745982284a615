/// A menu of commands beside the selection.
///
/// ```swift
/// let menu = EditMenu(center: center, presenter: popover)
/// menu.customItems = [.rotate]
/// menu.show(at: EditRectangle(x: 40, y: 30, width: 64, height: 64))
/// ```
///
/// The menu asks the chain of the first responder which commands apply, and a presenter draws them. While the menu is
/// visible, its items follow the states of the commands.
///
/// An item performs its command on the context for which it was shown. If that context was released or can no longer
/// perform the command, nothing happens: the command never reaches a different context.
///
/// Source: `UIMenuController` and `UIEditMenuInteraction`.
public final class EditMenu {
    /// An item of the menu.
    public struct Item {
        /// The command.
        public let command: EditCommand
        /// The title, such as "Undo Move Tile".
        public let title: String
        /// True if the item can be chosen; false if it is dimmed.
        public let isEnabled: Bool

        fileprivate let target: CommandTarget?
        fileprivate weak var menu: EditMenu?

        /// Closes the menu and performs the command, even if the menu has been closed already.
        ///
        /// - Parameter sender: The object that gives the command; contexts receive it.
        /// - Returns: False if the command can no longer be performed.
        @discardableResult
        public func perform(sender: Any? = nil) -> Bool {
            guard let target, let menu else { return false }
            menu.hide()
            return menu.center.perform(command, sender: sender, on: target, isFound: false)
        }

        fileprivate func isSame(as other: Item) -> Bool {
            guard command == other.command, title == other.title, isEnabled == other.isEnabled else { return false }
            guard let target, let otherTarget = other.target else { return target == nil && other.target == nil }
            return target.isSame(as: otherTarget)
        }
    }

    /// An event in the life of a menu.
    ///
    /// Source: `UIMenuController.willShowMenuNotification` and its other notifications.
    public enum Event: Hashable, Sendable {
        /// The menu is about to be shown. The commands can still be changed, and ``EditMenu/hide()`` cancels the menu.
        case willShow
        /// The menu was shown.
        case didShow
        /// The items of the visible menu have changed.
        case didUpdate
        /// The menu is about to be closed.
        case willHide
        /// The menu was closed.
        case didHide
    }

    /// The rule for commands that cannot be performed.
    public enum UnavailableItems: Hashable, Sendable {
        /// The commands are shown dimmed, as in desktop menus (NSMenu).
        case dimmed
        /// The commands are left out, as in touch screen menus (UIMenuController).
        case omitted
    }

    /// The rule for a change of the first responder while the menu is visible.
    public enum FocusChange: Hashable, Sendable {
        /// The items become those of the new first responder.
        case update
        /// The menu is closed.
        case hide
    }

    let center: EditCenter
    private let presenter: any EditMenuPresenter

    /// The standard commands of the menu, in groups. The default is undo and redo; cut, copy, paste and delete; select
    /// all.
    public var commands: [[EditCommand]] = [[.undo, .redo], [.cut, .copy, .paste, .delete], [.selectAll]] {
        didSet { update() }
    }

    /// The program's own commands, in a group after the standard commands. ``unavailableItems`` applies to both.
    ///
    /// Source: `UIMenuController.menuItems`.
    public var customItems: [EditCommand] = [] {
        didSet { update() }
    }

    /// The rule for commands that cannot be performed; by default they are dimmed.
    public var unavailableItems = UnavailableItems.dimmed {
        didSet { update() }
    }

    /// The rule for a change of the first responder while the menu is visible; by default the items are updated. Many
    /// toolkits give the focus to an open menu; a host should then keep the first responder.
    public var focusChange = FocusChange.update

    /// Called with each event.
    public var onEvent: ((Event) -> Void)?

    /// True while the presenter shows the menu.
    public var isVisible: Bool { shown != nil }

    /// The items and the first responder for which the menu is visible.
    private struct Shown {
        var items: [[Item]]
        weak var responder: (any EditingContext)?
        var hasResponder: Bool
        let observation: EditCenter.Observation
    }

    private var shown: Shown?
    /// The number of calls that showed or hid the menu, for detecting such calls from within ``onEvent``.
    private var calls = 0

    /// Creates a menu that is not visible.
    ///
    /// - Parameters:
    ///   - center: The center of the window.
    ///   - presenter: The toolkit's menu. This object keeps it alive, so it should refer to this object weakly, if at
    ///     all.
    public init(center: EditCenter, presenter: any EditMenuPresenter) {
        self.center = center
        self.presenter = presenter
    }

    /// Shows the menu. A visible menu is closed, and shown again at the new place.
    ///
    /// - Parameter rectangle: The place of the selection.
    /// - Returns: False if there are no items.
    ///
    /// Source: `UIMenuController.showMenu(from:rect:)`.
    @discardableResult
    public func show(at rectangle: EditRectangle) -> Bool {
        hide()
        calls += 1
        let call = calls
        guard !items().isEmpty else { return false }
        onEvent?(.willShow)
        let items = items()
        guard calls == call, !items.isEmpty else { return false }
        let responder = center.firstResponder
        shown = Shown(
            items: items, responder: responder, hasResponder: responder != nil,
            observation: center.observe { [weak self] in self?.update() })
        presenter.show(items, at: rectangle)
        if calls == call { onEvent?(.didShow) }
        return calls == call
    }

    /// Closes the menu, or does nothing if it is not visible.
    ///
    /// Source: `UIMenuController.hideMenu()`.
    public func hide() {
        calls += 1
        guard let former = shown else { return }
        shown = nil
        former.observation.cancel()
        onEvent?(.willHide)
        // The receiver of the event may have shown the menu again.
        guard shown == nil else { return }
        presenter.hide()
        onEvent?(.didHide)
    }

    /// Asks the chain again, and updates the menu if an item has changed. Does nothing if the menu is not visible. The
    /// menu calls this method itself when ``EditCenter`` notifies its observers.
    ///
    /// Source: `UIMenuController.update()`.
    public func update() {
        guard let current = shown else { return }
        let responder = center.firstResponder
        let hasMoved = responder !== current.responder || current.hasResponder != (responder != nil)
        if hasMoved, focusChange == .hide { return hide() }
        let items = items()
        if items.isEmpty { return hide() }
        shown?.responder = responder
        shown?.hasResponder = responder != nil
        guard !Self.isSame(items, current.items) else { return }
        shown?.items = items
        presenter.update(items)
        onEvent?(.didUpdate)
    }

    /// Returns the items that apply, without empty groups.
    private func items() -> [[Item]] {
        (commands + [customItems]).map { group in
            group.compactMap { command in
                let target = center.commandTarget(of: command, sender: nil)
                let state = center.state(of: command, target: target)
                guard state.isEnabled || unavailableItems == .dimmed else { return nil }
                return Item(
                    command: command, title: state.title, isEnabled: state.isEnabled, target: target, menu: self)
            }
        }.filter { !$0.isEmpty }
    }

    private static func isSame(_ items: [[Item]], _ others: [[Item]]) -> Bool {
        items.elementsEqual(others) { $0.elementsEqual($1) { $0.isSame(as: $1) } }
    }
}
