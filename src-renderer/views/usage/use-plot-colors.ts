// The colours of the plots. They are read from the style sheets again whenever the theme, the contrast or the system's colours change.
// A canvas doesn't inherit colours from style sheets.
import { useEffect, useState } from 'react'

export interface PlotColors {
  readonly bar: string
  readonly limit: string
}

function readPlotColors(): PlotColors {
  const style = getComputedStyle(document.documentElement)
  return { bar: style.getPropertyValue('--plot').trim(), limit: style.getPropertyValue('--waiting').trim() }
}

export function usePlotColors(): PlotColors {
  const [colors, setColors] = useState(readPlotColors)
  useEffect(() => {
    const readAgain = (): void =>
      setColors((before) => {
        const after = readPlotColors()
        return after.bar === before.bar && after.limit === before.limit ? before : after
      })
    readAgain()
    const theme = new MutationObserver(readAgain)
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class', 'style'] })
    const media = ['(forced-colors: active)', '(prefers-contrast: more)', '(prefers-color-scheme: dark)'].map((query) => matchMedia(query))
    for (const one of media) one.addEventListener('change', readAgain)
    return () => {
      theme.disconnect()
      for (const one of media) one.removeEventListener('change', readAgain)
    }
  }, [])
  return colors
}
