import Bridge
import BridgeServer
import LinuxSystem
import Logging
import SystemPackage

/// The bridge as a process of its own: its signals, its limits, its log, and its notices to the program that started
/// the bridge.
final class BridgeProcess {
    private let core: BridgeCore
    private let notice: ReadyNotice
    private let manager: ServiceManager
    private let signals: SignalDescriptor
    private let logger: Logger
    /// The attributes that the bridge inherited from the program that started it, and could not reset.
    private let inherited: [String]
    /// True for a bridge that was started on demand, whose standard error is not shown to the user.
    private let logsToFile: Bool
    /// The standard descriptors that were a terminal at the start.
    private let terminals: [FileDescriptor]

    private static let descriptorLimit: UInt = 16_384

    /// Configures the process. Call this before it has other threads.
    ///
    /// - Parameters:
    ///   - readyDescriptor: The pipe for a notice to the program that started the bridge; see ``ReadyNotice``. A bridge
    ///     with such a pipe does not keep the program's limits; see ``InheritedAttributes``.
    ///   - manager: The service manager that may have started the bridge, which is notified too.
    init(
        _ options: BridgeOptions, readyDescriptor: Int32? = nil, manager: ServiceManager,
        environment: [String: String], logger: Logger
    ) throws(BridgeFailure) {
        self.manager = manager
        notice = ReadyNotice(readyDescriptor)
        logsToFile = readyDescriptor != nil
        self.logger = logger
        terminals = [.standardInput, .standardError].filter(StandardDescriptors.isTerminal)
        ResidentMemory.limitFreedMemory()
        SecretProtection.enable()
        Signal.ignore(.brokenPipe)
        // A write beyond the limit on file sizes then fails instead, and the client gets the error.
        Signal.ignore(.fileTooLarge)
        var options = options
        inherited = logsToFile ? InheritedAttributes.reset() : []
        options.inherited = inherited
        DescriptorLimit.raise(to: Self.descriptorLimit)
        DescriptorReserve.enable()
        do {
            signals = try SignalDescriptor([.terminate, .interrupt, .hangup])
            core = try BridgeCore(options, environment: environment, logger: logger)
        } catch {
            let failure = error as? BridgeFailure ?? BridgeFailure(.unavailable, "\(error)")
            if case .locked = failure.reason { notice.sendBusy() }
            notice.sendFailure(failure)
            throw failure
        }
    }

    /// Serves until the bridge is stopped.
    func run() throws(BridgeFailure) {
        do throws(BridgeFailure) {
            if logsToFile { try? StandardDescriptors.writeError(toFile: core.logPath) }
            if !inherited.isEmpty {
                let list = inherited.joined(separator: ", ")
                logger.warning("the program that started this bridge left it \(list), which cannot be reset")
            }
            core.watch(signals.fileDescriptor) { [unowned self] in
                while let (signal, isFromKernel) = signals.nextWithOrigin() {
                    handle(signal, isFromKernel: isFromKernel)
                }
            }
            core.onIdle = ResidentMemory.releaseUnused
            core.onLeave = { [manager] in manager.notify("STOPPING=1") }
            try core.run { [notice, manager] in
                notice.sendReady()
                manager.notify("READY=1")
            }
        } catch {
            notice.sendFailure(error)
            throw error
        }
    }

    /// Handles a signal. A hangup reloads the settings, as it does in other services, unless the terminal that the
    /// bridge runs on has hung up: then the signal comes from the kernel, or from the shell when the terminal is gone.
    private func handle(_ signal: Signal, isFromKernel: Bool) {
        if signal == .hangup, !isFromKernel, terminals.allSatisfy(StandardDescriptors.isTerminal) {
            return core.reload()
        }
        logger.notice("ending on signal \(signal)")
        core.leave()
    }
}

/// The notice to the program that started the bridge, one line on a pipe: `ready`, `busy` if another bridge has the
/// lock, `served PROCESS MESSAGE` if another bridge serves the display, or `error STATUS MESSAGE`. A pipe that ends
/// without a line means that the bridge died.
final class ReadyNotice {
    private var descriptor: Descriptor?

    init(_ number: Int32?) {
        descriptor = number.map { Descriptor(adopting: FileDescriptor(rawValue: $0)) }
    }

    func sendReady() { send("ready") }

    func sendBusy() { send("busy") }

    func sendFailure(_ failure: BridgeFailure) {
        if case .served(let process?) = failure.reason { return send("served \(process) \(failure.description)") }
        send("error \(failure.status) \(failure.description)")
    }

    /// Sends the first line, and closes the pipe. Further lines are not sent.
    private func send(_ line: String) {
        guard let descriptor else { return }
        // The reader may be gone already.
        _ = try? descriptor.fileDescriptor.writeAll((line + "\n").utf8)
        self.descriptor = nil
    }
}
