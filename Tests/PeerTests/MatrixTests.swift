import TestSupport
import Testing

extension Peers {
    @Suite("Every kind of contents, each way, with each toolkit")
    struct MatrixTests {
        @Test("What is copied is what is pasted, or it is known why not", arguments: Cell.all)
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
