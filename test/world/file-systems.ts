// What the in-memory disk shows of a file system: which names are the same file, which can't exist, and how
// precise times are. A real disk of the kind is compared with it where the tests run on one
// (disk-conformance.test.ts).

/** `fat` is FAT32. All but ext4 and nfs keep the letter case of a name but find the file in any. */
export type FileSystem = 'ext4' | 'apfs' | 'ntfs' | 'fat' | 'nfs'

export interface FileSystemRules {
  /** Names with the same key are the same file. */
  keyOf(name: string): string
  canExist(name: string): boolean
  /** A time in milliseconds as the file system records it. */
  record(time: number): number
  /** Whether there is a change time. If not, Linux shows the modification time in its place. */
  readonly hasChangeTime: boolean
  readonly hasBirthTime: boolean
}

const FAT_STEP_MS = 2000

/**
 * NTFS has a table with one capital letter for each UTF-16 unit, so that it knows neither `SS` for `ß` nor
 * other forms of an accent.
 */
function capitals(name: string): string {
  return name
    .split('')
    .map((unit) => {
      const capital = unit.toUpperCase()
      return capital.length === 1 && (unit < '\u0080' || capital >= '\u0080') ? capital : unit
    })
    .join('')
}

/**
 * Whether Windows' own file systems accept the name. Only programs refuse names such as `aux` and `a.`, and
 * Node isn't one of them.
 */
function isWindowsName(name: string): boolean {
  return name.split('').every((unit) => unit >= ' ' && !'"*:<>?|'.includes(unit))
}

const same = <T>(value: T): T => value

/**
 * ext4's nanoseconds and NTFS's units of 100 ns are finer than a time in Node, which is a JavaScript number
 * of milliseconds.
 */
export const FILE_SYSTEMS: Readonly<Record<FileSystem, FileSystemRules>> = {
  ext4: { keyOf: same, canExist: () => true, record: same, hasChangeTime: true, hasBirthTime: true },
  nfs: { keyOf: same, canExist: () => true, record: same, hasChangeTime: true, hasBirthTime: false },
  apfs: {
    keyOf: (name) => name.normalize('NFC').toLowerCase(),
    canExist: () => true,
    record: same,
    hasChangeTime: true,
    hasBirthTime: true,
  },
  ntfs: { keyOf: capitals, canExist: isWindowsName, record: same, hasChangeTime: true, hasBirthTime: true },
  fat: {
    keyOf: capitals,
    canExist: isWindowsName,
    record: (time) => Math.floor(time / FAT_STEP_MS) * FAT_STEP_MS,
    hasChangeTime: false,
    hasBirthTime: true,
  },
}
