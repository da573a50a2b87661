// The journal's tables, as numbered migrations. A released migration is never edited; add a new one instead.
// Times are epoch milliseconds of this machine, except in columns ending in `server` (the service's clock),
// in the table `requests` (the pacer's timeline), and in `remote.at` (the service's time zone) and
// `transfers.lost_up` (the system's uptime).

/**
 * SQLite's `application_id`, by which a copy of the journal is recognized (rules/data-folder.ts): the letters
 * `slwy`. Never changes.
 */
export const APPLICATION_ID = 0x736c7779

/** Each entry raises `user_version` by one, in one transaction. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  -- Every folder that was ever watched. 'keep' = watched again at every start (the app), otherwise only while a command runs.
  CREATE TABLE folders (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    existing TEXT NOT NULL CHECK (existing IN ('upload', 'skip')),
    on_change TEXT NOT NULL CHECK (on_change IN ('new-link', 'replace', 'ignore')),
    ignore_json TEXT NOT NULL DEFAULT '[]',
    keep INTEGER NOT NULL DEFAULT 0,
    root_dev REAL, root_ino REAL,
    created_at REAL NOT NULL,
    last_scan_at REAL
  ) STRICT;

  -- What the last scan found, one row per entry. 'dir' is relative to the folder, '' for its root. A row of class 'ignored' or
  -- 'unreadable' with an empty name represents a whole directory with 'count' files.
  CREATE TABLE files (
    folder_id INTEGER NOT NULL,
    dir TEXT NOT NULL,
    name TEXT NOT NULL,
    class TEXT NOT NULL CHECK (class IN ('tracked', 'settling', 'ignored', 'unreadable')),
    size INTEGER NOT NULL,
    mtime REAL NOT NULL,
    ino REAL NOT NULL,
    dev REAL NOT NULL,
    count INTEGER NOT NULL DEFAULT 1,
    rule TEXT,
    transfer_id INTEGER,
    PRIMARY KEY (folder_id, dir, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX files_ino ON files (ino, size);
  CREATE INDEX files_settling ON files (folder_id) WHERE class = 'settling';
  CREATE INDEX files_transfer ON files (transfer_id) WHERE transfer_id IS NOT NULL;

  -- One row per version of a file. 'away' = its local file has left its path (moved, deleted). 'cancel' = the user cancelled it while it
  -- was in flight. 'sent' = its bytes were sent (a link to content that was stored already needs no upload).
  CREATE TABLE transfers (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL CHECK (source IN ('watch', 'upload')),
    folder_id INTEGER,
    path TEXT NOT NULL,
    name TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime REAL NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued','uploading','waiting','held','unknown','failed','cancelled','gone','done')),
    reason TEXT,
    message TEXT,
    until REAL,
    priority INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    released TEXT,
    token TEXT,
    again INTEGER NOT NULL DEFAULT 0,
    hash_first INTEGER NOT NULL DEFAULT 0,
    sha256 TEXT,
    intent_at REAL,
    intent_server REAL,
    checks INTEGER NOT NULL DEFAULT 0,
    partly INTEGER NOT NULL DEFAULT 0,
    file_id INTEGER,
    public_link TEXT,
    filename TEXT,
    adopted INTEGER NOT NULL DEFAULT 0,
    replaces INTEGER,
    away INTEGER NOT NULL DEFAULT 0,
    cancel INTEGER NOT NULL DEFAULT 0,
    sent INTEGER NOT NULL DEFAULT 0,
    created_at REAL NOT NULL,
    done_at REAL,
    done_server REAL
  ) STRICT;
  CREATE INDEX transfers_due ON transfers (priority DESC, id) WHERE state = 'queued';
  CREATE INDEX transfers_unknown ON transfers (id) WHERE state = 'unknown';
  CREATE INDEX transfers_uploading ON transfers (id) WHERE state = 'uploading';
  CREATE INDEX transfers_until ON transfers (until) WHERE state = 'waiting';
  CREATE INDEX transfers_path ON transfers (path);
  CREATE INDEX transfers_sha ON transfers (sha256) WHERE sha256 IS NOT NULL;
  CREATE INDEX transfers_done ON transfers (size) WHERE state = 'done';
  CREATE INDEX transfers_away ON transfers (folder_id, size) WHERE away = 1;
  CREATE INDEX transfers_file ON transfers (file_id) WHERE file_id IS NOT NULL;
  CREATE INDEX transfers_sent ON transfers (done_at) WHERE sent = 1;

  -- The number of transfers in each state, maintained by triggers: read four times a second, and counting 100,000 rows takes too long.
  CREATE TABLE tallies (
    folder_id INTEGER NOT NULL, state TEXT NOT NULL, n INTEGER NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (folder_id, state)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER transfers_added AFTER INSERT ON transfers BEGIN
    INSERT INTO tallies VALUES (coalesce(new.folder_id, 0), new.state, 1, new.size)
      ON CONFLICT DO UPDATE SET n = n + 1, bytes = bytes + excluded.bytes;
  END;
  CREATE TRIGGER transfers_moved AFTER UPDATE OF state, size ON transfers WHEN old.state <> new.state OR old.size <> new.size BEGIN
    UPDATE tallies SET n = n - 1, bytes = bytes - old.size WHERE folder_id = coalesce(old.folder_id, 0) AND state = old.state;
    INSERT INTO tallies VALUES (coalesce(new.folder_id, 0), new.state, 1, new.size)
      ON CONFLICT DO UPDATE SET n = n + 1, bytes = bytes + excluded.bytes;
  END;

  -- Remote files to delete: torn uploads, replaced versions. Deleting twice is harmless, so no intent is recorded.
  CREATE TABLE removals (
    file_id INTEGER PRIMARY KEY,
    reason TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    until REAL,
    created_at REAL NOT NULL
  ) STRICT;

  CREATE TABLE remote (
    file_id INTEGER PRIMARY KEY,
    filename TEXT, size REAL, upload_date TEXT, download_count REAL, public_link TEXT,
    first_seen REAL NOT NULL, last_seen REAL NOT NULL, gone_at REAL, scan INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX remote_link ON remote (public_link) WHERE public_link IS NOT NULL;
  CREATE INDEX remote_name ON remote (filename);

  CREATE TABLE pulse (file_id INTEGER NOT NULL, at REAL NOT NULL, count REAL NOT NULL, PRIMARY KEY (file_id, at)) STRICT, WITHOUT ROWID;

  CREATE TABLE requests (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, at REAL NOT NULL, settled_at REAL) STRICT;

  CREATE TABLE usage_days (
    day TEXT PRIMARY KEY, uploads INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0, requests INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- For the window's view of the catalog, with an index per sort order. 'folded' = name, local path and link without case and accents,
  -- one per line (so that it sorts by name); 'at' = the upload date in the service's time zone (see write in remote-list.ts); 'asked_at'
  -- = when the file was last fetched individually. The functions fold, file_kind and date_ms are defined in database.ts.
  ALTER TABLE remote ADD COLUMN kind TEXT NOT NULL DEFAULT 'other';
  ALTER TABLE remote ADD COLUMN folded TEXT NOT NULL DEFAULT '';
  ALTER TABLE remote ADD COLUMN at REAL NOT NULL DEFAULT 0;
  ALTER TABLE remote ADD COLUMN asked_at REAL;
  UPDATE remote SET kind = file_kind(filename),
    folded = fold(coalesce(filename, '') || char(10)
      || coalesce((SELECT path FROM transfers t WHERE t.file_id = remote.file_id ORDER BY id DESC LIMIT 1), '') || char(10) || coalesce(public_link, '')),
    at = coalesce(date_ms(upload_date), (SELECT max(done_at) FROM transfers t WHERE t.file_id = remote.file_id), first_seen);
  DROP INDEX remote_name;
  CREATE INDEX remote_by_name ON remote (folded, file_id, kind, at, download_count, size) WHERE gone_at IS NULL;
  CREATE INDEX remote_by_date ON remote (at, file_id, kind, download_count) WHERE gone_at IS NULL;
  CREATE INDEX remote_by_size ON remote (size, file_id, kind, at, download_count) WHERE gone_at IS NULL;
  CREATE INDEX remote_by_downloads ON remote (download_count, file_id, kind, at) WHERE gone_at IS NULL;
  CREATE INDEX remote_by_id ON remote (file_id, kind, at, download_count) WHERE gone_at IS NULL;
  CREATE INDEX remote_incomplete ON remote (file_id, scan) WHERE gone_at IS NULL AND asked_at IS NULL
    AND (filename IS NULL OR size IS NULL OR upload_date IS NULL OR public_link IS NULL);
  -- Keeps the local path searchable after a move.
  CREATE TRIGGER remote_path AFTER UPDATE OF path, file_id ON transfers WHEN new.file_id IS NOT NULL BEGIN
    UPDATE remote SET folded = fold(coalesce(filename, '') || char(10) || new.path || char(10) || coalesce(public_link, ''))
      WHERE file_id = new.file_id;
  END;

  -- Paths of transfers without case and accents, for searching. A separate table, because a search reads all of it.
  CREATE TABLE transfer_names (id INTEGER PRIMARY KEY, folded TEXT NOT NULL) STRICT;
  INSERT INTO transfer_names SELECT id, fold(path) FROM transfers;
  CREATE TRIGGER transfer_named AFTER INSERT ON transfers BEGIN
    INSERT INTO transfer_names VALUES (new.id, fold(new.path));
  END;
  CREATE TRIGGER transfer_renamed AFTER UPDATE OF path ON transfers WHEN old.path <> new.path BEGIN
    UPDATE transfer_names SET folded = fold(new.path) WHERE id = new.id;
  END;

  -- 'gain' = downloads since the previous count; 0 if that is unknown.
  ALTER TABLE pulse ADD COLUMN gain REAL NOT NULL DEFAULT 0;
  UPDATE pulse SET gain = max(0, count - coalesce(
    (SELECT p.count FROM pulse p WHERE p.file_id = pulse.file_id AND p.at < pulse.at ORDER BY p.at DESC LIMIT 1), count));
  CREATE INDEX pulse_at ON pulse (at, file_id, gain);

  -- Days are local calendar days. 'stored_size' is as the service wrote it; the unit may be learned later.
  ALTER TABLE usage_days ADD COLUMN downloads INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE usage_days ADD COLUMN stored_files REAL;
  ALTER TABLE usage_days ADD COLUMN stored_size REAL;
  `,
  `
  -- What was known when an upload was sent must not depend on a clock that can be set, so intents are counted. 'intent_mark' = the number
  -- of this intent, 'first_mark' = the number of intents when the file was first seen, 'intent_above' = highest ID of own receipts at the
  -- intent.
  CREATE TABLE marks (id INTEGER PRIMARY KEY CHECK (id = 1), n INTEGER NOT NULL) STRICT;
  INSERT INTO marks VALUES (1, 0);
  ALTER TABLE transfers ADD COLUMN intent_mark INTEGER;
  ALTER TABLE transfers ADD COLUMN intent_above INTEGER;
  ALTER TABLE remote ADD COLUMN first_mark INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- A remote file may belong to several local ones. 'ended' = how this version's claim on it ended, after which its link isn't shown:
  -- 'replaced' by a newer version, 'deleted' by the user, 'gone' from the service; null = live. A cancelled row with 'ended' = the user
  -- deleted this content at this path, so it isn't sent again. 'borrowed' = the service answered with an existing file, which others may
  -- use too.
  ALTER TABLE transfers ADD COLUMN ended TEXT;
  ALTER TABLE transfers ADD COLUMN ended_at REAL;
  ALTER TABLE transfers ADD COLUMN borrowed INTEGER NOT NULL DEFAULT 0;
  UPDATE transfers SET ended = 'replaced', ended_at = done_at WHERE id IN (
    SELECT old.id FROM transfers new JOIN transfers old ON old.file_id = new.replaces
    WHERE new.replaces IS NOT NULL AND new.state = 'done' AND old.state = 'done' AND old.path = new.path AND old.id < new.id);
  UPDATE transfers SET ended = 'gone', ended_at = done_at WHERE state = 'done' AND ended IS NULL
    AND file_id IN (SELECT file_id FROM remote WHERE gone_at IS NOT NULL);
  -- File IDs belong to an account. Null = queued before this column existed.
  ALTER TABLE removals ADD COLUMN account TEXT;
  `,
  `
  -- 'ctime' = the inode's change time when the row was written; it reveals new content with the old size and mtime. Null = unknown, and
  -- then taken over at the next scan. The indexes 'transfers_waits' and 'transfers_away_content' serve queries made for every file of a
  -- folder.
  ALTER TABLE files ADD COLUMN ctime REAL;
  CREATE INDEX transfers_waits ON transfers (folder_id, until) WHERE state = 'waiting';
  CREATE INDEX transfers_away_content ON transfers (folder_id, sha256) WHERE away = 1;
  `,
  `
  -- 'named' = the path as typed, if it leads to 'path' through a link: a secret is recognized by either. 'since' = in a folder that skips
  -- existing files, the time that separates them from new ones ('counted' = a complete scan has recorded them). 'withdrawn_at' = when the
  -- user stopped watching.
  ALTER TABLE folders ADD COLUMN named TEXT;
  ALTER TABLE folders ADD COLUMN since REAL;
  ALTER TABLE folders ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE folders ADD COLUMN withdrawn_at REAL;
  UPDATE folders SET since = created_at, counted = last_scan_at IS NOT NULL;
  ALTER TABLE transfers ADD COLUMN named TEXT;

  -- Due rows are read per folder, so that those of folders that aren't being watched cost nothing, however many there are.
  DROP INDEX transfers_due;
  CREATE INDEX transfers_due ON transfers (folder_id, priority DESC, id) WHERE state = 'queued';
  CREATE TRIGGER transfers_refiled AFTER UPDATE OF folder_id ON transfers WHEN old.folder_id IS NOT new.folder_id BEGIN
    UPDATE tallies SET n = n - 1, bytes = bytes - new.size WHERE folder_id = coalesce(old.folder_id, 0) AND state = new.state;
    INSERT INTO tallies VALUES (coalesce(new.folder_id, 0), new.state, 1, new.size)
      ON CONFLICT DO UPDATE SET n = n + 1, bytes = bytes + excluded.bytes;
  END;
  `,
  `
  -- For files that were uploaded without this journal. 'remote_bytes' = length and hash of a downloaded remote file, so that none is
  -- downloaded twice. 'own_looks' = our own downloads of it: 'pending' until its count has grown by them, then 'counted' and subtracted.
  CREATE TABLE remote_bytes (file_id INTEGER PRIMARY KEY, bytes INTEGER NOT NULL, sha256 TEXT NOT NULL) STRICT;
  CREATE TABLE own_looks (file_id INTEGER PRIMARY KEY, pending INTEGER NOT NULL, counted INTEGER NOT NULL) STRICT;
  -- Rows that waited for a lookup after an older journal was set aside are now compared before they are sent, like all others.
  UPDATE transfers SET state = 'queued', reason = NULL, message = NULL, until = NULL, intent_at = NULL
    WHERE state = 'unknown' AND attempts = 0;
  `,
  `
  -- The name in the last request: a lost upload is looked up under it, whatever the file is called now. Null = sent by a version without
  -- this column.
  ALTER TABLE transfers ADD COLUMN sent_name TEXT;
  UPDATE transfers SET sent_name = name WHERE state IN ('uploading', 'unknown');
  `,
  `
  -- 'lost', 'lost_at' = how and when the answer to the last request was lost; null = it wasn't. 'unproved' = how often this version was
  -- assumed not to have arrived, without proof. 'doubts' = lost uploads that may still appear, by their first intent. 'twins' = second
  -- copies of own uploads.
  ALTER TABLE transfers ADD COLUMN lost TEXT;
  ALTER TABLE transfers ADD COLUMN lost_at REAL;
  ALTER TABLE transfers ADD COLUMN unproved INTEGER NOT NULL DEFAULT 0;
  UPDATE transfers SET lost = iif(partly = 1, 'partly', 'cut') WHERE state = 'unknown';
  CREATE TABLE doubts (
    id INTEGER PRIMARY KEY, transfer_id INTEGER NOT NULL, name TEXT NOT NULL, size INTEGER NOT NULL, sha256 TEXT,
    mark INTEGER, above INTEGER, server REAL,
    opened_at REAL NOT NULL, until REAL NOT NULL, next_at REAL NOT NULL, looks INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX doubts_transfer ON doubts (transfer_id);
  CREATE TABLE twins (
    file_id INTEGER PRIMARY KEY, transfer_id INTEGER NOT NULL, found_at REAL NOT NULL, fate TEXT NOT NULL CHECK (fate IN ('deleted', 'left'))
  ) STRICT;
  `,
  `
  -- The user paused this transfer alone: it waits, whatever else would let it go.
  ALTER TABLE transfers ADD COLUMN paused INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- 'sent' = a request to delete the file may have been carried out, so undoing the deletion may be too late.
  ALTER TABLE removals ADD COLUMN sent INTEGER NOT NULL DEFAULT 0;
  UPDATE removals SET sent = attempts > 0;
  `,
  `
  -- 'reuse_only' = 1 for a file that its folder skips as existing: it may take over the link of an upload with its bytes, but isn't sent.
  ALTER TABLE transfers ADD COLUMN reuse_only INTEGER;
  `,
  `
  -- 'lost_up' = the system's uptime at 'lost_at', in milliseconds. It tells how long ago that was even if the wall clock was changed.
  ALTER TABLE transfers ADD COLUMN lost_up REAL;
  `,
  `
  -- Watched folders inside other watched ones. 'watched_at' = when the inner one was last known to be watched. 'ended' = 1 once its watch
  -- has ended. 'counted' = 1 once a complete scan of the outer one has recorded what was left in the inner one.
  CREATE TABLE nestings (
    outer_id INTEGER NOT NULL, inner_id INTEGER NOT NULL, watched_at REAL NOT NULL,
    ended INTEGER NOT NULL DEFAULT 0, counted INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (outer_id, inner_id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- 'inside' = 1 for a file that was found in a folder that the user named: what they deleted there isn't sent again.
  ALTER TABLE transfers ADD COLUMN inside INTEGER;
  `,
  `
  -- For deleting old rows (old-rows.ts), which have no other index by time.
  CREATE INDEX transfers_replaced ON transfers (ended_at) WHERE ended = 'replaced';
  CREATE INDEX transfers_vanished ON transfers (created_at) WHERE state = 'gone';
  CREATE INDEX remote_gone ON remote (gone_at) WHERE gone_at IS NOT NULL;
  CREATE TRIGGER transfers_dropped AFTER DELETE ON transfers BEGIN
    UPDATE tallies SET n = n - 1, bytes = bytes - old.size WHERE folder_id = coalesce(old.folder_id, 0) AND state = old.state;
    DELETE FROM transfer_names WHERE id = old.id;
  END;
  `,
  `
  -- The numbers of file IDs that aren't integers below 2^53 (file-ids.ts). 'seen_at' = when the service last sent the ID, to the week.
  -- 'transfers_replaces' is for deleting rows that nothing refers to.
  CREATE TABLE file_ids (number INTEGER PRIMARY KEY CHECK (number < 0), id TEXT NOT NULL UNIQUE, seen_at REAL NOT NULL) STRICT;
  CREATE INDEX file_ids_seen ON file_ids (seen_at);
  CREATE INDEX transfers_replaces ON transfers (replaces) WHERE replaces < 0;
  `,
  `
  -- How long new files wait before they are uploaded, in seconds. Null = not at all.
  ALTER TABLE folders ADD COLUMN grace INTEGER;
  `,
  `
  -- For the list of a folder's files.
  CREATE INDEX transfers_stored ON transfers (folder_id, file_id) WHERE state = 'done' AND folder_id IS NOT NULL;
  -- 'paused' = nothing in this folder is sent. 'limits_json' = which files are ignored because of their size or type; null = none.
  -- 'on_change' may now be 'ask'; the column is made again, because its check allows only the older values.
  ALTER TABLE folders ADD COLUMN paused INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE folders ADD COLUMN limits_json TEXT;
  ALTER TABLE folders ADD COLUMN changes TEXT NOT NULL DEFAULT 'new-link';
  UPDATE folders SET changes = on_change;
  ALTER TABLE folders DROP COLUMN on_change;
  ALTER TABLE folders RENAME COLUMN changes TO on_change;
  `,
  `
  -- What happens to the folder's files after their upload: null = they stay, 'bin', or the folder to which they move.
  ALTER TABLE folders ADD COLUMN after_upload TEXT;
  -- Files that leave their folder after their upload. 'due' = not begun; 'moving', 'back' = the intent to move it
  -- from 'source' to 'target' ('' = the system's bin, which doesn't say where), with temporary names that contain
  -- 'key'; 'away' = it is at 'target'; 'kept' = it is back at 'target', and stays.
  CREATE TABLE put_away (
    transfer_id INTEGER PRIMARY KEY,
    state TEXT NOT NULL CHECK (state IN ('due', 'moving', 'away', 'back', 'kept')),
    is_bin INTEGER NOT NULL DEFAULT 0,
    source TEXT, target TEXT, key TEXT, at REAL NOT NULL
  ) STRICT;
  CREATE INDEX put_away_open ON put_away (transfer_id) WHERE state IN ('due', 'moving', 'back');
  CREATE INDEX put_away_kept ON put_away (target) WHERE state IN ('back', 'kept');
  -- A file that was brought back to its path stays there, also if its content is confirmed again.
  CREATE TRIGGER transfer_put AFTER UPDATE OF state ON transfers
    WHEN new.state = 'done' AND old.state <> 'done' AND new.folder_id IS NOT NULL AND new.reuse_only IS NOT 1 BEGIN
    INSERT OR IGNORE INTO put_away (transfer_id, state, at) SELECT new.id, 'due', new.done_at FROM folders
      WHERE id = new.folder_id AND after_upload IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM put_away p JOIN transfers b ON b.id = p.transfer_id
        WHERE p.state IN ('back', 'kept') AND p.target = new.path AND b.sha256 = new.sha256);
  END;
  CREATE TRIGGER transfer_put_dropped AFTER DELETE ON transfers BEGIN
    DELETE FROM put_away WHERE transfer_id = old.id;
  END;
  `,
  `
  -- 'deleted' = 1 if it is gone because the service answered a request to delete it; otherwise null.
  ALTER TABLE remote ADD COLUMN deleted INTEGER;
  -- When it was last proved that the file of this upload isn't there; null = its last absence wasn't proved.
  ALTER TABLE doubts ADD COLUMN proved_at REAL;
  `,
  `
  -- Each receipt is compared with the upload that has its link.
  CREATE INDEX transfers_link ON transfers (public_link) WHERE public_link IS NOT NULL;
  `,
  `
  -- Counts the uploads that the user has paused one by one.
  CREATE INDEX transfers_paused ON transfers (folder_id) WHERE state = 'waiting' AND reason = 'paused';
  `,
  `
  -- 'resent' = how often this version was sent again after a whole request whose outcome was unknown.
  ALTER TABLE transfers ADD COLUMN resent INTEGER NOT NULL DEFAULT 0;
  `,
]

/**
 * SQL that runs on each connection after the migrations. Its table and triggers are temporary, so nothing is
 * stored. `files` counts the changes to `remote` that can change the content or order of any list of files.
 * `downloads` counts those that only affect lists sorted or filtered by downloads.
 */
