// The journal's tables, as numbered migrations. Once landed, a migration is never edited; a new one follows it.
// Times are epoch milliseconds of this machine unless a column says `server` (milliseconds by the service's clock, see server-clock.ts).

/** Each entry lifts `user_version` by one, in one transaction. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  -- A folder that was ever watched. 'keep' = watched again by itself at every start (the app), else only while a command asks for it.
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

  -- What the last scan saw, one row an entry. 'dir' is relative to the folder, '' for its root. A row of class 'ignored' or 'unreadable'
  -- with an empty name stands for a whole directory, 'count' files in it.
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

  -- One row a version of a file. 'away' = done, but its local file is not where it was (moved, deleted). 'cancel' = a person called it off
  -- while it was on its way. 'sent' = its bytes went over the wire (a link of content that was up already sends nothing).
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

  -- How many transfers are in which state, kept by triggers: asked four times a second, and counting a hundred thousand rows takes too long.
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

  -- Remote files that must go: torn uploads, replaced versions. Deleting twice is harmless, so this needs no intent.
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
  -- What the window asks of the catalog, by an index for each sort: 'folded' is name, local path and link without case and accents, a line
  -- each (so that it sorts by the name), 'at' the upload date on the service's own time line (see put in remote.ts). 'asked_at' = the single
  -- file was asked for; what it did not say then, it will not say. The functions fold, file_kind and date_ms are ours (open.ts).
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
  -- The local path is found as well, wherever the file is moved to.
  CREATE TRIGGER remote_path AFTER UPDATE OF path, file_id ON transfers WHEN new.file_id IS NOT NULL BEGIN
    UPDATE remote SET folded = fold(coalesce(filename, '') || char(10) || new.path || char(10) || coalesce(public_link, ''))
      WHERE file_id = new.file_id;
  END;

  -- Names and paths of transfers to be searched, without case and accents: a table of its own, since it is read from end to end.
  CREATE TABLE transfer_names (id INTEGER PRIMARY KEY, folded TEXT NOT NULL) STRICT;
  INSERT INTO transfer_names SELECT id, fold(path) FROM transfers;
  CREATE TRIGGER transfer_named AFTER INSERT ON transfers BEGIN
    INSERT INTO transfer_names VALUES (new.id, fold(new.path));
  END;
  CREATE TRIGGER transfer_renamed AFTER UPDATE OF path ON transfers WHEN old.path <> new.path BEGIN
    UPDATE transfer_names SET folded = fold(new.path) WHERE id = new.id;
  END;

  -- 'gain' = downloads since the count before; nothing where that is not known.
  ALTER TABLE pulse ADD COLUMN gain REAL NOT NULL DEFAULT 0;
  UPDATE pulse SET gain = max(0, count - coalesce(
    (SELECT p.count FROM pulse p WHERE p.file_id = pulse.file_id AND p.at < pulse.at ORDER BY p.at DESC LIMIT 1), count));
  CREATE INDEX pulse_at ON pulse (at, file_id, gain);

  -- Days are local calendar days. 'stored_size' as the service wrote it; the unit may be learned later.
  ALTER TABLE usage_days ADD COLUMN downloads INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE usage_days ADD COLUMN stored_files REAL;
  ALTER TABLE usage_days ADD COLUMN stored_size REAL;
  `,
  `
  -- What was known when an upload was sent must not hang on a clock that somebody sets: intents are counted. 'intent_mark' = the number of this
  -- intent, 'first_mark' = how many intents there were when the file was first seen, 'intent_above' = highest id of own receipts at the intent.
  CREATE TABLE marks (id INTEGER PRIMARY KEY CHECK (id = 1), n INTEGER NOT NULL) STRICT;
  INSERT INTO marks VALUES (1, 0);
  ALTER TABLE transfers ADD COLUMN intent_mark INTEGER;
  ALTER TABLE transfers ADD COLUMN intent_above INTEGER;
  ALTER TABLE remote ADD COLUMN first_mark INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- A remote file may serve several local ones. 'ended' = this version's claim on it is over, so its link is not shown any more: 'replaced' by
  -- a newer version, 'deleted' by a person, 'gone' from the service; null = alive. A cancelled row with 'ended' = the path's bytes were deleted
  -- by a person and are not sent again. 'borrowed' = the service answered with a file that had been there before, so it may serve others.
  ALTER TABLE transfers ADD COLUMN ended TEXT;
  ALTER TABLE transfers ADD COLUMN ended_at REAL;
  ALTER TABLE transfers ADD COLUMN borrowed INTEGER NOT NULL DEFAULT 0;
  UPDATE transfers SET ended = 'replaced', ended_at = done_at WHERE id IN (
    SELECT old.id FROM transfers new JOIN transfers old ON old.file_id = new.replaces
    WHERE new.replaces IS NOT NULL AND new.state = 'done' AND old.state = 'done' AND old.path = new.path AND old.id < new.id);
  UPDATE transfers SET ended = 'gone', ended_at = done_at WHERE state = 'done' AND ended IS NULL
    AND file_id IN (SELECT file_id FROM remote WHERE gone_at IS NOT NULL);
  -- File ids belong to an account. Null = queued before this was kept.
  ALTER TABLE removals ADD COLUMN account TEXT;
  `,
  `
  -- The change time of a file's inode (ctime) when its row was written: new bytes under an old size and mtime move it. Null = not known, and
  -- then taken as it is at the next look. 'transfers_waits' and 'transfers_away_content': questions that a folder asks for every file of it.
  ALTER TABLE files ADD COLUMN ctime REAL;
  CREATE INDEX transfers_waits ON transfers (folder_id, until) WHERE state = 'waiting';
  CREATE INDEX transfers_away_content ON transfers (folder_id, sha256) WHERE away = 1;
  `,
  `
  -- 'named' = as a person typed it, where a link leads from there to 'path': a secret is known by either. 'since' = the line between what was
  -- there before a folder that skips that, and what came ('counted' = a complete look has drawn it). 'withdrawn_at' = a person ended watching.
  ALTER TABLE folders ADD COLUMN named TEXT;
  ALTER TABLE folders ADD COLUMN since REAL;
  ALTER TABLE folders ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE folders ADD COLUMN withdrawn_at REAL;
  UPDATE folders SET since = created_at, counted = last_scan_at IS NOT NULL;
  ALTER TABLE transfers ADD COLUMN named TEXT;

  -- What is due is asked for by folder: rows of a folder that is not watched now are not read, however many there are.
  DROP INDEX transfers_due;
  CREATE INDEX transfers_due ON transfers (folder_id, priority DESC, id) WHERE state = 'queued';
  CREATE TRIGGER transfers_refiled AFTER UPDATE OF folder_id ON transfers WHEN old.folder_id IS NOT new.folder_id BEGIN
    UPDATE tallies SET n = n - 1, bytes = bytes - new.size WHERE folder_id = coalesce(old.folder_id, 0) AND state = new.state;
    INSERT INTO tallies VALUES (coalesce(new.folder_id, 0), new.state, 1, new.size)
      ON CONFLICT DO UPDATE SET n = n + 1, bytes = bytes + excluded.bytes;
  END;
  `,
  `
  -- For files that were sent without this journal's knowledge: 'remote_bytes' = what a remote file was read back to be, so that none is read
  -- twice; 'own_looks' = our own downloads of it, 'pending' until its count has grown by them, 'counted' = in its count and not told.
  CREATE TABLE remote_bytes (file_id INTEGER PRIMARY KEY, bytes INTEGER NOT NULL, sha256 TEXT NOT NULL) STRICT;
  CREATE TABLE own_looks (file_id INTEGER PRIMARY KEY, pending INTEGER NOT NULL, counted INTEGER NOT NULL) STRICT;
  -- Rows that waited to be looked up after an older journal was set aside are compared before they are sent, as all others are now.
  UPDATE transfers SET state = 'queued', reason = NULL, message = NULL, until = NULL, intent_at = NULL
    WHERE state = 'unknown' AND attempts = 0;
  `,
  `
  -- The file's name when its last request went out: a lost upload is looked for under it, whatever the file is called by now. Null = sent by
  -- a version that did not keep it.
  ALTER TABLE transfers ADD COLUMN sent_name TEXT;
  UPDATE transfers SET sent_name = name WHERE state IN ('uploading', 'unknown');
  `,
  `
  -- How and when the answer to the last request was lost; null: it was not. 'unproved' = how often this version was given up as not arrived
  -- without proof. 'doubts' = lost uploads that may still turn up, by their first intent. 'twins' = second copies of own uploads.
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
]
