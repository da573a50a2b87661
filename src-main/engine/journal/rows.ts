// Reads SQLite values with their types.
// A value whose type the schema doesn't allow is a bug, and throws.
import type { SQLOutputValue } from 'node:sqlite'
import type { Row } from './open.ts'

export function text(row: Row, key: string): string {
  const value = row[key]
  if (typeof value !== 'string') throw new Error(`journal: ${key} is not text`)
  return value
}

export function textOrNull(row: Row, key: string): string | null {
  return row[key] === null ? null : text(row, key)
}

export function number(row: Row, key: string): number {
  const value = row[key]
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  throw new Error(`journal: ${key} is not a number`)
}

export function numberOrNull(row: Row, key: string): number | null {
  return row[key] === null ? null : number(row, key)
}

export function flag(row: Row, key: string): boolean {
  return number(row, key) !== 0
}

/** Like `text`, for a row that was read as an array. `at`: index of the column. */
export function textAt(row: readonly SQLOutputValue[], at: number): string {
  const value = row[at]
  if (typeof value !== 'string') throw new Error(`journal: column ${at} is not text`)
  return value
}

export function textOrNullAt(row: readonly SQLOutputValue[], at: number): string | null {
  return row[at] === null ? null : textAt(row, at)
}

export function numberAt(row: readonly SQLOutputValue[], at: number): number {
  const value = row[at]
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  throw new Error(`journal: column ${at} is not a number`)
}

export function numberOrNullAt(row: readonly SQLOutputValue[], at: number): number | null {
  return row[at] === null ? null : numberAt(row, at)
}
