// The height of a row in pixels, for lists that position their rows themselves. The style sheets define it as
// a token that depends on text size and density. The height in pixels is measured with a hidden element.
import { useLayoutEffect, useState } from 'react'

type HeightToken = '--column-head' | '--row' | '--row-transfer' | '--row-head'

/**
 * Returns the height that the token defines, in CSS pixels; before the first layout, returns `firstGuess`.
 */
export function useRowHeight(token: HeightToken, firstGuess: number): number {
  const [height, setHeight] = useState(firstGuess)
  useLayoutEffect(() => {
    const probe = document.createElement('div')
    probe.className = 'height-probe'
    probe.style.blockSize = `var(${token})`
    document.body.append(probe)
    const measure = (): void => {
      const measured = probe.getBoundingClientRect().height
      if (measured > 0) setHeight(measured)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(probe)
    return () => {
      observer.disconnect()
      probe.remove()
    }
  }, [token])
  return height
}
