package import LinuxSystem
package import Logging
import SystemPackage

/// The bridge as a process of its own: its signals, its limits, its log, and word to the program that started it.
package final class BridgeProcess {
    private let core: BridgeCore
    private let notice: ReadyNotice
    private let manager: ServiceManager
    private let signals: SignalDescriptor
    private let logger: Logger
    /// Nobody sees the standard error of a bridge that was started on demand.
    private let logsToFile: Bool
    /// Those standard descriptors that were a terminal at the start.
    private let terminals: [FileDescriptor]

    private static let descriptors: UInt = 16_384

    /// Takes the process over: to be called before it has other threads.
    ///
    /// - Parameters:
    ///   - readyDescriptor: Where to tell the program that started the bridge how that went; see ``ReadyNotice``.
    ///   - manager: The service manager that may have started it, which is told the same.
    package init(
        _ options: BridgeOptions, readyDescriptor: Int32? = nil, manager: ServiceManager,
        environment: [String: String], logger: Logger
    ) throws(BridgeFailure) {
        self.manager = manager
        notice = ReadyNotice(readyDescriptor)
        logsToFile = readyDescriptor != nil
        self.logger = logger
        terminals = [.standardInput, .standardError].filter(StandardDescriptors.isTerminal)
        ResidentMemory.boundFree()
        Signal.ignore(.brokenPipe)
        // The write fails, and whose it is is told so.
        Signal.ignore(.fileTooLarge)
        DescriptorLimit.raise(to: Self.descriptors)
        DescriptorReserve.keep()
        do {
            signals = try SignalDescriptor([.terminate, .interrupt, .hangup])
            core = try BridgeCore(options, environment: environment, logger: logger)
        } catch {
            let failure = error as? BridgeFailure ?? BridgeFailure(.unavailable, "\(error)")
            if case .locked = failure.reason { notice.busy() }
            notice.failed(failure)
            throw failure
        }
    }

    /// Serves until it is told to end.
    package func run() throws(BridgeFailure) {
        do throws(BridgeFailure) {
            if logsToFile { try? StandardDescriptors.writeError(toFile: core.logPath) }
            core.watch(signals.fileDescriptor) { [unowned self] in
                while let (signal, isFromKernel) = signals.nextWithOrigin() {
                    take(signal, isFromKernel: isFromKernel)
                }
            }
            core.onIdle = ResidentMemory.giveBack
            core.onLeave = { [manager] in manager.tell("STOPPING=1") }
            try core.run { [notice, manager] in
                notice.ready()
                manager.tell("READY=1")
            }
        } catch {
            notice.failed(error)
            throw error
        }
    }

    /// A hangup reads the settings again, as services do, unless it is the terminal's that the bridge runs on: the
    /// kernel tells of that, or the shell, and then the terminal is none any more.
    private func take(_ signal: Signal, isFromKernel: Bool) {
        if signal == .hangup, !isFromKernel, terminals.allSatisfy(StandardDescriptors.isTerminal) {
            return core.reload()
        }
        logger.notice("ending on signal \(signal)")
        core.leave()
    }
}
