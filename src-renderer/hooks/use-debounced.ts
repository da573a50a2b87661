// Debounces a value, for input that changes faster than it can be processed.
// The first value is returned immediately.
import { useEffect, useState } from 'react'

/** Returns the last value that stayed unchanged for `pauseMs` milliseconds. */
export function useDebounced<T>(value: T, pauseMs: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value, pauseMs])
  return settled
}
