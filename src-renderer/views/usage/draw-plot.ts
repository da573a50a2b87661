// Draws a time series as bars, and its limit as a line, on a canvas with uPlot.
// The labels are text in the page, so that they follow text size, direction and colours; see plot.tsx.
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { scaleOf } from './series.ts'
import type { PlotColors } from './use-plot-colors.ts'

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

/** Creates a plot that fills the element `at`. Null values leave a gap. */
function createPlot(at: HTMLElement, values: readonly (number | null)[], limit: number | null, colors: PlotColors): uPlot {
  const most = Math.max(0, ...values.map((value) => value ?? 0))
  const { top, line } = scaleOf(most, limit)
  const count = values.length
  // Many thin bars need relatively wider gaps; otherwise rounding to whole pixels would merge them.
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
      series: [{}, { fill: colors.bar, width: 0, points: { show: false }, ...(bars === undefined ? {} : { paths: bars }) }],
      hooks: line && limit !== null ? { draw: [drawLimit(limit, colors.limit)] } : {},
    },
    [values.map((_, index) => index), [...values]],
    at,
  )
}

/** Draws a plot that fills the element and is resized with it. Returns a function that removes the plot. */
export function drawPlot(at: HTMLElement, values: readonly (number | null)[], limit: number | null, colors: PlotColors): () => void {
  const plot = createPlot(at, values, limit, colors)
  const observer = new ResizeObserver(() => plot.setSize({ width: Math.max(1, at.clientWidth), height: Math.max(1, at.clientHeight) }))
  observer.observe(at)
  return () => {
    observer.disconnect()
    plot.destroy()
  }
}
