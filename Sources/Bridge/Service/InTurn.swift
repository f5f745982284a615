/// Does something for one element after the other, each of which may take its time, and collects what comes of it. A
/// failure ends it. Once it is not wanted any more it ends without a word.
///
/// A loop, as there may be thousands, and a call within a call would cost some of the stack each.
func inTurn<Element, Value, Failure: Error>(
    _ elements: [Element], while isWanted: @escaping () -> Bool,
    _ body: @escaping (Element, @escaping (Result<Value, Failure>) -> Void) -> Void,
    _ finish: @escaping (Result<[Value], Failure>) -> Void
) {
    var values: [Value] = []
    values.reserveCapacity(elements.count)
    func proceed() {
        while values.count < elements.count {
            guard isWanted() else { return }
            var isWithin = true
            var isDone = false
            body(elements[values.count]) { result in
                switch result {
                case .success(let value):
                    values.append(value)
                    isDone = true
                    if !isWithin { proceed() }
                case .failure(let failure): finish(.failure(failure))
                }
            }
            isWithin = false
            guard isDone else { return }
        }
        finish(.success(values))
    }
    proceed()
}
