import ArgumentParser
import LinuxSystem
import SystemPackage

/// The entries of the history that a command is about: from its arguments, else from standard input.
struct EntryIDs: ParsableArguments {
    @Argument(help: ArgumentHelp("Entries, as 'xpb history' lists them (default: read from stdin).", valueName: "ID"))
    var given: [String] = []

    /// One at least, each once, in order.
    ///
    /// - Throws: status 2 for what is no ID, and where a terminal would have to be read; status 1, without a message,
    ///   where nothing comes: nothing was chosen.
    func all(console: Console, standardInput: FileDescriptor = .standardInput) throws(Failure) -> [Int] {
        guard given.isEmpty else { return try Self.numbers(given) }
        guard !StandardDescriptors.isTerminal(standardInput) else {
            throw .usage("name an entry by its ID; xpb history lists them")
        }
        let fields = Self.firstColumns(of: try Self.read(standardInput))
        guard !fields.isEmpty else {
            console.detail("nothing was chosen")
            throw Failure(.nothing, "")
        }
        return try Self.numbers(fields)
    }

    /// For a command about one entry.
    func one(console: Console, standardInput: FileDescriptor = .standardInput) throws(Failure) -> Int {
        let all = try all(console: console, standardInput: standardInput)
        guard all.count == 1 else { throw .usage("only one entry can be named here, and there are \(all.count)") }
        return all[0]
    }

    static func numbers(_ fields: [String]) throws(Failure) -> [Int] {
        var numbers: [Int] = []
        var seen: Set<Int> = []
        for field in fields {
            guard field.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = Int(field) else {
                throw .usage("'\(field)' is no ID of an entry; xpb history lists them in its first column")
            }
            if seen.insert(number).inserted { numbers.append(number) }
        }
        return numbers
    }

    /// Of lines, or of what NULs end, as `xpb history -0` writes them. Empty ones do not count.
    static func firstColumns(of input: [UInt8]) -> [String] {
        let end: UInt8 = input.contains(0) ? 0 : 0x0A
        return input.split(separator: end).compactMap { line in
            let field = line.drop { $0 == 0x20 }.prefix { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }
            let isBlank = line.allSatisfy { [0x09, 0x0A, 0x0D, 0x20].contains($0) }
            return isBlank ? nil : String(decoding: field, as: UTF8.self)
        }
    }

    private static func read(_ input: FileDescriptor) throws(Failure) -> [UInt8] {
        // More entries than there can be have shorter lines.
        let limit = 64 << 20
        var bytes: [UInt8] = []
        do {
            while bytes.count <= limit {
                let piece = try input.readBytes(atMost: 65_536)
                if piece.isEmpty { return bytes }
                bytes += piece
            }
        } catch {
            throw Failure(.broken, "standard input cannot be read to its end: \(error); nothing was changed")
        }
        throw .usage("standard input has more than \(limit) bytes; it is to have entries, one a line")
    }
}
