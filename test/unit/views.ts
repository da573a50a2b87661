// What the engine shows, with plain values for all fields that a test doesn't set.
import type { Account, Counts, Folder, RemoteRow, Snapshot, Transfer } from '../../src-shared/model.ts'

export const NO_COUNTS: Counts = {
  settling: 0,
  queued: 0,
  uploading: 0,
  waiting: 0,
  paused: 0,
  held: 0,
  unknown: 0,
  failed: 0,
  cancelled: 0,
  gone: 0,
  done: 0,
}

/** A queued upload. Its name is that in its path. */
export function transferView(fields: Partial<Transfer> & Pick<Transfer, 'id' | 'path'>): Transfer {
  return {
    name: fields.path.split('/').at(-1) ?? '',
    folderId: null,
    source: 'upload',
    size: 1000,
    state: 'queued',
    reason: null,
    message: null,
    until: null,
    sent: 0,
    attempts: 0,
    sha256: null,
    fileId: null,
    publicLink: null,
    filename: null,
    adopted: false,
    createdAt: 0,
    doneAt: null,
    ...fields,
  }
}

/** A folder that is watched, and was scanned at `lastScanAt`. */
export function folderView(fields: Partial<Folder> & Pick<Folder, 'path' | 'lastScanAt'>): Folder {
  return {
    id: 1,
    existing: 'upload',
    onChange: 'new-link',
    ignore: [],
    state: 'watching',
    watching: 'events',
    message: null,
    ...fields,
  }
}

/** An account that works, with nothing to do. */
export function snapshotView(account: Account, fields: Partial<Snapshot> = {}): Snapshot {
  return {
    seq: 1,
    version: '0.0.0',
    account,
    paused: false,
    gate: null,
    minute: { limit: 50, used: 0, nextAt: null },
    day: { limit: 10_000, used: 0, nextAt: null },
    dailyUploads: { limit: 100, used: 0, nextAt: null },
    counts: NO_COUNTS,
    folders: [],
    progress: { speed: 0, etaMs: null, sentBytes: 0, totalBytes: 0, active: [] },
    health: [],
    stored: { files: null, bytes: null },
    ...fields,
  }
}

/** An ordinary row of the catalog, as the engine passes it to a window. */
export function remoteRow(fileId: number, fields: Partial<RemoteRow> = {}): RemoteRow {
  return {
    fileId,
    filename: `file-${fileId}.jpg`,
    size: 1,
    bytes: 1000,
    uploadDate: null,
    uploadedAt: null,
    downloadCount: 0,
    publicLink: `https://files.example.com/d/${fileId}`,
    localPath: null,
    sha256: null,
    kind: 'picture',
    transferId: null,
    source: null,
    original: null,
    pulse: [],
    ...fields,
  }
}
