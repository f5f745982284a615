/// What is to be done when there is time.
struct Chores {
    /// Files that may not be on the disk yet.
    var unsynced: [Int] = []
    /// How much of the first of them is.
    var synced = 0
    /// Files to be removed.
    var doomed: [Int] = []
    /// Long contents that may be equal to earlier ones.
    var uncompared: [Int] = []
    /// The first of them, as far as it is compared.
    var comparison: Comparison?
    /// The next folder whose files are looked for in the table; nil when all were.
    var shard: Int?
    /// The contents whose files were looked for last; nil when all were.
    var verified: Int?
    /// There may be words to be indexed or forgotten.
    var indexing = true
    /// The history may be over its limits.
    var limits = true
    /// Words that were deleted are still in pages of the index.
    var merging = false
    /// They are being merged with the rest.
    var isMerging = false
    /// The log has what is not on the disk.
    var logging = true
    /// Pages of the database may be free.
    var shrinking = false
    /// What was deleted is still in the log.
    var scrubbing = false
    /// The disk was full at the last attempt.
    var isFull = false
    /// The room for deleting on a full disk is to be put by.
    var reserving = true

    /// - Parameter isChecking: The former end was not in order.
    init(isChecking: Bool) {
        shard = isChecking ? 0 : nil
        verified = isChecking ? .max : nil
    }
}
