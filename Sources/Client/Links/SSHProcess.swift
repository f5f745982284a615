import EventLoop
import LinuxSystem
import SystemPackage

/// One run of ssh, with pipes to this process. The object lives until ssh has ended, so that the child is waited for.
final class SSHProcess {
    private let process: Int32
    private var input: Descriptor?
    private let output: LineReader
    private let errors: LineReader
    private let endDescriptor: Descriptor
    private var registration: Registration?
    private var end: SSHEnd?
    private var waiting: [PendingValue<SSHEnd>] = []

    /// Starts ssh.
    ///
    /// - Parameter onLine: Called with each line of ssh's standard output.
    init(
        _ arguments: [String], environment: [String: String], on loop: EventLoop,
        onLine: @escaping (String) -> Void = { _ in }
    ) throws(Errno) {
        let (inputEnd, input) = try Descriptor.pipe()
        let (output, outputEnd) = try Descriptor.pipe()
        let (errors, errorsEnd) = try Descriptor.pipe()
        process = try ChildProcess.spawn(
            command: ["ssh"] + arguments, environment: environment,
            standardInput: inputEnd.fileDescriptor, standardOutput: outputEnd.fileDescriptor,
            standardError: errorsEnd.fileDescriptor)
        self.input = input
        self.output = LineReader(output, on: loop, onLine: onLine)
        self.errors = LineReader(errors, on: loop)
        endDescriptor = try ChildProcess.terminationDescriptor(of: process)
        registration = loop.add(endDescriptor.fileDescriptor, interest: .readable) { _ in self.didEnd() }
    }

    private func didEnd() {
        registration?.cancel()
        registration = nil
        let termination = try? ChildProcess.wait(for: process)
        // The pipes may still hold the last lines of ssh.
        output.readRest()
        errors.readRest()
        var status: Int32 = 255
        if case .exited(let code)? = termination { status = code }
        let end = SSHEnd(status: status, messages: errors.lines)
        self.end = end
        for waiter in waiting { waiter.deliver(end) }
        waiting = []
    }

    /// Waits for the end of ssh. Several tasks may wait.
    func ended() async -> SSHEnd {
        if let end { return end }
        let waiter = PendingValue<SSHEnd>()
        waiting.append(waiter)
        return await waiter.get()
    }

    /// Ends ssh: its command sees the end of its standard input, and ssh gets a signal.
    func close() {
        input = nil
        if end == nil { ChildProcess.send(.terminate, to: process) }
    }
}

/// The end of ssh.
package struct SSHEnd: Equatable, Sendable {
    /// The exit status of the command on the other machine, or 255 for an error of ssh.
    package let status: Int32
    /// The last lines of standard error.
    package let messages: [String]

    package init(status: Int32, messages: [String]) {
        self.status = status
        self.messages = messages
    }
}
