// A debounced value, for input that is typed faster than it can be answered.
// The first value applies immediately.
import { useEffect, useState } from 'react'

/** The value as it was when it last stayed the same for `pauseMs`. */
export function useDebounced<T>(value: T, pauseMs: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value, pauseMs])
  return settled
}
