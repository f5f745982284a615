import SystemPackage
import TestSupport
import Testing

/// How the cells ended, and the table of it.
actor Matrix {
    enum Ending: Equatable {
        case worked, failed
        case limited(KnownLimit)
    }

    static let shared = Matrix()

    private var endings: [Cell: Ending] = [:]

    /// Runs the test of a cell and keeps how it ended.
    func record(_ cell: Cell, _ test: @Sendable () async throws -> Void) async throws {
        endings[cell] = .failed
        try await test()
        endings[cell] = cell.limit.map { .limited($0) } ?? .worked
    }

    /// The table with its footnotes; nil where no cell was tested.
    var table: String? { endings.isEmpty ? nil : Self.table(of: endings) }

    /// Rows are toolkits and directions, columns are kinds. A cell that was not tested is a dot.
    static func table(of endings: [Cell: Ending]) -> String {
        var footnotes: [KnownLimit] = []
        var rows = [["", ""] + Kind.allCases.map(\.title)]
        for toolkit in Toolkit.allCases {
            for direction in Cell.Direction.allCases {
                let label = direction == .copies ? ["\(toolkit)", "→ xpb"] : ["xpb", "→ \(toolkit)"]
                rows.append(
                    label
                        + Kind.allCases.map { kind in
                            switch endings[Cell(toolkit: toolkit, direction: direction, kind: kind)] {
                            case nil: return "·"
                            case .worked: return "ok"
                            case .failed: return "FAILED"
                            case .limited(let limit):
                                if !footnotes.contains(limit) { footnotes.append(limit) }
                                return "–" + mark(limit, among: footnotes)
                            }
                        })
            }
        }
        let notes = footnotes.map { "\(mark($0, among: footnotes)) \($0.reason)" }
        return (aligned(rows) + notes).map { $0 + "\n" }.joined()
    }

    private static func mark(_ limit: KnownLimit, among footnotes: [KnownLimit]) -> String {
        let marks = ["¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"]
        return footnotes.firstIndex(of: limit).map { marks[$0] } ?? "?"
    }

    private static func aligned(_ rows: [[String]]) -> [String] {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row.dropLast(), widths)
                .map { text, width in text + String(repeating: " ", count: width - text.count + 2) }
                .joined() + row[row.count - 1]
        }
    }
}

/// Prints the matrix when all tests of the suite have ended.
struct PrintsMatrix: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await function()
        guard let table = await Matrix.shared.table else { return }
        // At once, rather than at the end of the process, where print() would have it when output is no terminal.
        try FileDescriptor.standardOutput.writeAll("\n\(table)\n".utf8)
    }
}

extension Trait where Self == PrintsMatrix {
    /// The suite prints how the cells ended.
    static var printsMatrix: Self { Self() }
}
