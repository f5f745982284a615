import EventLoop
import Testing

@Suite struct LoopTaskTests {
    @Test("A cancelled task continues after its cancellation handlers have returned, not inside them")
    func order() {
        final class Log { var lines: [String] = [] }
        let (executor, log) = (EventLoopExecutor(), Log())
        let task = executor.start {
            let value = PendingValue<Void>()
            await value.get {
                log.lines.append("handler begins")
                value.deliver(())
                log.lines.append("handler ends")
            }
            log.lines.append("task runs on")
        }
        #expect(log.lines.isEmpty)
        task.cancel()
        #expect(log.lines == ["handler begins", "handler ends", "task runs on"])
    }
}
