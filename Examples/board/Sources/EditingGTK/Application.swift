import CGtk

/// A program with windows. In a session with a bus, a second instance activates the first instance and exits.
@safe
public final class Application {
    let pointer: UnsafeMutablePointer<GtkApplication>
    /// A closure that presents a window, called when the program starts and when another instance starts.
    public var onActivate: (() -> Void)?
    /// Called once when the last window is closed.
    public var onShutdown: (() -> Void)?

    /// Makes a program.
    ///
    /// - Parameters:
    ///   - identifier: The program's name in reverse-DNS notation, such as `org.example.program`.
    ///   - isUnique: False if the program may run several times at once.
    public init(identifier: String, isUnique: Bool = true) {
        let flags = isUnique ? GApplicationFlags(rawValue: 0) : G_APPLICATION_NON_UNIQUE
        guard let pointer = unsafe gtk_application_new(identifier, flags) else {
            preconditionFailure("'\(identifier)' is not a valid name of an application")
        }
        unsafe self.pointer = pointer
        unsafe Signal.connect(opaque, "activate") { [weak self] in self?.onActivate?() }
        unsafe Signal.connect(opaque, "shutdown") { [weak self] in self?.onShutdown?() }
    }

    deinit { unsafe g_object_unref(pointer) }

    var opaque: OpaquePointer { unsafe OpaquePointer(pointer) }
    private var application: UnsafeMutablePointer<GApplication> {
        unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GApplication.self)
    }

    /// Lets GTK draw with the processor, unless the user's environment says otherwise. The drivers of a GPU take tens
    /// of megabytes of memory. Call this before anything else of GTK.
    public static func drawWithProcessor() {
        // GTK 4.14 has a variable of its own for what GDK_DEBUG does in earlier versions.
        for (name, value) in [("GSK_RENDERER", "cairo"), ("GDK_DEBUG", "gl-disable"), ("GDK_DISABLE", "gl,vulkan")] {
            unsafe _ = g_setenv(name, value, 0)
        }
    }

    /// Returns true if an application can have this name.
    public static func isValid(identifier: String) -> Bool { unsafe g_application_id_is_valid(identifier) != 0 }

    /// True if the program is already running in another process.
    public var isRemote: Bool {
        unsafe g_application_register(application, nil, nil) != 0 && g_application_get_is_remote(application) != 0
    }

    /// Runs the main loop until the last window is closed.
    ///
    /// - Returns: The exit status.
    public func run() -> Int32 { unsafe g_application_run(application, 0, nil) }

    /// Lets SIGTERM, SIGINT and SIGHUP quit the program in an orderly way, such as at the end of the session:
    /// ``onShutdown`` is called, and can keep promises and write pending changes.
    public func quitsInOrder() {
        for signal in [SIGTERM, SIGINT, SIGHUP] {
            let call: GSourceFunc = { application in
                guard let application = unsafe application else { return 0 }
                unsafe g_application_quit(application.assumingMemoryBound(to: GApplication.self))
                return 1
            }
            unsafe g_unix_signal_add(signal, call, application)
        }
    }

    /// Adds an action, which a second instance can perform in the first instance.
    public func addAction(_ name: String, _ body: @escaping () -> Void) {
        let action = Action(name)
        action.onActivate = body
        unsafe g_action_map_add_action(opaque, action.pointer)
        actions.append(action)
    }

    private var actions: [Action] = []

    /// Performs an action, in the first instance if this is a second instance.
    public func perform(_ name: String) { unsafe g_action_group_activate_action(opaque, name, nil) }

    /// Waits until the first instance has been told everything, and ends a second instance.
    public func endSecondInstance() -> Never {
        if let bus = unsafe g_application_get_dbus_connection(application) {
            unsafe _ = g_dbus_connection_flush_sync(bus, nil, nil)
        }
        exit(0)
    }

    /// Sets the keys of an action.
    ///
    /// - Parameters:
    ///   - keys: The keys in GTK's notation, such as `<Control>c`.
    ///   - action: The action with its scope, such as `win.copy`.
    public func setKeys(_ keys: [String], for action: String) {
        var strings: [UnsafePointer<CChar>?] = unsafe keys.map { unsafe UnsafePointer(g_strdup($0)) }
        unsafe strings.append(nil)
        unsafe gtk_application_set_accels_for_action(pointer, action, &strings)
        unsafe strings.forEach { string in unsafe g_free(UnsafeMutableRawPointer(mutating: string)) }
    }

    /// Adds rules to the style sheet of the display, and stops the cursors of text fields from blinking, so that a
    /// program at rest does not wake.
    public static func setUpDisplay(styles: String) {
        guard let display = unsafe gdk_display_get_default(), let provider = unsafe gtk_css_provider_new() else {
            return
        }
        let plain = "popover, popover > contents, popover > arrow { box-shadow: none; border-radius: 0; margin: 0; }"
        unsafe gtk_css_provider_load_from_data(provider, isComposited ? styles : styles + plain, -1)
        unsafe gtk_style_context_add_provider_for_display(
            display, OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
        unsafe g_object_unref(UnsafeMutableRawPointer(provider))
        guard let settings = unsafe gtk_settings_get_default() else { return }
        var value = GValue()
        unsafe g_value_init(&value, GType(5 << 2))
        unsafe g_value_set_boolean(&value, 0)
        unsafe g_object_set_property(
            UnsafeMutableRawPointer(settings).assumingMemoryBound(to: GObject.self), "gtk-cursor-blink", &value)
    }

    /// True if windows are composited. Otherwise a popover has neither a shadow nor round corners, since the display
    /// would be black around them.
    public static var isComposited: Bool {
        guard let display = unsafe gdk_display_get_default() else { return false }
        return unsafe gdk_display_is_composited(display) != 0
    }

    /// True on an X server, and false in a Wayland session, whose displays have names such as `wayland-0`.
    public static var isOnX11: Bool {
        guard let display = unsafe gdk_display_get_default(), let name = unsafe gdk_display_get_name(display) else {
            return false
        }
        return unsafe !String(cString: name).hasPrefix("wayland")
    }

    /// Plays the display's alert sound, such as for a click.
    public static func beep() {
        guard let display = unsafe gdk_display_get_default() else { return }
        unsafe gdk_display_beep(display)
    }
}

