extension WireHistoryEntry {
    /// The text that ``matchRanges`` refer to: ``excerpt``, or otherwise ``preview``.
    package var searchedText: String? { excerpt ?? preview }

    /// The ranges of a search's words in ``searchedText``, in bytes of UTF-8, without ranges that exceed the text.
    package var matchRanges: [Range<Int>] {
        guard let matches, let text = searchedText else { return [] }
        let pairs = stride(from: 0, to: matches.count - 1, by: 2).map { (offset: matches[$0], length: matches[$0 + 1]) }
        let valid = pairs.filter { $0.offset >= 0 && $0.length >= 0 && $0.offset <= text.utf8.count - $0.length }
        return valid.map { $0.offset..<$0.offset + $0.length }
    }
}
