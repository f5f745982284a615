import ArgumentParser
import BridgeClient
import FoundationEssentials
import PasteboardWire

/// `xpb owner`.
struct OwnerCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "owner", abstract: "Tell who owns the contents: window, process, program, and since when.")

    @OptionGroup var common: CommonFlags

    func perform(in session: Session) throws {
        let pasteboard = try session.pasteboard()
        let owner = try session.connect().call(Methods.GetOwner.self, .init(pasteboard: pasteboard)).reply.owner
        guard owner.kind != .none else { throw Failure(.nothing, "nobody owns the pasteboard \(pasteboard)") }
        if session.common.json {
            try session.output.write(json: OwnerJSON(pasteboard: pasteboard, owner: owner))
        } else {
            try session.output.write(keys: [
                ("owner", owner.kind.rawValue), ("window", owner.window.map { "0x" + String($0, radix: 16) }),
                ("process", owner.process.map(String.init)), ("program", owner.program),
                ("ended", owner.ended.map(WireOwner.text)),
                ("since", owner.since.map(Moment.text)),
            ])
        }
    }
}

/// What `owner --json` writes.
private struct OwnerJSON: Encodable {
    let pasteboard: String
    let owner: WireOwner
}

/// Points in time, as the wire has them.
enum Moment {
    /// - Parameter milliseconds: Of the Unix epoch.
    /// - Returns: ISO 8601, to the second, in UTC.
    static func text(_ milliseconds: Int) -> String {
        Date(timeIntervalSince1970: Double(milliseconds / 1000)).formatted(.iso8601)
    }
}

extension StandardOutput {
    /// `key: value` a line; what has no value is left out.
    func write(keys: [(String, String?)]) throws(Failure) {
        try write(rows: keys.compactMap { key, value in value.map { ["\(key): \($0)"] } })
    }
}
