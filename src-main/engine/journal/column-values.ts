// Reads SQLite values as the types that the caller expects, and throws on any other type: the tables are
// STRICT, so that is a bug. `likeFolded` turns the text of a search into a pattern for SQL.
import type { SQLOutputValue } from 'node:sqlite'
import { foldText } from '../../../src-shared/fold-text.ts'
import type { Bind, Database, Row } from './database.ts'

function asText(value: SQLOutputValue | undefined, column: string | number): string {
  if (typeof value !== 'string') throw new Error(`journal: column ${column} is not text`)
  return value
}

function asNumber(value: SQLOutputValue | undefined, column: string | number): number {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  throw new Error(`journal: column ${column} is not a number`)
}

export function text(row: Row, key: string): string {
  return asText(row[key], key)
}

export function textOrNull(row: Row, key: string): string | null {
  return row[key] === null ? null : text(row, key)
}

export function number(row: Row, key: string): number {
  return asNumber(row[key], key)
}

export function numberOrNull(row: Row, key: string): number | null {
  return row[key] === null ? null : number(row, key)
}

export function flag(row: Row, key: string): boolean {
  return number(row, key) !== 0
}

/** Like `text`, for a row that was read as an array. `at`: index of the column. */
export function textAt(row: readonly SQLOutputValue[], at: number): string {
  return asText(row[at], at)
}

export function textOrNullAt(row: readonly SQLOutputValue[], at: number): string | null {
  return row[at] === null ? null : textAt(row, at)
}

export function numberAt(row: readonly SQLOutputValue[], at: number): number {
  return asNumber(row[at], at)
}

export function numberOrNullAt(row: readonly SQLOutputValue[], at: number): number | null {
  return row[at] === null ? null : numberAt(row, at)
}

// Turns the text of a search into a pattern for SQL. Pure. The columns that are searched contain text that
// was folded in the same way (src-shared/fold-text.ts).

/** Returns a pattern that matches `search` anywhere in folded text, for `LIKE ? ESCAPE '\'`. */
export function likeFolded(search: string): string {
  return `%${foldText(search).replaceAll(/[\\%_]/g, '\\$&')}%`
}

/** The first column of each row that the query finds. */
export function numbers(db: Pick<Database, 'allValues'>, sql: string, ...bind: Bind[]): number[] {
  return db.allValues(sql, ...bind).map((row) => numberAt(row, 0))
}

/** The only column of the only row that the query finds; null if it finds none, or NULL. */
export function oneNumber(db: Pick<Database, 'values'>, sql: string, ...bind: Bind[]): number | null {
  const row = db.values(sql, ...bind)
  return row === null ? null : numberOrNullAt(row, 0)
}

/** Whether the query finds a row. */
export function has(db: Pick<Database, 'values'>, sql: string, ...bind: Bind[]): boolean {
  return db.values(sql, ...bind) !== null
}
