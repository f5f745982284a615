import TestSupport
import Testing

extension Peers {
    @Suite("Every kind of contents, each way, with each toolkit")
    struct MatrixTests {
        @Test("What is copied is what is pasted, or it is known why not", arguments: Cell.all)
        func cell(_ cell: Cell) async throws {
            try await Matrix.shared.record(cell) {
                try await Sandbox.with { sandbox in
                    let difference = try await cell.transfer(in: sandbox)
                    guard let limit = cell.limit else {
                        try #require(difference == nil, "\(difference ?? "")")
                        return
                    }
                    try #require(difference != nil, "it works: this cell is no dash any more")
                    if let control = limit.control {
                        try #require(try await control(sandbox) != nil, "it works without xpb, so the fault is ours")
                    }
                }
            }
        }
    }
}
