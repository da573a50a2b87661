// Turns an error of the data folder, its disk or the journal into a message and a hint for the user. Callers
// treat all other errors as internal errors.
import { closeSync, openSync } from 'node:fs'
import type { Failure } from '../../../src-shared/engine-contract.ts'
import { JournalError, writeTrouble } from '../../engine/journal/disk-trouble.ts'
import { openFilesText } from '../disk/disk-errors.ts'
import { DataFolderError, makePrivateDir } from './private-dir.ts'

/**
 * Describes a disk error, or a data folder or journal that can't be used. Returns null for any other error.
 */
export function diskFailure(error: unknown, dir: string): Failure | null {
  const [what, next] = openFilesText(error)?.split(': ') ?? openFilesNow(error)?.split(': ') ?? []
  if (what !== undefined && next !== undefined)
    return {
      code: 'disk',
      title: `The files in ${dir} can't be opened: ${what}.`,
      hint: `${next.replace(/^./, (letter) => letter.toUpperCase())}, then try again. Nothing is lost.`,
    }
  const isFolder = error instanceof DataFolderError
  const trouble = writeTrouble(isFolder && isSystemError(error.cause) ? error.cause : error)
  if (isFolder && trouble === null) return { code: 'usage', title: error.message, hint: error.hint }
  if (error instanceof JournalError)
    return { code: 'journal-unusable', title: error.message, hint: error.hint }
  if (trouble === null) return sqliteFailure(error, dir)
  const hint = {
    full: 'Free up space on this disk, then try again. Nothing is lost.',
    'read-only': 'Set SLIPWAY_DATA_DIR to a folder that can be written to.',
    failing: 'Check the disk, then try again. For details: slipway doctor',
    locked: 'Close that program, such as a database browser or a backup, then try again. Nothing is lost.',
  }[trouble]
  return { code: 'disk', title: `Couldn't write to disk: ${troubleText(trouble)} in ${dir}.`, hint }
}

/** How many more files SQLite and the threads may have had open when they failed. */
const SPARE_FILES = 16

/** SQLite only says that it can't open or read a file, so whether others can be opened shows why. */
function openFilesNow(error: unknown): string | null {
  if (writeTrouble(error) !== 'failing') return null
  const opened: number[] = []
  try {
    while (opened.length < SPARE_FILES) opened.push(openSync(process.execPath, 'r'))
    return null
  } catch (fault) {
    return openFilesText(fault)
  } finally {
    for (const file of opened) closeSync(file)
  }
}

/** Describes any other error of SQLite, whose own words would mean nothing to the user. */
function sqliteFailure(error: unknown, dir: string): Failure | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null
  return {
    code: 'journal-unusable',
    title: `Couldn't use the journal in ${dir} (SQLite error ${error.errcode}).`,
    hint: 'Try again. If it fails again, set SLIPWAY_DATA_DIR to a new folder; nothing is lost on the service.',
  }
}

/**
 * Whether a system call reported the error, as on a read-only disk. False for an error of SQLite, whose code
 * for a file that can't be opened doesn't include the cause.
 */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

/**
 * Returns why a file in the data folder can't be read or written. Null means that neither the disk nor the
 * folder caused the error. Creates the folder if it is missing.
 */
export function folderFailure(error: unknown, dir: string): Failure | null {
  const failure = diskFailure(error, dir)
  if (failure !== null) return failure
  try {
    makePrivateDir(dir)
    return fileFailure(error, dir)
  } catch (fault) {
    return diskFailure(fault, dir)
  }
}

/**
 * Describes an error about a single file in the data folder, for example one that belongs to root because
 * Slipway once ran with sudo. Returns null for any other error.
 */
function fileFailure(error: unknown, dir: string): Failure | null {
  if (
    !(error instanceof Error) ||
    !('path' in error) ||
    typeof error.path !== 'string' ||
    !error.path.startsWith(dir)
  )
    return null
  return {
    code: 'usage',
    title: `The data folder ${dir} can't be used: ${error.message}`,
    hint: 'Check the owner and the permissions of this file, or set SLIPWAY_DATA_DIR to another folder.',
  }
}

function troubleText(trouble: NonNullable<ReturnType<typeof writeTrouble>>): string {
  return {
    full: 'no space left',
    'read-only': 'no writing is allowed',
    failing: 'the disk reports errors',
    locked: 'another program has locked the journal',
  }[trouble]
}
