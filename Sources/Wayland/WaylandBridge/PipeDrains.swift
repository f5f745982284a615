package import EventLoop
package import LinuxSystem
import SystemPackage

/// Pipes of abandoned contents, whose bytes are read and discarded.
///
/// A program that writes to a closed pipe is killed by SIGPIPE, unless it ignores that signal. wl-copy 2.1 does not
/// ignore it, so its contents would be lost.
package final class PipeDrains {
    private final class Drain {
        let pipe: Descriptor
        let end = ContinuousClock.now + maxTime
        /// The number of bytes still to be read.
        var rest: Int
        var registration: Registration?

        init(_ pipe: Descriptor, maxBytes: Int) {
            self.pipe = pipe
            rest = maxBytes
        }

        deinit { registration?.cancel() }
    }

    /// The maximum number of pipes. When another pipe is added, the oldest one is closed.
    static let maxCount = 16
    /// The time after which a pipe is closed when more bytes arrive. A silent pipe stays open until a later pipe
    /// displaces it.
    private static let maxTime = Duration.seconds(300)

    private let loop: EventLoop
    /// The limit on the bytes that are read from one pipe, for a program that writes forever.
    private let maxBytes: Int
    /// The drains, oldest first.
    private var drains: [Drain] = []

    package init(loop: EventLoop, maxBytes: Int = 4 << 30) {
        self.loop = loop
        self.maxBytes = maxBytes
    }

    package var count: Int { drains.count }

    package func add(_ pipe: Descriptor) {
        if drains.count >= Self.maxCount { drains.removeFirst() }
        let drain = Drain(pipe, maxBytes: maxBytes)
        drain.registration = loop.add(pipe.fileDescriptor, interest: .readable) { [weak self, unowned drain] _ in
            self?.read(drain)
        }
        drains.append(drain)
    }

    func removeAll() { drains = [] }

    private func read(_ drain: Drain) {
        do throws(Errno) {
            let count = try drain.pipe.fileDescriptor.readBytes(atMost: 1 << 16).count
            drain.rest -= count
            if count > 0, drain.rest > 0, .now < drain.end { return }
        } catch .wouldBlock {
            return
        } catch {
            // The pipe cannot be read.
        }
        drains.removeAll { $0 === drain }
    }
}
