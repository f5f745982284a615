extension ModelReference {
    /// The contents that undo and redo can restore, in the order in which they were on the pasteboard. The present
    /// contents belong at the gap.
    struct Line {
        struct Moment {
            var held: ModelBoard.Held?
            var action: String?

            var bytes: Int {
                var sum = 0
                for item in held?.items ?? [] { for representation in item { sum += representation.length ?? 0 } }
                return sum
            }

            var isMarked: Bool {
                guard let held else { return false }
                if held.expires != nil { return true }
                for item in held.items {
                    for representation in item
                    where representation.type.hasSuffix(".ConcealedType")
                        || representation.type.hasSuffix(".TransientType")
                    {
                        return true
                    }
                }
                return false
            }
        }

        var moments: [Moment] = []
        var gap = 0
        var event: Int?
        var levels = 3
        var budget = 40

        func keeps(_ moment: Moment) -> Bool { !moment.isMarked && levels > 0 && moment.bytes <= budget }

        mutating func rename(_ action: String?) {
            if gap > 0, let action { moments[gap - 1].action = action }
        }

        mutating func change(_ former: ModelBoard.Held?, _ action: String?, _ event: Int?) {
            while moments.count > gap { moments.removeLast() }
            let moment = Moment(held: former, action: action)
            if (event != nil && event == self.event) || !keeps(moment) {
                rename(action)
            } else {
                moments.append(moment)
                gap += 1
            }
            self.event = event
            shorten()
        }

        mutating func back(_ present: ModelBoard.Held?) -> ModelBoard.Held?? {
            if gap == 0 { return nil }
            gap -= 1
            let found = moments.remove(at: gap)
            let moment = Moment(held: present, action: found.action)
            if keeps(moment) { moments.insert(moment, at: gap) }
            event = nil
            shorten()
            return .some(found.held)
        }

        mutating func forth(_ present: ModelBoard.Held?) -> ModelBoard.Held?? {
            if gap == moments.count { return nil }
            let found = moments.remove(at: gap)
            let moment = Moment(held: present, action: found.action)
            if keeps(moment) {
                moments.insert(moment, at: gap)
                gap += 1
            } else {
                rename(found.action)
            }
            event = nil
            shorten()
            return .some(found.held)
        }

        mutating func shorten() {
            while !moments.isEmpty {
                var sum = 0
                for moment in moments { sum += moment.bytes }
                if moments.count <= levels && sum <= budget { return }
                if gap > 0 {
                    moments.removeFirst()
                    gap -= 1
                } else {
                    moments.removeLast()
                }
            }
        }
    }
}
