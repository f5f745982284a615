import CX11
import Glibc
import Synchronization

/// Handlers of lost connections. Xlib calls one function in the whole process when a connection to a server is lost
/// (XSetIOErrorHandler), and the functions that programs set usually exit. The function set here ignores the bridge's
/// displays, and forwards the loss of any other display to the handler that was set before.
///
/// A program may set its own handler later. ``takePrecedence()``, called whenever the display's thread starts to work,
/// then sets another one of these functions on top. Each function forwards to the handler that it replaced, so the
/// handlers stay in order, and a program that restores a handler it replaced bypasses everything set after that.
enum LossHandlers {
    private typealias Handler = @convention(c) (OpaquePointer?) -> Int32

    /// The limit on the program's handlers that are covered. Above this number, the program's handler is also called
    /// for the bridge's displays.
    private static let limit = 8

    /// Identical functions with different addresses, because Xlib passes no context to distinguish them.
    private static let handlers: [Handler] = unsafe [
        { unsafe LossHandlers.handle($0, at: 0) }, { unsafe LossHandlers.handle($0, at: 1) },
        { unsafe LossHandlers.handle($0, at: 2) }, { unsafe LossHandlers.handle($0, at: 3) },
        { unsafe LossHandlers.handle($0, at: 4) }, { unsafe LossHandlers.handle($0, at: 5) },
        { unsafe LossHandlers.handle($0, at: 6) }, { unsafe LossHandlers.handle($0, at: 7) },
    ]

    @safe private struct Chain {
        /// The handler that each function replaced. Function pointers are only called here, never inspected. Entries
        /// from `count` on were replaced by the program, which may still restore them.
        @safe var replaced = unsafe [Handler?](repeating: nil, count: LossHandlers.limit)
        var count = 0
    }

    private static let chain = Mutex(Chain())

    /// True if the process belongs to another program, which the bridge must not end.
    static let isEmbedded = Atomic(false)
    /// The threads that are opening a display of the bridge, whose address is not known yet.
    private static let opening = Mutex<[pthread_t]>([])

    /// Opens a display. After a server has accepted the connection, Xlib sends a few more requests. If the server
    /// disappears at that point, Xlib ends the process whatever the handler returns: the alternative exit handler is
    /// set per display, and there is no display yet. In a process of another program, the handler therefore never
    /// returns. The thread hangs as if the server did not respond, which can happen at any other time too.
    static func opening(_ open: () -> OpaquePointer?) -> OpaquePointer? {
        guard isEmbedded.load(ordering: .relaxed) else { return unsafe open() }
        takePrecedence()
        let thread = pthread_self()
        opening.withLock { $0.append(thread) }
        defer { opening.withLock { $0.removeAll { pthread_equal($0, thread) != 0 } } }
        return unsafe open()
    }

    /// Prevents the loss of the bridge's displays from reaching a handler that the program has set since.
    static func takePrecedence() {
        chain.withLock { chain in
            // Xlib returns the current handler only when a new one is set.
            let present = unsafe XSetIOErrorHandler(handlers[max(chain.count - 1, 0)])
            if let index = unsafe index(of: present) {
                guard index != chain.count - 1 else { return }
                // The program has restored this handler.
                chain.count = index + 1
                _ = unsafe XSetIOErrorHandler(handlers[index])
            } else if chain.count < limit {
                unsafe chain.replaced[chain.count] = present
                _ = unsafe XSetIOErrorHandler(handlers[chain.count])
                chain.count += 1
            } else {
                _ = unsafe XSetIOErrorHandler(present)
            }
        }
    }

    private static func index(of handler: Handler?) -> Int? {
        let address = unsafe unsafeBitCast(handler, to: UInt.self)
        return unsafe handlers.firstIndex { unsafe unsafeBitCast($0, to: UInt.self) == address }
    }

    private static func handle(_ display: OpaquePointer?, at index: Int) -> Int32 {
        if unsafe ErrorHandlers.trap(for: display) != nil { return 0 }
        let thread = pthread_self()
        if opening.withLock({ $0.contains { pthread_equal($0, thread) != 0 } }) {
            while true { pause() }
        }
        let replaced = unsafe chain.withLock { unsafe $0.replaced[index] }
        return unsafe replaced?(display) ?? 0
    }
}
