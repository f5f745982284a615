import SystemPackage
import TestSupport
import Testing

extension Peers {
    @Suite("Every kind of contents, in each direction, with each toolkit")
    struct MatrixTests {
        @Test("The pasted contents equal the copied contents, or the reason is known", arguments: Cell.all)
        func cell(_ cell: Cell) async throws {
            try await Matrix.shared.record(cell) {
                try await Sandbox.with { sandbox in
                    let expected = cell.expected
                    let verdict = try await cell.transfer(in: sandbox)
                    try #require(verdict.isLike(expected), "\(verdict); expected: \(expected)")
                    if let control = cell.limit?.control {
                        let verdict = try await control(sandbox)
                        try #require(verdict.isLike(expected), "without xpb: \(verdict)")
                    }
                }
            }
        }
    }
}

/// The results of all cells, and their table.
actor Matrix {
    enum Ending: Equatable {
        case worked, failed
        case limited(KnownLimit)
    }

    static let shared = Matrix()

    private var endings: [Cell: Ending] = [:]

    /// Runs the test of a cell and records its result.
    func record(_ cell: Cell, _ test: @Sendable () async throws -> Void) async throws {
        endings[cell] = .failed
        try await test()
        endings[cell] = cell.limit.map { .limited($0) } ?? .worked
    }

    /// The table with its footnotes; nil if no cell was tested.
    var table: String? { endings.isEmpty ? nil : Self.table(of: endings) }

    /// Returns the table: rows are toolkits and directions, columns are kinds. A cell that was not tested is a dot.
    static func table(of endings: [Cell: Ending]) -> String {
        var footnotes: [KnownLimit] = []
        var rows = [["", ""] + Kind.allCases.map(\.title)]
        for toolkit in Toolkit.allCases {
            for direction in Cell.Direction.allCases {
                let label = direction == .copies ? ["\(toolkit)", "→ xpb"] : ["xpb", "→ \(toolkit)"]
                let cells = Kind.allCases.map { kind in
                    text(of: endings[Cell(toolkit: toolkit, direction: direction, kind: kind)], noting: &footnotes)
                }
                rows.append(label + cells)
            }
        }
        let notes = footnotes.map { "\(mark($0, among: footnotes)) \($0.reason)" }
        return (aligned(rows) + notes).map { $0 + "\n" }.joined()
    }

    private static func text(of ending: Ending?, noting footnotes: inout [KnownLimit]) -> String {
        switch ending {
        case nil: return "·"
        case .worked: return "ok"
        case .failed: return "FAILED"
        case .limited(let limit):
            if !footnotes.contains(limit) { footnotes.append(limit) }
            return "–" + mark(limit, among: footnotes)
        }
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

/// A trait that prints the matrix after all tests of the suite.
struct PrintsMatrix: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await function()
        guard let table = await Matrix.shared.table else { return }
        // This writes immediately. print() would buffer the table until the process exits if output is not a terminal.
        try FileDescriptor.standardOutput.writeAll("\n\(table)\n".utf8)
    }
}

extension Trait where Self == PrintsMatrix {
    /// The suite prints the results of its cells.
    static var printsMatrix: Self { Self() }
}