export const listChanges = `
  CREATE TEMP TABLE list_changes AS SELECT hex(randomblob(8)) AS opened, 0 AS files, 0 AS downloads;
  CREATE TEMP TRIGGER remote_listed AFTER INSERT ON remote BEGIN UPDATE list_changes SET files = files + 1; END;
  CREATE TEMP TRIGGER remote_forgotten AFTER DELETE ON remote BEGIN UPDATE list_changes SET files = files + 1; END;
  CREATE TEMP TRIGGER remote_moved AFTER UPDATE OF folded, at, size, kind, gone_at ON remote
    WHEN (old.folded, old.at, old.size, old.kind, old.gone_at) IS NOT (new.folded, new.at, new.size, new.kind, new.gone_at)
    BEGIN UPDATE list_changes SET files = files + 1; END;
  CREATE TEMP TRIGGER file_refiled AFTER UPDATE OF folder_id ON transfers
    WHEN old.folder_id IS NOT new.folder_id AND old.file_id IS NOT NULL
    BEGIN UPDATE list_changes SET files = files + 1; END;
  CREATE TEMP TRIGGER remote_downloaded AFTER UPDATE OF download_count ON remote WHEN old.download_count IS NOT new.download_count
    BEGIN UPDATE list_changes SET downloads = downloads + 1; END;
`
