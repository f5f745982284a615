import Glibc
package import SystemPackage

/// Makes a system call that answers with a negative number and `errno` on failure, again if a signal
/// interrupted it (EINTR): no handler of ours has anything to say to the code that was interrupted.
@discardableResult
func systemCall<Result: SignedInteger>(_ call: () -> Result) throws(Errno) -> Result {
    while true {
        let result = call()
        if result >= 0 { return result }
        let error = Errno(rawValue: errno)
        if error != .interrupted { throw error }
    }
}

/// The same with a path, whose bytes count up to a NUL.
@discardableResult
func systemCall(path: [UInt8], _ call: (UnsafePointer<CChar>) -> Int32) throws(Errno) -> Int32 {
    try rethrowingErrno {
        try unsafe (path + [0]).withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { throw Errno.invalidArgument }
            return try systemCall { unsafe call(start.assumingMemoryBound(to: CChar.self)) }
        }
    }
}

/// For the functions of the pthread and posix_spawn families, which return the error itself.
func checked(_ result: Int32) throws(Errno) {
    if result != 0 { throw Errno(rawValue: result) }
}

/// For closures of the standard library, whose errors have no type: all that ours throw are `Errno`.
package func rethrowingErrno<Result>(_ body: () throws -> Result) throws(Errno) -> Result {
    do {
        return try body()
    } catch let error as Errno {
        throw error
    } catch {
        throw .ioError
    }
}

extension Errno {
    /// The call would have had to wait. EAGAIN and EWOULDBLOCK are one number on Linux.
    package var isWouldBlock: Bool { self == .wouldBlock }
}
