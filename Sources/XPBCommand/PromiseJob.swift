import BridgeClient
import FoundationEssentials
import LinuxSystem
import PasteboardWire

/// What a ``PromiseHelper`` is to do.
struct PromiseJob: Codable {
    var parameters: Methods.Set.Parameters
    var commands: [PromisedCommand]
    /// One newline at the end of an output is left out.
    var trims: Bool
    var display: String?

    init(_ parameters: Methods.Set.Parameters, _ loaded: LoadedSources, trims: Bool, display: String?) {
        self.parameters = parameters
        commands = loaded.commands
        self.trims = trims
        self.display = display
    }

    init(encoded bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(PromiseJob.self, from: Data(bytes))
    }

    var encoded: [UInt8] {
        get throws { [UInt8](try JSONEncoder().encode(self)) }
    }
}

/// How the change went.
struct PromiseReport: Codable, Equatable {
    var counts: [Int]?
    /// Of a failure.
    var status: Int32?
    var message: String?

    init(counts: [Int]) { self.counts = counts }

    init(failure: Failure) {
        status = failure.status.rawValue
        message = failure.message
    }

    /// Nil where the bytes are no report.
    init?(_ bytes: [UInt8]) {
        guard let report = try? JSONDecoder().decode(PromiseReport.self, from: Data(bytes)) else { return nil }
        self = report
    }

    var encoded: [UInt8] { (try? JSONEncoder().encode(self)).map { [UInt8]($0) } ?? [] }
}
