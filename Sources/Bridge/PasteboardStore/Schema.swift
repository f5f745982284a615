/// The tables of the database, and the migrations to them from every earlier version. Times are in milliseconds since
/// the Unix epoch, and lengths in bytes.
///
/// - `entry`: one copy, with its pasteboard, count and time. `listed` entries are in the history; with the value 2, an
///   entry is staged by an import in progress.
/// - `content`: a line of the history, for all entries whose contents are equal. Its id is the id of the latest entry,
///   whose blob it has. `copies` is the number of times that the contents were copied, and 0 if they are not in the
///   history.
/// - `hold`: the entries that pasteboards need; `place` is an `EntryTables.Place`. An entry that is neither held nor
///   listed is removed.
/// - `board`: the pasteboards that the bridge restores. `maker` is the program that made one persistent. `last_count`:
///   the counts of all pasteboards at an orderly end.
/// - `words`: the searchable text of contents. `search`: the FTS5 index of these words, by ``SearchTokenizer``.
///   `stale`: the contents whose words are still in the index but no longer wanted. `type`: the types that are or were
///   in the index. `former_search`: what is left of an index that was replaced.
/// - `total`: one row with sums over `content`, kept by triggers. `loose` lines are listed and not pinned.
/// - `state`: one row: the number of the next entry, whether the history is paused, whether maintenance was unfinished
///   at the last orderly end, and `index_start`. Contents with lower ids are not in the index. If they are marked as
///   indexed, they were in the former index.
package enum Schema {
    /// The `user_version` of a database of this release.
    package static var version: Int { steps.count }

    /// The migrations from version 0, an empty database, to 1, from there to 2, and so on. A migration never changes.
    private static let steps = [first, bootTimes, origins, types, imports, blankGrams, makers]

    /// Migrates a database within the caller's transaction.
    static func migrate(_ database: Database, from version: Int) throws {
        for step in steps.dropFirst(version) { try database.script(step) }
        try database.script("PRAGMA user_version = \(self.version)")
    }

    /// Replaces the search index with an empty index. Maintenance indexes all contents again, and deletes the former
    /// index, which both take long.
    static func rebuildIndex(_ database: Database) throws {
        try database.script(newIndex)
    }

    /// A damaged index cannot be opened, and therefore cannot be dropped. The index is deleted from the schema table,
    /// and its own tables remain.
    private static let newIndex = """
        PRAGMA writable_schema = ON;
        DELETE FROM sqlite_schema WHERE name = 'search';
        PRAGMA writable_schema = RESET;
        DROP TABLE IF EXISTS former_search;
        ALTER TABLE search_data RENAME TO former_search;
        DROP TABLE IF EXISTS search_idx;
        DROP TABLE IF EXISTS search_config;
        CREATE VIRTUAL TABLE search USING fts5 (
            text, types, program, content = '', tokenize = '\(SearchTokenizer.name)', detail = none, columnsize = 0
        );
        DELETE FROM words WHERE id IN (SELECT id FROM stale);
        DELETE FROM stale;
        DELETE FROM type;
        UPDATE state SET index_start = (SELECT coalesce(max(id), 0) + 1 FROM content);
        """

    /// An index of grams, which may have blanks, instead of words.
    private static let blankGrams = """
        ALTER TABLE state ADD COLUMN index_start INTEGER NOT NULL DEFAULT 0;
        \(newIndex)
        """

    private static let makers = "ALTER TABLE board ADD COLUMN maker TEXT;"

    private static let imports = "CREATE INDEX entry_staged ON entry (id) WHERE listed = 2;"

    private static let types = "CREATE TABLE type (name TEXT PRIMARY KEY) WITHOUT ROWID;"

    private static let origins = """
        ALTER TABLE board ADD COLUMN origin_time INTEGER;
        ALTER TABLE board ADD COLUMN origin_machine TEXT;
        """

    private static let bootTimes = """
        ALTER TABLE board ADD COLUMN boot TEXT;
        ALTER TABLE board ADD COLUMN boot_expires INTEGER;
        """

    private static let first = """
        CREATE TABLE content (
            id INTEGER PRIMARY KEY,
            digest INTEGER NOT NULL,
            length INTEGER NOT NULL,
            size INTEGER NOT NULL,
            items INTEGER NOT NULL,
            types TEXT NOT NULL,
            preview TEXT,
            width INTEGER,
            height INTEGER,
            copies INTEGER NOT NULL,
            pinned INTEGER NOT NULL DEFAULT 0,
            indexed INTEGER NOT NULL DEFAULT 0
        );
        CREATE INDEX content_equal ON content (digest, length);
        CREATE INDEX content_listed ON content (id) WHERE copies > 0;
        CREATE INDEX content_loose ON content (id) WHERE copies > 0 AND pinned = 0;
        CREATE INDEX content_pinned ON content (id) WHERE copies > 0 AND pinned = 1;
        CREATE INDEX content_unindexed ON content (id) WHERE copies > 0 AND indexed = 0;
        CREATE TABLE entry (
            id INTEGER PRIMARY KEY,
            content INTEGER NOT NULL REFERENCES content (id),
            pasteboard TEXT NOT NULL,
            count INTEGER NOT NULL,
            created INTEGER NOT NULL,
            action TEXT,
            program TEXT,
            local INTEGER NOT NULL,
            listed INTEGER NOT NULL
        );
        CREATE INDEX entry_content ON entry (content, id);
        CREATE INDEX entry_pasteboard ON entry (pasteboard, content) WHERE listed = 1;
        CREATE TABLE board (
            name TEXT PRIMARY KEY,
            count INTEGER NOT NULL,
            expires INTEGER
        ) WITHOUT ROWID;
        CREATE TABLE hold (
            board TEXT NOT NULL REFERENCES board (name) ON DELETE CASCADE,
            place INTEGER NOT NULL,
            position INTEGER NOT NULL,
            entry INTEGER NOT NULL REFERENCES entry (id),
            action TEXT,
            PRIMARY KEY (board, place, position)
        ) WITHOUT ROWID;
        CREATE INDEX hold_entry ON hold (entry);
        CREATE TABLE last_count (
            board TEXT PRIMARY KEY,
            count INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE state (
            next_entry INTEGER NOT NULL,
            paused INTEGER NOT NULL,
            unfinished INTEGER NOT NULL
        );
        INSERT INTO state VALUES (1, 0, 0);
        CREATE TABLE total (
            listed INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            loose INTEGER NOT NULL,
            loose_bytes INTEGER NOT NULL
        );
        INSERT INTO total VALUES (0, 0, 0, 0);
        CREATE TRIGGER content_added AFTER INSERT ON content BEGIN
            UPDATE total SET
                listed = listed + (NEW.copies > 0),
                bytes = bytes + NEW.size,
                loose = loose + (NEW.copies > 0 AND NOT NEW.pinned),
                loose_bytes = loose_bytes + (NEW.copies > 0 AND NOT NEW.pinned) * NEW.size;
        END;
        CREATE TRIGGER content_removed AFTER DELETE ON content BEGIN
            UPDATE total SET
                listed = listed - (OLD.copies > 0),
                bytes = bytes - OLD.size,
                loose = loose - (OLD.copies > 0 AND NOT OLD.pinned),
                loose_bytes = loose_bytes - (OLD.copies > 0 AND NOT OLD.pinned) * OLD.size;
        END;
        CREATE TRIGGER content_changed AFTER UPDATE OF copies, pinned, size ON content BEGIN
            UPDATE total SET
                listed = listed - (OLD.copies > 0) + (NEW.copies > 0),
                bytes = bytes - OLD.size + NEW.size,
                loose = loose - (OLD.copies > 0 AND NOT OLD.pinned) + (NEW.copies > 0 AND NOT NEW.pinned),
                loose_bytes = loose_bytes - (OLD.copies > 0 AND NOT OLD.pinned) * OLD.size
                    + (NEW.copies > 0 AND NOT NEW.pinned) * NEW.size;
        END;
        CREATE TABLE words (
            id INTEGER PRIMARY KEY,
            text TEXT,
            types TEXT NOT NULL,
            program TEXT
        );
        CREATE TABLE stale (id INTEGER PRIMARY KEY);
        CREATE VIRTUAL TABLE search USING fts5 (
            text, types, program, content = 'words', content_rowid = 'id',
            tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2', columnsize = 0
        );
        """
}
