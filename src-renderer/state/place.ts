// The place that a page leaves when it is let go while the window is hidden: views, lists, selections and scroll positions, for the next page to
// look the same. Whatever outlives its view registers here, as it does in account-switch.ts; what is only text on the way to main and back.
import { type Dispatch, type SetStateAction, useEffect, useState } from 'react'

/** A value of plain data, maps and sets. */
interface Part<T> {
  readonly take: () => T
  readonly put: (value: T) => void
}

const parts = new Map<string, { readonly take: () => unknown; readonly put: (value: never) => void }>()
/** What the page before this one left in views that haven't been opened yet. */
const left = new Map<string, unknown>()

export function keepInPlace<T>(name: string, part: Part<T>): void {
  parts.set(name, part)
}

/** Like `useState`, but a page that takes the place of another begins with the value that was there. */
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
  const place = Object.fromEntries([...parts].map(([name, { take }]) => [name, take()]))
  return JSON.stringify(place, (_key, value: unknown) =>
    value instanceof Map ? { asMap: [...value] } : value instanceof Set ? { asSet: [...value] } : value,
  )
}

/** `place`: as `takePlace` of an earlier page gave it. Before the first view is drawn. */
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
