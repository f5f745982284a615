import CX11
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
        let below = unsafe chain.withLock { unsafe $0.below[index] }
        return unsafe below?(display) ?? 0
    }
}
