import CommandCore
import FastPath
import LinuxSystem
import SystemPackage

/// The other program's messages for failures.
struct DropInWords {
    /// The message of the failure when no name is suitable.
    static let unavailable = "no representation will do"

    private let request: DropInRequest
    private let environment: [String: String]

    init(_ request: DropInRequest, _ environment: [String: String]) {
        self.request = request
        self.environment = environment
    }

    func report(_ failure: Failure) {
        guard let words = words(failure), !words.isEmpty else { return }
        var lines = [words]
        // The other program does not report the cause, which is added after its own words.
        if failure.status == .unavailable, !words.hasSuffix(failure.message) {
            lines.append("\(request.program.rawValue): \(failure.explained().message)")
        }
        let text = lines.map { Line.visible($0) + "\n" }.joined()
        try? FileDescriptor.standardError.writeBytes(LosslessText.bytes(of: text))
    }

    /// Returns nil for a failure that is not reported.
    func words(_ failure: Failure) -> String? {
        guard failure.status != .brokenPipe else { return nil }
        let program = request.program.rawValue
        switch (request.program, failure.status) {
        case (.xclip, .nothing): return "Error: target \(wantedTarget) not available"
        case (.xclip, .unavailable): return "Error: Can't open display: \(display)"
        case (.xsel, .unavailable): return "xsel: Can't open display: \(display)"
        case (.wlPaste, .nothing): return waylandWords(failure)
        default: return "\(program): \(failure.message)"
        }
    }

    private var display: String { request.display ?? environment["DISPLAY"] ?? "(null)" }

    /// The target that xclip itself would have requested last: after UTF8_STRING, it requests STRING.
    private var wantedTarget: String {
        for case .paste(let paste) in request.steps {
            if case .first(let names) = paste.choice, names.count == 1, names != ["UTF8_STRING"] { return names[0] }
        }
        return request.steps.contains(.listTargets(withProtocol: true)) ? "TARGETS" : "STRING"
    }

    private func waylandWords(_ failure: Failure) -> String {
        guard failure.message == Self.unavailable else { return "Nothing is copied" }
        for case .paste(let paste) in request.steps {
            guard case .wayland(let type, let inferred) = paste.choice, let name = type ?? inferred else { continue }
            let kind = type == nil ? "inferred output" : "requested"
            return "Clipboard content is not available as \(kind) type \"\(name)\""
        }
        return "Nothing is copied"
    }
}
