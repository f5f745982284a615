import CX11
import Glibc
import Synchronization

/// Xlib has one function for the whole process that it calls when a connection to a server is lost (XSetIOErrorHandler), and
/// most that programs set end the program. Ours does nothing for our displays, and hands the loss of any other to the
/// handler that was there before it.
///
/// A program may set its handler after us. ``takePrecedence()``, called whenever the display's thread begins to work, then
/// sets another one of ours above it. Each of ours leads to the one that it was set above, so that all of them stay in
/// their order, and a program that goes back to the handler it replaced takes what is above it out of use.
enum LossHandlers {
    private typealias Handler = @convention(c) (OpaquePointer?) -> Int32

    /// Above so many handlers of the program's none of ours is set any more: the program's then hears of our displays too.
    private static let limit = 8

    /// Functions that do the same and are not the same, as Xlib passes nothing to tell them apart by.
    private static let ours: [Handler] = unsafe [
        { unsafe LossHandlers.handle($0, at: 0) }, { unsafe LossHandlers.handle($0, at: 1) },
        { unsafe LossHandlers.handle($0, at: 2) }, { unsafe LossHandlers.handle($0, at: 3) },
        { unsafe LossHandlers.handle($0, at: 4) }, { unsafe LossHandlers.handle($0, at: 5) },
        { unsafe LossHandlers.handle($0, at: 6) }, { unsafe LossHandlers.handle($0, at: 7) },
    ]

    @safe private struct Chain {
        /// What each of ours was set above; a function pointer cannot be checked, but is only called. Those beyond
        /// `count` were replaced by the program, which may still go back to them.
        @safe var below = unsafe [Handler?](repeating: nil, count: LossHandlers.limit)
        var count = 0
    }

    private static let chain = Mutex(Chain())

    /// Set where the process is a program's that must not end by our doing.
    static let isGuest = Atomic(false)
    /// The threads that are opening a display of ours; it is not known by its address yet.
    private static let opening = Mutex<[pthread_t]>([])

    /// Opens a display. Once a server has let us in, Xlib asks it a few things more, and one that goes away then ends the
    /// process, whatever the handler returns: what else could be called is set by display, and ours is not there yet. So as
    /// a guest the handler does not return. The thread stands still as if the server did not answer, which it may do at any
    /// other moment too.
    static func opening(_ open: () -> OpaquePointer?) -> OpaquePointer? {
        guard isGuest.load(ordering: .relaxed) else { return unsafe open() }
        takePrecedence()
        let thread = pthread_self()
        opening.withLock { $0.append(thread) }
        defer { opening.withLock { $0.removeAll { pthread_equal($0, thread) != 0 } } }
        return unsafe open()
    }

    /// Sees to it that the loss of a display of ours does not reach a handler that the program has set meanwhile.
    static func takePrecedence() {
        chain.withLock { chain in
            // Only by setting one is it told which there was.
            let present = unsafe XSetIOErrorHandler(ours[max(chain.count - 1, 0)])
            if let index = unsafe index(of: present) {
                guard index != chain.count - 1 else { return }
                // The program went back to it.
                chain.count = index + 1
                _ = unsafe XSetIOErrorHandler(ours[index])
            } else if chain.count < limit {
                unsafe chain.below[chain.count] = present
                _ = unsafe XSetIOErrorHandler(ours[chain.count])
                chain.count += 1
            } else {
                _ = unsafe XSetIOErrorHandler(present)
            }
        }
    }

    private static func index(of handler: Handler?) -> Int? {
        let address = unsafe unsafeBitCast(handler, to: UInt.self)
        return unsafe ours.firstIndex { unsafe unsafeBitCast($0, to: UInt.self) == address }
    }

    private static func handle(_ display: OpaquePointer?, at index: Int) -> Int32 {
        if unsafe ErrorHandlers.trap(for: display) != nil { return 0 }
        let thread = pthread_self()
        if opening.withLock({ $0.contains { pthread_equal($0, thread) != 0 } }) {
            while true { pause() }
        }
        let below = unsafe chain.withLock { unsafe $0.below[index] }
        return unsafe below?(display) ?? 0
    }
}
