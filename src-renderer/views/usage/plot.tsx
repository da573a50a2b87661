// Bars over time, drawn by uPlot on a canvas, with labels as text of the page so that they grow, mirror and recolour with it. Each plot says
// the same in words: a sentence, a table for who hears the page, and the value of the bar below the pointer or chosen by arrow keys.
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { scaleOf } from './series.ts'

export interface PlotBar {
  /** The moment in words, whole: `12 Nov`. */
  readonly at: string
  readonly value: number | null
  /** The value in words. */
  readonly words: string
}

interface Ink {
  readonly bar: string
  readonly limit: string
}

function readInk(): Ink {
  const style = getComputedStyle(document.documentElement)
  return { bar: style.getPropertyValue('--plot').trim(), limit: style.getPropertyValue('--waiting').trim() }
}

/** The colours of the page, read again whenever the theme, the contrast or the system's own colours change. */
function useInk(): Ink {
  const [ink, setInk] = useState(readInk)
  useEffect(() => {
    const look = (): void =>
      setInk((before) => {
        const after = readInk()
        return after.bar === before.bar && after.limit === before.limit ? before : after
      })
    look()
    const theme = new MutationObserver(look)
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class', 'style'] })
    const media = ['(forced-colors: active)', '(prefers-contrast: more)', '(prefers-color-scheme: dark)'].map((query) => matchMedia(query))
    for (const one of media) one.addEventListener('change', look)
    return () => {
      theme.disconnect()
      for (const one of media) one.removeEventListener('change', look)
    }
  }, [])
  return ink
}

function drawLimit(limit: number, colour: string): (plot: uPlot) => void {
  return (plot) => {
    const y = Math.round(plot.valToPos(limit, 'y', true)) + 0.5
    const { ctx, bbox } = plot
    ctx.save()
    ctx.strokeStyle = colour
    ctx.lineWidth = Math.max(1, Math.round(devicePixelRatio))
    ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio])
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
    ctx.restore()
  }
}

function createPlot(at: HTMLElement, values: readonly (number | null)[], limit: number | null, ink: Ink): uPlot {
  const most = Math.max(0, ...values.map((value) => value ?? 0))
  const { top, line } = scaleOf(most, limit)
  const count = values.length
  // Many thin bars need a larger part of gap, or rounding to whole pixels makes one of them.
  const bars = uPlot.paths.bars?.({ size: [count > 40 ? 0.64 : 0.78, 40], radius: 0.09 })
  return new uPlot(
    {
      width: Math.max(1, at.clientWidth),
      height: Math.max(1, at.clientHeight),
      padding: [0, 0, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      axes: [{ show: false }, { show: false }],
      scales: {
        x: { time: false, range: () => [-0.5, Math.max(1, count) - 0.5], dir: getComputedStyle(at).direction === 'rtl' ? -1 : 1 },
        y: { range: () => [0, top] },
      },
      series: [{}, { fill: ink.bar, width: 0, points: { show: false }, ...(bars === undefined ? {} : { paths: bars }) }],
      hooks: line && limit !== null ? { draw: [drawLimit(limit, ink.limit)] } : {},
    },
    [values.map((_, index) => index), [...values]],
    at,
  )
}

export function Plot(props: {
  readonly title: string
  readonly summary: string
  readonly bars: readonly PlotBar[]
  readonly ticks: readonly { readonly index: number; readonly label: string }[]
  readonly limit?: number | null
  readonly table: { readonly at: string; readonly value: string }
  readonly readHint: string
  readonly onRead: (bar: PlotBar | null) => void
}): ReactNode {
  const ink = useInk()
  const canvas = useRef<HTMLDivElement>(null)
  const [read, setRead] = useState<number | null>(null)
  const id = useId()
  const { bars, limit = null, onRead } = props
  const key = JSON.stringify([bars.map((bar) => bar.value), limit])

  useEffect(() => {
    const at = canvas.current
    if (at === null) return undefined
    const [values, line] = JSON.parse(key) as [(number | null)[], number | null]
    const plot = createPlot(at, values, line, ink)
    const resize = new ResizeObserver(() => plot.setSize({ width: Math.max(1, at.clientWidth), height: Math.max(1, at.clientHeight) }))
    resize.observe(at)
    return () => {
      resize.disconnect()
      plot.destroy()
    }
  }, [key, ink])

  const choose = (index: number | null): void => {
    setRead(index)
    onRead(index === null ? null : (bars[index] ?? null))
  }
  const onPointer = (event: PointerEvent<HTMLDivElement>): void => {
    const box = event.currentTarget.getBoundingClientRect()
    if (box.width === 0 || bars.length === 0) return
    const part = (event.clientX - box.left) / box.width
    const along = getComputedStyle(event.currentTarget).direction === 'rtl' ? 1 - part : part
    const index = Math.min(bars.length - 1, Math.max(0, Math.floor(along * bars.length)))
    if (index !== read) choose(index)
  }
  const onKey = (event: KeyboardEvent<HTMLDivElement>): void => {
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const from = read ?? bars.length - 1
    const to =
      event.key === 'ArrowLeft' || event.key === 'ArrowRight'
        ? read === null
          ? from
          : from + ((event.key === 'ArrowRight') === rtl ? -1 : 1)
        : event.key === 'Home'
          ? 0
          : event.key === 'End'
            ? bars.length - 1
            : null
    if (to === null || bars.length === 0) return
    event.preventDefault()
    choose(Math.min(bars.length - 1, Math.max(0, to)))
  }

  return (
    <div className="usage-plot">
      <div
        className="usage-plot-area"
        role="img"
        aria-label={props.title}
        aria-describedby={`${id}-words`}
        tabIndex={0}
        onPointerMove={onPointer}
        onPointerLeave={() => choose(null)}
        onKeyDown={onKey}
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
      <div className="usage-plot-ticks small third" aria-hidden="true">
        {props.ticks.map((tick, i) => {
          if (i === 0)
            return (
              <span key={tick.index} className="usage-tick-first">
                {tick.label}
              </span>
            )
          if (i === props.ticks.length - 1)
            return (
              <span key={tick.index} className="usage-tick-last">
                {tick.label}
              </span>
            )
          return (
            <span
              key={tick.index}
              className={i % 2 === 1 && props.ticks.length > 3 ? 'usage-tick usage-tick-odd' : 'usage-tick'}
              style={{ insetInlineStart: `${((tick.index + 0.5) / bars.length) * 100}%` }}
            >
              {tick.label}
            </span>
          )
        })}
      </div>
      <p className="hidden-text" id={`${id}-words`}>
        {props.summary} {props.readHint}
      </p>
      <div className="hidden-text">
        <table>
          <caption>{props.title}</caption>
          <thead>
            <tr>
              <th scope="col">{props.table.at}</th>
              <th scope="col">{props.table.value}</th>
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
    </div>
  )
}
