import CGtk

/// A closure that C code holds by a pointer, until the code calls the destroy notify.
final class ClosureBox<Body> {
    let body: Body

    init(_ body: Body) { self.body = body }

    /// Returns a pointer that owns the closure.
    static func retain(_ body: Body) -> UnsafeMutableRawPointer {
        unsafe Unmanaged.passRetained(ClosureBox(body)).toOpaque()
    }

    /// Returns the closure of a pointer; the pointer still owns the closure.
    static func body(_ pointer: UnsafeMutableRawPointer?) -> Body? {
        guard let pointer = unsafe pointer else { return nil }
        return unsafe Unmanaged<ClosureBox<Body>>.fromOpaque(pointer).takeUnretainedValue().body
    }

    /// Releases the closure of a pointer.
    static func release(_ pointer: UnsafeMutableRawPointer?) {
        guard let pointer = unsafe pointer else { return }
        unsafe Unmanaged<AnyObject>.fromOpaque(pointer).release()
    }
}

/// Connects closures to signals of GObject: one function for each handler signature.
///
/// The closure is released when the handler is disconnected or the object is finalized, so the closure must not hold
/// the object strongly.
enum Signal {
    typealias Plain = () -> Void
    typealias WithPointer = (OpaquePointer) -> Void
    typealias Deciding = () -> Bool
    typealias WithNumber = (Int) -> Void
    typealias Press = (_ count: Int, _ x: Double, _ y: Double) -> Void
    typealias Point = (_ x: Double, _ y: Double) -> Void
    typealias Key = (_ key: UInt32, _ modifiers: UInt32) -> Bool

    /// Connects a handler without arguments.
    static func connect(_ object: OpaquePointer, _ name: String, _ body: @escaping Plain) {
        let handler: @convention(c) (gpointer?, gpointer?) -> Void = { _, data in unsafe ClosureBox<Plain>.body(data)?()
        }
        unsafe connect(object, name, unsafeBitCast(handler, to: GCallback.self), ClosureBox<Plain>.retain(body))
    }

    /// Connects a handler for `notify::NAME`.
    static func connectNotify(_ object: OpaquePointer, _ property: String, _ body: @escaping Plain) {
        unsafe connectNotifyShape(object, "notify::" + property, body)
    }

    /// Connects a handler that ignores its only pointer argument.
    static func connectNotifyShape(_ object: OpaquePointer, _ name: String, _ body: @escaping Plain) {
        let handler: @convention(c) (gpointer?, gpointer?, gpointer?) -> Void = { _, _, data in
            unsafe ClosureBox<Plain>.body(data)?()
        }
        unsafe connect(object, name, unsafeBitCast(handler, to: GCallback.self), ClosureBox<Plain>.retain(body))
    }

    /// Connects a handler that takes one object or value that is not nil.
    static func connectPointer(_ object: OpaquePointer, _ name: String, _ body: @escaping WithPointer) {
        let handler: @convention(c) (gpointer?, gpointer?, gpointer?) -> Void = { _, value, data in
            guard let value = unsafe value else { return }
            unsafe ClosureBox<WithPointer>.body(data)?(OpaquePointer(value))
        }
        unsafe connect(object, name, unsafeBitCast(handler, to: GCallback.self), ClosureBox<WithPointer>.retain(body))
    }

    /// Connects a handler that returns true if it has handled the signal.
    static func connectDeciding(_ object: OpaquePointer, _ name: String, _ body: @escaping Deciding) {
        let handler: @convention(c) (gpointer?, gpointer?) -> gboolean = { _, data in
            unsafe ClosureBox<Deciding>.body(data)?() == true ? 1 : 0
        }
        unsafe connect(object, name, unsafeBitCast(handler, to: GCallback.self), ClosureBox<Deciding>.retain(body))
    }

    /// Connects a handler that takes one number.
    static func connectNumber(_ object: OpaquePointer, _ name: String, _ body: @escaping WithNumber) {
        let handler: @convention(c) (gpointer?, guint, gpointer?) -> Void = { _, number, data in
            unsafe ClosureBox<WithNumber>.body(data)?(Int(number))
        }
        unsafe connect(object, name, unsafeBitCast(handler, to: GCallback.self), ClosureBox<WithNumber>.retain(body))
    }

    /// Connects a handler that ignores the place and the length of a changed range.
    static func connectRange(_ object: OpaquePointer, _ name: String, _ body: @escaping Plain) {
        let handler: @convention(c) (gpointer?, guint, guint, gpointer?) -> Void = { _, _, _, data in
            unsafe ClosureBox<Plain>.body(data)?()
        }
        unsafe connect(object, name, unsafeBitCast(handler, to: GCallback.self), ClosureBox<Plain>.retain(body))
    }

    /// Connects a handler for clicks.
    static func connectPress(_ object: OpaquePointer, _ name: String, _ body: @escaping Press) {
        let handler: @convention(c) (gpointer?, gint, Double, Double, gpointer?) -> Void = { _, count, x, y, data in
            unsafe ClosureBox<Press>.body(data)?(Int(count), x, y)
        }
        unsafe connect(object, name, unsafeBitCast(handler, to: GCallback.self), ClosureBox<Press>.retain(body))
    }

    /// Connects a handler that takes a point or an offset.
    static func connectPoint(_ object: OpaquePointer, _ name: String, _ body: @escaping Point) {
        let handler: @convention(c) (gpointer?, Double, Double, gpointer?) -> Void = { _, x, y, data in
            unsafe ClosureBox<Point>.body(data)?(x, y)
        }
        unsafe connect(object, name, unsafeBitCast(handler, to: GCallback.self), ClosureBox<Point>.retain(body))
    }

    /// Connects a handler for key presses.
    static func connectKey(_ object: OpaquePointer, _ name: String, _ body: @escaping Key) {
        let handler: @convention(c) (gpointer?, guint, guint, GdkModifierType, gpointer?) -> gboolean = {
            _, key, _, modifiers, data in
            unsafe ClosureBox<Key>.body(data)?(key, modifiers.rawValue) == true ? 1 : 0
        }
        unsafe connect(object, name, unsafeBitCast(handler, to: GCallback.self), ClosureBox<Key>.retain(body))
    }

    /// Connects a handler of any signature, with the pointer to its closure's box.
    static func connect(
        _ object: OpaquePointer, _ name: String, _ handler: @escaping GCallback, _ box: UnsafeMutableRawPointer
    ) {
        unsafe g_signal_connect_data(
            UnsafeMutableRawPointer(object), name, handler, box,
            { data, _ in unsafe ClosureBox<Plain>.release(data) }, GConnectFlags(rawValue: 0))
    }
}
