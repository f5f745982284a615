import Glibc
package import SystemPackage

/// Makes a system call that reports failure by a negative number and `errno`. A call that a signal interrupted (EINTR)
/// is repeated, because no signal handler of this project needs to abort a call.
@discardableResult
func systemCall<Result: SignedInteger>(_ call: () -> Result) throws(Errno) -> Result {
    while true {
        let result = call()
        if result >= 0 { return result }
        let error = Errno(rawValue: errno)
        if error != .interrupted { throw error }
    }
}

/// Makes a system call with a path. The bytes of the path end at the first NUL.
@discardableResult
func systemCall(path: [UInt8], _ call: (UnsafePointer<CChar>) -> Int32) throws(Errno) -> Int32 {
    try rethrowingErrno {
        try unsafe (path + [0]).withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { throw Errno.invalidArgument }
            return try systemCall { unsafe call(start.assumingMemoryBound(to: CChar.self)) }
        }
    }
}

/// Makes a system call with two paths.
@discardableResult
func systemCall(
    paths first: [UInt8], _ second: [UInt8], _ call: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
) throws(Errno) -> Int32 {
    try rethrowingErrno {
        try unsafe (second + [0]).withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { throw Errno.invalidArgument }
            let second = unsafe start.assumingMemoryBound(to: CChar.self)
            return try unsafe systemCall(path: first) { unsafe call($0, second) }
        }
    }
}

/// Throws the error that a function of the pthread or posix_spawn families returned, if any.
func checked(_ result: Int32) throws(Errno) {
    if result != 0 { throw Errno(rawValue: result) }
}

/// Converts the untyped errors of closures passed to the standard library. All of them are `Errno` in this project.
package func rethrowingErrno<Result>(_ body: () throws -> Result) throws(Errno) -> Result {
    do {
        return try body()
    } catch let error as Errno {
        throw error
    } catch {
        throw .ioError
    }
}

/// Calls `body` with the address of a socket in the generic form that system calls take.
///
/// - Parameter length: The part of `address` that counts, in bytes; nil for all of it.
func withSocketAddress<Address>(
    _ address: Address, length: Int? = nil, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(Errno) -> Void
) throws(Errno) {
    let length = socklen_t(length ?? MemoryLayout<Address>.size)
    try rethrowingErrno {
        try unsafe withUnsafePointer(to: address) { pointer in
            try unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { try unsafe body($0, length) }
        }
    }
}

extension Errno {
    /// True if the call would have blocked. EAGAIN and EWOULDBLOCK are the same number on Linux.
    package var isWouldBlock: Bool { self == .wouldBlock }
}
