// A small line chart of a few values over time, drawn as SVG.
// It is hidden from screen readers, which read the number next to it.
import type { ReactNode } from 'react'

const WIDTH = 44
const HEIGHT = 14

export function Sparkline({ points }: { readonly points: readonly number[] }): ReactNode {
  if (points.length < 2) return null
  const most = Math.max(...points)
  const least = Math.min(...points)
  const span = most - least || 1
  const path = points
    .map((value, i) => {
      const x = (i / (points.length - 1)) * WIDTH
      const y = HEIGHT - 1.5 - ((value - least) / span) * (HEIGHT - 3)
      return `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`
    })
    .join('')
  return (
    <svg
      className="sparkline"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true"
    >
      <path
        d={path}
        fill="none"
        stroke="var(--accent)"
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  )
}
