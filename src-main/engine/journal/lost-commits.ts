// Detects whether a journal's write-ahead log (WAL) has lost commits. SQLite treats the first damaged frame as the end of the log and
// silently drops everything after it, so uploads confirmed in the dropped commits would be sent again. Pure. For the layouts, see "The
// Write-Ahead Log" and "WAL-Index File Format" in SQLite's documentation.

const LOG_HEADER = 32
const FRAME_HEADER = 24
/** Size of the index header in bytes. The header is stored twice, followed by the number of frames that are already in the database. */
const INDEX_HEADER = 48
const MAGIC = 0x377f0682

/** The state of the log according to its index. The index isn't synced, but it survives a killed process. */
interface LogIndex {
  readonly frames: number
  /** How many of these frames a checkpoint has copied into the database. */
  readonly copied: number
}

function readIndex(index: Uint8Array | null): LogIndex | null {
  if (index === null || index.length < 2 * INDEX_HEADER + 4) return null
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength)
  for (let at = 0; at < INDEX_HEADER; at++) if (index[at] !== index[at + INDEX_HEADER]) return null
  // Byte 12 is 1 once the header is initialized. Numbers are in the machine's byte order; Slipway runs only on little-endian machines.
  if (index[12] !== 1) return null
  return { frames: view.getUint32(16, true), copied: view.getUint32(2 * INDEX_HEADER, true) }
}

type Sum = readonly [number, number]

function checksum(view: DataView, from: number, to: number, isLittle: boolean, [first, second]: Sum): Sum {
  let a = first
  let b = second
  for (let at = from; at < to; at += 8) {
    a = (a + view.getUint32(at, isLittle) + b) >>> 0
    b = (b + view.getUint32(at + 4, isLittle) + a) >>> 0
  }
  return [a, b]
}

/**
 * `committed`: number of frames up to the last intact commit. `isCutShort`: a commit written since the WAL was last reset is damaged or
 * follows a damaged frame.
 */
function readLog(log: Uint8Array): { readonly committed: number; readonly isCutShort: boolean } {
  const nothing = { committed: 0, isCutShort: false }
  if (log.length < LOG_HEADER) return nothing
  const view = new DataView(log.buffer, log.byteOffset, log.byteLength)
  const magic = view.getUint32(0)
  if (magic >>> 1 !== MAGIC >>> 1) return nothing
  const isLittle = (magic & 1) === 0
  const pageSize = view.getUint32(8)
  if (pageSize < 512 || pageSize > 65_536 || (pageSize & (pageSize - 1)) !== 0) return nothing
  let sum = checksum(view, 0, 24, isLittle, [0, 0])
  if (sum[0] !== view.getUint32(24) || sum[1] !== view.getUint32(28)) return nothing
  const size = FRAME_HEADER + pageSize
  let committed = 0
  let isWhole = true
  for (let at = LOG_HEADER, frame = 1; at + size <= log.length; at += size, frame++) {
    // Frames left over from before the WAL was reset have different salts.
    if (view.getUint32(at + 8) !== view.getUint32(16) || view.getUint32(at + 12) !== view.getUint32(20)) {
      if (isWhole) break
      continue
    }
    const isCommit = view.getUint32(at + 4) !== 0
    if (isWhole) {
      sum = checksum(view, at + FRAME_HEADER, at + size, isLittle, checksum(view, at, at + 8, isLittle, sum))
      isWhole = sum[0] === view.getUint32(at + 16) && sum[1] === view.getUint32(at + 20)
    }
    if (isCommit && isWhole) committed = frame
    else if (isCommit) return { committed, isCutShort: true }
  }
  return { committed, isCutShort: false }
}

/**
 * Whether commits are missing from the log. `log`: the content of the `-wal` file; `index`: the content of the `-shm` file, read before the
 * log. Each is null if its file is missing or unreadable; after an orderly shutdown, both files are missing.
 */
export function hasLostCommits(log: Uint8Array | null, index: Uint8Array | null): boolean {
  const { committed, isCutShort } = readLog(log ?? new Uint8Array(0))
  const told = readIndex(index)
  return isCutShort || (told !== null && told.frames > Math.max(committed, told.copied))
}
