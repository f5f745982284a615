PRAGMA auto_vacuum = INCREMENTAL;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
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
INSERT INTO content VALUES(2,-3039728668911486231,13,284,1,'public.utf8-plain-text','to go back to',NULL,NULL,0,0,0);
INSERT INTO content VALUES(3,1624994633920916874,15,282,1,'public.utf8-plain-text','the first words',NULL,NULL,2,1,0);
INSERT INTO content VALUES(4,-1821525690414372505,14,284,1,'public.utf8-plain-text','the last words',NULL,NULL,1,0,0);
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
INSERT INTO entry VALUES(1,3,'general',1,1800000000001,'Copy from Firefox','firefox',0,1);
INSERT INTO entry VALUES(2,2,'general',2,1800000000002,'Copy from Firefox','firefox',0,0);
INSERT INTO entry VALUES(3,3,'find',3,1800000000003,'Copy from Firefox','firefox',0,1);
INSERT INTO entry VALUES(4,4,'general',4,1800000000004,'Copy from Firefox','firefox',0,1);
CREATE TABLE board (
    name TEXT PRIMARY KEY,
    count INTEGER NOT NULL,
    expires INTEGER
, boot TEXT, boot_expires INTEGER, origin_time INTEGER, origin_machine TEXT, maker TEXT) WITHOUT ROWID;
INSERT INTO board VALUES('find',3,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO board VALUES('general',4,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE hold (
    board TEXT NOT NULL REFERENCES board (name) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    position INTEGER NOT NULL,
    entry INTEGER NOT NULL REFERENCES entry (id),
    action TEXT,
    PRIMARY KEY (board, place, position)
) WITHOUT ROWID;
INSERT INTO hold VALUES('find',0,0,3,NULL);
INSERT INTO hold VALUES('general',0,0,4,NULL);
INSERT INTO hold VALUES('general',1,0,2,'Cut');
CREATE TABLE last_count (
    board TEXT PRIMARY KEY,
    count INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO last_count VALUES('find',3);
INSERT INTO last_count VALUES('general',4);
INSERT INTO last_count VALUES('secondary',7);
CREATE TABLE state (
    next_entry INTEGER NOT NULL,
    paused INTEGER NOT NULL,
    unfinished INTEGER NOT NULL
, index_start INTEGER NOT NULL DEFAULT 0);
INSERT INTO state VALUES(5,1,0,1);
CREATE TABLE total (
    listed INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    loose INTEGER NOT NULL,
    loose_bytes INTEGER NOT NULL
);
INSERT INTO total VALUES(2,850,1,284);
CREATE TABLE words (
    id INTEGER PRIMARY KEY,
    text TEXT,
    types TEXT NOT NULL,
    program TEXT
);
INSERT INTO words VALUES(3,'the first words','public.utf8-plain-text','firefox');
INSERT INTO words VALUES(4,'the last words','public.utf8-plain-text','firefox');
CREATE TABLE stale (id INTEGER PRIMARY KEY);
CREATE TABLE type (name TEXT PRIMARY KEY) WITHOUT ROWID;
PRAGMA writable_schema=ON;
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','search','search',0,'CREATE VIRTUAL TABLE search USING fts5 (
    text, types, program, content = '''', tokenize = ''xpb_grams'', detail = none, columnsize = 0
    )');
CREATE TABLE IF NOT EXISTS 'search_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO search_data VALUES(1,X'');
INSERT INTO search_data VALUES(10,X'00000000000000');
CREATE TABLE IF NOT EXISTS 'search_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS 'search_config'(k PRIMARY KEY, v) WITHOUT ROWID;
INSERT INTO search_config VALUES('version',4);
CREATE INDEX content_equal ON content (digest, length);
CREATE INDEX content_listed ON content (id) WHERE copies > 0;
CREATE INDEX content_loose ON content (id) WHERE copies > 0 AND pinned = 0;
CREATE INDEX content_pinned ON content (id) WHERE copies > 0 AND pinned = 1;
CREATE INDEX content_unindexed ON content (id) WHERE copies > 0 AND indexed = 0;
CREATE INDEX entry_content ON entry (content, id);
CREATE INDEX entry_pasteboard ON entry (pasteboard, content) WHERE listed = 1;
CREATE INDEX entry_staged ON entry (id) WHERE listed = 2;
CREATE INDEX hold_entry ON hold (entry);
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
PRAGMA writable_schema=OFF;
COMMIT;
PRAGMA user_version = 7;
