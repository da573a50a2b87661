// A time series as bars or a line in SVG, with the values beside it and labels below. Each plot is also
// available as text: a summary, a table for screen readers, and the value of the bar under the pointer or
// selected with the arrow keys.
import { type KeyboardEvent, type PointerEvent, type ReactNode, useId, useState } from 'react'
import { axisValues, lineScale, scaleOf } from './series.ts'

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

export interface PlotProps {
  readonly title: string
  readonly summary: string
  readonly bars: readonly PlotBar[]
  readonly ticks: readonly Tick[]
  /** A value of the axis as text. */
  readonly shown: (value: number) => string
  readonly limit?: number | null
  /** Whether to draw a line, for an amount that is kept, instead of bars. */
  readonly isLine?: boolean
  /** The column headings of the table. */
  readonly table: { readonly at: string; readonly value: string }
  readonly readHint: string
  /** Called with the bar under the pointer or selected with the arrow keys; null if there is none. */
  readonly onRead: (bar: PlotBar | null) => void
}

function isRightToLeft(element: HTMLElement): boolean {
  return getComputedStyle(element).direction === 'rtl'
}

/** Returns the index of the bar under the pointer, or null if there are no bars. */
function barAt(event: PointerEvent<HTMLElement>, count: number): number | null {
  const box = event.currentTarget.getBoundingClientRect()
  if (box.width === 0 || count === 0) return null
  const part = (event.clientX - box.left) / box.width
  const along = isRightToLeft(event.currentTarget) ? 1 - part : part
  return Math.min(count - 1, Math.max(0, Math.floor(along * count)))
}

/**
 * Returns the index of the bar that this key selects, or null if it isn't a navigation key or there are no
 * bars.
 */
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
  const [read, setRead] = useState<number | null>(null)
  const id = useId()
  const values = bars.flatMap((bar) => (bar.value === null ? [] : [bar.value]))
  const { top, line } = scaleOf(Math.max(0, ...values), limit)
  const axis = props.isLine === true ? lineScale(values) : axisValues(top)
  const scale = props.isLine === true ? { bottom: axis[0] ?? 0, top: axis.at(-1) ?? 1 } : { bottom: 0, top }

  const choose = (index: number | null): void => {
    setRead(index)
    onRead(index === null ? null : (bars[index] ?? null))
  }
  return (
    <div className="usage-plot">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Reading the bars changes nothing; the table has the same. */}
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
            style={{
              insetInlineStart: `${(read / bars.length) * 100}%`,
              inlineSize: `${100 / bars.length}%`,
            }}
          />
        )}
        <svg className="usage-plot-bars" aria-hidden="true">
          {axis.map((value) => {
            const y = `${100 - heightOf(value, scale)}%`
            return <line key={value} className="usage-plot-line" x2="100%" y1={y} y2={y} />
          })}
          {props.isLine === true ? (
            <Line bars={bars} scale={scale} />
          ) : (
            <Bars bars={bars} scale={scale} limit={line ? limit : null} />
          )}
        </svg>
      </div>
      <div className="usage-plot-axis small third figures" aria-hidden="true">
        {axis.map((value) => (
          <span key={value} style={{ insetBlockEnd: `${heightOf(value, scale)}%` }}>
            <bdi>{props.shown(value)}</bdi>
          </span>
        ))}
      </div>
      <Ticks ticks={props.ticks} count={bars.length} />
      <p className="hidden-text" id={`${id}-words`}>
        {props.summary} {props.readHint}
      </p>
      <ValueTable {...props} />
    </div>
  )
}

interface Scale {
  readonly bottom: number
  readonly top: number
}

/** Returns the height of a value above the bottom of the plot, in percent of the plot's height. */
function heightOf(value: number, { bottom, top }: Scale): number {
  return ((value - bottom) / (top - bottom)) * 100
}

/** The values as a line, whose points are in the middle of each bar's column. An unknown value is skipped. */
function Line({ bars, scale }: { readonly bars: readonly PlotBar[]; readonly scale: Scale }): ReactNode {
  const points = bars.flatMap(({ value }, i) =>
    value === null ? [] : [`${((i + 0.5) / bars.length) * 100},${100 - heightOf(value, scale)}`],
  )
  const [only] = points
  return (
    // Points can't be percentages, so the line has coordinates of its own. A single point is drawn as a dot.
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%" overflow="visible">
      <polyline
        className={`usage-plot-curve${points.length === 1 ? ' usage-plot-dot' : ''}`}
        points={points.length === 1 ? `${only} ${only}` : points.join(' ')}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}

/**
 * The bars, above the lines of the axis and below that of the limit. An unknown value leaves a gap. Sizes are
 * percentages of the area.
 */
function Bars(props: {
  readonly bars: readonly PlotBar[]
  readonly scale: Scale
  readonly limit: number | null
}): ReactNode {
  const { bars, scale } = props
  const y = (value: number): string => `${100 - heightOf(value, scale)}%`
  // Many thin bars need relatively wider gaps. A few bars get no wider than those of two weeks.
  const width = Math.min((bars.length > 40 ? 64 : 78) / bars.length, 6)
  return (
    <>
      {bars.map(({ value }, i) =>
        value === null || value <= 0 ? null : (
          // The area cuts off the lower part, so that only the upper corners are round.
          <rect
            key={i}
            x={`${((i + 0.5) / bars.length) * 100 - width / 2}%`}
            // A small value beside a much larger one stays visible.
            y={y(Math.max(value, scale.top / 100))}
            width={`${width}%`}
            height="110%"
            rx={bars.length > 40 ? 0.5 : 1.5}
          />
        ),
      )}
      {props.limit === null ? null : (
        <line className="usage-plot-limit" x2="100%" y1={y(props.limit)} y2={y(props.limit)} />
      )}
    </>
  )
}

/**
 * The labels below the bars. The first and the last are at the edges. If space is limited, every second label
 * between them is hidden.
 */
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
            <bdi>{tick.label}</bdi>
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
