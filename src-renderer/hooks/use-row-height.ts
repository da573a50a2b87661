// The height of a row in pixels, for lists that place their rows themselves. The style sheets define it as a token, which grows with the size
// of text and shrinks with the density; a hidden element measures what the token comes to.
import { useLayoutEffect, useState } from 'react'

type HeightToken = '--row' | '--row-transfer' | '--row-head'

/** In CSS pixels, from the first layout on. `firstGuess` counts until then. */
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
