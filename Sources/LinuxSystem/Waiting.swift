package import SystemPackage

/// Waits until there is something to read, or the end of it, or an error.
///
/// - Returns: false if there is nothing at `deadline`; without one it waits for ever.
package func waitReadable(
    _ fileDescriptor: FileDescriptor, until deadline: ContinuousClock.Instant?
) throws(Errno) -> Bool {
    try wait(for: .input, on: fileDescriptor, until: deadline)
}

/// Waits until there is room to write, or an error.
///
/// - Returns: false if there is none at `deadline`; without one it waits for ever.
package func waitWritable(
    _ fileDescriptor: FileDescriptor, until deadline: ContinuousClock.Instant?
) throws(Errno) -> Bool {
    try wait(for: .output, on: fileDescriptor, until: deadline)
}

private func wait(
    for events: PollEvents, on fileDescriptor: FileDescriptor, until deadline: ContinuousClock.Instant?
) throws(Errno) -> Bool {
    var set = PollSet()
    set.append(fileDescriptor, events)
    let isReady = try set.wait(until: deadline) > 0
    if set.result(at: 0).contains(.invalid) { throw .badFileDescriptor }
    return isReady
}
