// Collects the place, which consists of the views, lists, selections and scroll positions of a page that is
// unloaded while the window is hidden. The next page restores the place and so looks the same. Each file with
// such state registers it here. The main process only stores the place, as text.
import { type Dispatch, type SetStateAction, useEffect, useState } from 'react'
import { onAccountSwitch } from './account-switch.ts'

/** One part of the place. Its value consists of plain data, maps and sets. */
interface Part<T> {
  readonly take: () => T
  readonly put: (value: T) => void
}

const parts = new Map<string, { readonly take: () => unknown; readonly put: (value: never) => void }>()
/** Values from the previous page for views that haven't been opened, or loaded, yet. */
const left = new Map<string, unknown>()
// These values belong to the previous account.
onAccountSwitch(() => left.clear())

export function keepInPlace<T>(name: string, part: Part<T>): void {
  parts.set(name, part)
  if (!left.has(name)) return
  part.put(left.get(name) as T)
  left.delete(name)
}

/** Like `useState`, but starts with the value that the previous page left under `name`, if it left one. */
export function usePlace<T>(name: string, initial: T): [T, Dispatch<SetStateAction<T>>] {
  const [value, setValue] = useState<T>(() => {
    const had = left.has(name) ? (left.get(name) as T) : initial
    left.delete(name)
    return had
  })
  useEffect(() => {
    keepInPlace<T>(name, { take: () => value, put: () => undefined })
    return () => void parts.delete(name)
  }, [name, value])
  return [value, setValue]
}

export function takePlace(): string {
  const place = Object.fromEntries([
    ...left,
    ...[...parts].map(([name, { take }]) => [name, take()] as const),
  ])
  return JSON.stringify(place, (_key, value: unknown) =>
    value instanceof Map ? { asMap: [...value] } : value instanceof Set ? { asSet: [...value] } : value,
  )
}

/** Restores a place that `takePlace` returned in an earlier page. Call before the views are rendered. */
export function putPlace(place: string): void {
  const values = JSON.parse(place, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value
    if ('asMap' in value) return new Map(value.asMap as [unknown, unknown][])
    return 'asSet' in value ? new Set(value.asSet as unknown[]) : value
  }) as Record<string, never>
  for (const [name, value] of Object.entries<never>(values)) {
    const part = parts.get(name)
    if (part === undefined) left.set(name, value)
    else part.put(value)
  }
}
