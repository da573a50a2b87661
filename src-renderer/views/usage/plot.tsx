// A time series as a bar chart, with labels below. Each plot is also available as text: a summary, a table for screen readers, and the
// value of the bar under the pointer or selected with the arrow keys.
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { drawPlot } from './draw-plot.ts'
import { usePlotColors } from './use-plot-colors.ts'

export interface PlotBar {
  /** The time as text: `12 Nov`. */
  readonly at: string
  /** Null if unknown. */
  readonly value: number | null
  /** The value as text. */
  readonly words: string
}

interface Tick {
  readonly index: number
  readonly label: string
}

interface PlotProps {
  readonly title: string
  readonly summary: string
  readonly bars: readonly PlotBar[]
  readonly ticks: readonly Tick[]
  readonly limit?: number | null
  /** The column headings of the table. */
  readonly table: { readonly at: string; readonly value: string }
  readonly readHint: string
  /** Called with the bar under the pointer or selected with the arrow keys; null if there is none. */
  readonly onRead: (bar: PlotBar | null) => void
}

function isRightToLeft(element: HTMLElement): boolean {
  return getComputedStyle(element).direction === 'rtl'
}

function isSameList(a: readonly (number | null)[], b: readonly (number | null)[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i])
}

/** Returns the values of the bars. The array stays the same object until a value changes. */
function useValues(bars: readonly PlotBar[]): readonly (number | null)[] {
  const values = bars.map((bar) => bar.value)
  const kept = useRef(values)
  if (!isSameList(kept.current, values)) kept.current = values
  return kept.current
}

/** Returns the index of the bar under the pointer, or null if there are no bars. */
function barAt(event: PointerEvent<HTMLElement>, count: number): number | null {
  const box = event.currentTarget.getBoundingClientRect()
  if (box.width === 0 || count === 0) return null
  const part = (event.clientX - box.left) / box.width
  const along = isRightToLeft(event.currentTarget) ? 1 - part : part
  return Math.min(count - 1, Math.max(0, Math.floor(along * count)))
}

/** Returns the index of the bar that this key selects, or null if it isn't a navigation key or there are no bars. */
function barAfterKey(event: KeyboardEvent<HTMLElement>, read: number | null, count: number): number | null {
  if (count === 0) return null
  if (event.key === 'Home') return 0
  if (event.key === 'End') return count - 1
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return null
  if (read === null) return count - 1
  const isBack = (event.key === 'ArrowRight') === isRightToLeft(event.currentTarget)
  return Math.min(count - 1, Math.max(0, read + (isBack ? -1 : 1)))
}

export function Plot(props: PlotProps): ReactNode {
  const { bars, limit = null, onRead } = props
  const colors = usePlotColors()
  const values = useValues(bars)
  const canvas = useRef<HTMLDivElement>(null)
  const [read, setRead] = useState<number | null>(null)
  const id = useId()
  useEffect(() => (canvas.current === null ? undefined : drawPlot(canvas.current, values, limit, colors)), [values, limit, colors])

  const choose = (index: number | null): void => {
    setRead(index)
    onRead(index === null ? null : (bars[index] ?? null))
  }
  return (
    <div className="usage-plot">
      <div
        className="usage-plot-area"
        role="img"
        aria-label={props.title}
        aria-describedby={`${id}-words`}
        tabIndex={0}
        onPointerMove={(event) => {
          const index = barAt(event, bars.length)
          if (index !== null && index !== read) choose(index)
        }}
        onPointerLeave={() => choose(null)}
        onKeyDown={(event) => {
          const index = barAfterKey(event, read, bars.length)
          if (index === null) return
          event.preventDefault()
          choose(index)
        }}
        onBlur={() => choose(null)}
      >
        {read === null ? null : (
          <span
            className="usage-plot-column"
            style={{ insetInlineStart: `${(read / bars.length) * 100}%`, inlineSize: `${100 / bars.length}%` }}
          />
        )}
        <div className="usage-plot-canvas" ref={canvas} />
      </div>
      <Ticks ticks={props.ticks} count={bars.length} />
      <p className="hidden-text" id={`${id}-words`}>
        {props.summary} {props.readHint}
      </p>
      <ValueTable {...props} />
    </div>
  )
}

/** The labels below the bars. The first and the last are at the edges. If space is limited, every second label between them is hidden. */
function Ticks({ ticks, count }: { readonly ticks: readonly Tick[]; readonly count: number }): ReactNode {
  return (
    <div className="usage-plot-ticks small third" aria-hidden="true">
      {ticks.map((tick, i) => {
        // A single bar is centred, and so is its label.
        const isEdge = ticks.length > 1 && (i === 0 || i === ticks.length - 1)
        const edge = i === 0 ? 'usage-tick-first' : 'usage-tick-last'
        const inner = i % 2 === 1 && ticks.length > 3 ? 'usage-tick usage-tick-odd' : 'usage-tick'
        return (
          <span
            key={tick.index}
            className={isEdge ? edge : inner}
            style={isEdge ? undefined : { insetInlineStart: `${((tick.index + 0.5) / count) * 100}%` }}
          >
            {tick.label}
          </span>
        )
      })}
    </div>
  )
}

function ValueTable({ title, table, bars }: PlotProps): ReactNode {
  return (
    <div className="hidden-text">
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{table.at}</th>
            <th scope="col">{table.value}</th>
          </tr>
        </thead>
        <tbody>
          {bars.map((bar, i) => (
            <tr key={`${String(i)} ${bar.at}`}>
              <th scope="row">{bar.at}</th>
              <td>{bar.words}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
