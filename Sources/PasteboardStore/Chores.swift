/// What is to be done when there is time.
struct Chores {
    /// Files that may not be on the disk yet.
    var unsynced: [Int] = []
    /// Files to be removed.
    var doomed: [Int] = []
    /// The next folder to be compared with the table; nil when all were.
    var shard: Int? = 0
    /// There may be words to be indexed or forgotten.
    var indexing = true
    /// The history may be over its limits.
    var limits = true
    /// Words that were deleted are still in pages of the index.
    var merging = false
    /// The log has what is not on the disk.
    var logging = true
    /// What was deleted is still in the log.
    var scrubbing = false
}