/// A named action of a window or a program: menus, buttons and keys perform it. Menu items and buttons are dimmed while
/// the action is disabled.
@safe
public final class Action {
    let pointer: OpaquePointer
    /// The name of the action, without its scope.
    public let name: String
    /// Called when the action is performed.
    public var onActivate: (() -> Void)?

    /// Makes an action that is enabled.
    public init(_ name: String) {
        guard let pointer = unsafe g_simple_action_new(name, nil) else { preconditionFailure("no action '\(name)'") }
        unsafe self.pointer = pointer
        self.name = name
        unsafe Signal.connectNotifyShape(pointer, "activate") { [weak self] in self?.onActivate?() }
    }

    deinit { unsafe g_object_unref(UnsafeMutableRawPointer(pointer)) }

    /// True if the action can be performed.
    public var isEnabled: Bool {
        get { unsafe g_action_get_enabled(pointer) != 0 }
        set { unsafe g_simple_action_set_enabled(pointer, newValue ? 1 : 0) }
    }
}

/// A window of a program.
public final class Window: Widget {
    private var actions: [String: Action] = [:]
    /// Called before the window is closed; returns false to keep it open.
    public var onClose: (() -> Bool)?
    /// Called when the keyboard focus moves to another widget of the window.
    public var onFocusChange: (() -> Void)?
    /// Called when the window becomes the active one.
    public var onBecomeActive: (() -> Void)?

    /// Makes a window that is not shown yet.
    ///
    /// - Parameters:
    ///   - application: The program, which runs as long as it has windows.
    ///   - title: The title.
    ///   - width: The initial width, in pixels.
    ///   - height: The initial height, in pixels.
    public init(_ application: Application, title: String, width: Int, height: Int) {
        unsafe super.init(made: gtk_application_window_new(application.pointer))
        unsafe gtk_window_set_title(window, title)
        unsafe gtk_window_set_default_size(window, gint(width), gint(height))
        unsafe Signal.connectDeciding(opaque, "close-request") { [weak self] in !(self?.onClose?() ?? true) }
        unsafe Signal.connectNotify(opaque, "focus-widget") { [weak self] in self?.onFocusChange?() }
        unsafe Signal.connectNotify(opaque, "is-active") { [weak self] in
            if let self, unsafe gtk_window_is_active(window) != 0 { onBecomeActive?() }
        }
    }

    var window: UnsafeMutablePointer<GtkWindow> { unsafe cast(GtkWindow.self) }

    /// Places the window above another one, which takes no input while this window is open.
    public func setModal(above other: Window) {
        unsafe gtk_window_set_transient_for(window, other.window)
        unsafe gtk_window_set_modal(window, 1)
    }

    /// Sets the contents.
    public func setContent(_ child: Widget) { unsafe gtk_window_set_child(window, child.pointer) }

    /// Sets the title.
    public func setTitle(_ title: String) { unsafe gtk_window_set_title(window, title) }

    /// Sets the icon, by its name in the theme.
    public func setIcon(_ name: String) { unsafe gtk_window_set_icon_name(window, name) }

    /// Takes the window from the screen, until ``present()``.
    public func hide() { isVisible = false }

    /// Shows the window above the others.
    public func present() { unsafe gtk_window_present(window) }

    /// Closes the window, if ``onClose`` allows it.
    public func close() { unsafe gtk_window_close(window) }

    /// Adds an action in the scope `win`.
    @discardableResult
    public func addAction(_ name: String, _ body: @escaping () -> Void) -> Action {
        let action = Action(name)
        action.onActivate = body
        unsafe g_action_map_add_action(opaque, action.pointer)
        actions[name] = action
        return action
    }
}

/// A container that shows one page at a time, with buttons that switch between pages.
public final class Pages: Widget {
    /// The buttons.
    public let switcher: Widget
    /// Called when another page is shown.
    public var onSwitch: (() -> Void)?

    /// Makes a container without pages.
    public init() {
        unsafe switcher = Widget(made: gtk_stack_switcher_new())
        unsafe super.init(made: gtk_stack_new())
        unsafe gtk_stack_switcher_set_stack(switcher.opaque, opaque)
        unsafe Signal.connectNotify(opaque, "visible-child") { [weak self] in self?.onSwitch?() }
    }

    /// Adds a page.
    public func add(_ page: Widget, name: String, title: String) {
        unsafe _ = gtk_stack_add_titled(opaque, page.pointer, name, title)
    }

    /// The name of the page that is shown.
    public var current: String {
        get {
            guard let name = unsafe gtk_stack_get_visible_child_name(opaque) else { return "" }
            return unsafe String(cString: name)
        }
        set { unsafe gtk_stack_set_visible_child_name(opaque, newValue) }
    }
}
