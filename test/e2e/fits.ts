// Whether everything fits the window, in all shapes that may break the layout: small windows, large text,
// right to left. Made for the walks of tour.ts: the visitor changes the shape at each stop, and puts it back.
import type { Page } from '@playwright/test'
import { IS_LONG } from '../tools/share.ts'
import { expect } from './fixture.ts'
import { resizePage, type Slipway } from './slipway.ts'
import type { Visit } from './tour.ts'

/** Window shapes that may break the layout. Each stays until the next one is set. */
const SHAPES = {
  home: { width: 1180, height: 760, text: 1, rtl: false },
  narrow: { width: 480, height: 640, text: 1, rtl: false },
  smallest: { width: 480, height: 400, text: 1, rtl: false },
  'large text': { width: 1180, height: 760, text: 2, rtl: false },
  'large text, smaller window': { width: 820, height: 600, text: 2, rtl: false },
  'large text, narrow': { width: 480, height: 640, text: 2, rtl: false },
  'right to left': { width: 1180, height: 760, text: 1, rtl: true },
  'right to left, narrow': { width: 480, height: 640, text: 1, rtl: true },
} as const
export type Shape = keyof typeof SHAPES
/**
 * The usual shape and those that leave least room, which break first. `npm run test:long` has all of them.
 */
const FEW: readonly Shape[] = ['home', 'smallest', 'large text, narrow', 'right to left, narrow']

async function shape(s: Slipway, name: Shape): Promise<void> {
  const { width, height, text, rtl } = SHAPES[name]
  await resizePage(s, width, height)
  await s.page.evaluate(
    ([size, dir]) => {
      document.documentElement.style.fontSize = size
      document.documentElement.dir = dir
    },
    [text === 1 ? '' : `${16 * text}px`, rtl ? 'rtl' : 'ltr'] as const,
  )
  // Sizes measured by scripts are updated in the next frames.
  await s.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

/**
 * Everything that doesn't fit: truncated text without another way to read it, text and controls outside the
 * window, and content that needs horizontal scrolling.
 */
function misfits(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const name = (element: Element): string =>
      `${element.tagName.toLowerCase()}.${[...element.classList].join('.')} “${(element.textContent || element.getAttribute('aria-label') || '').trim().slice(0, 60)}”`
    /** Elements that are only for screen readers. */
    const unseen = (element: Element): boolean => {
      for (let one: Element | null = element; one !== null; one = one.parentElement)
        if (getComputedStyle(one).clipPath !== 'none') return true
      return false
    }
    const hidden = (element: Element): boolean =>
      element.closest('[aria-hidden=true]') !== null ||
      unseen(element) ||
      !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    const clips = (style: CSSStyleDeclaration): boolean => style.overflowX !== 'visible'
    const scrolls = (style: CSSStyleDeclaration): boolean =>
      style.overflowX === 'auto' || style.overflowX === 'scroll'
    /** Truncated on purpose, with the full text in a tooltip or accessible name. */
    const told = (element: Element): boolean => element.closest('[title], [aria-label]') !== null
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement
      if (
        element === null ||
        (node.textContent ?? '').trim() === '' ||
        element.closest('svg, script, style') !== null ||
        hidden(element)
      )
        continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const box = range.getBoundingClientRect()
      if (box.width === 0) continue
      let cut = false
      for (
        let around: Element | null = element;
        around !== null && around !== document.body;
        around = around.parentElement
      ) {
        const style = getComputedStyle(around)
        if (!clips(style)) continue
        const edge = around.getBoundingClientRect()
        if (box.left >= edge.left - 1.5 && box.right <= edge.right + 1.5) continue
        cut = true
        const ellipsis = style.textOverflow === 'ellipsis'
        if (scrolls(style)) found.push(`scrolls sideways: ${name(around)}`)
        else if (!ellipsis) found.push(`cut: ${name(element)} by ${name(around).split(' ')[0]}`)
        else if (!told(around)) found.push(`cut, and nothing tells the rest: ${name(element)}`)
        break
      }
      if (!cut && (box.left < -1 || box.right > innerWidth + 1))
        found.push(`beyond the window: ${name(element)} ${Math.round(box.left)}…${Math.round(box.right)}`)
    }
    for (const element of document.querySelectorAll(
      'button, input, textarea, [role=radio], [role=switch], [role=option], [role=menuitem]',
    )) {
      if (hidden(element)) continue
      const box = element.getBoundingClientRect()
      if (box.width <= 1 && box.height <= 1) continue
      if (box.left < -1 || box.right > innerWidth + 1)
        found.push(
          `control beyond the window: ${name(element)} ${Math.round(box.left)}…${Math.round(box.right)}`,
        )
    }
    // A floating element must be completely inside the window, or scroll.
    for (const element of document.querySelectorAll('[role=dialog], [role=alertdialog], .notice')) {
      const box = element.getBoundingClientRect()
      // A menu that was open while the window shrank is positioned again when it is reopened.
      if (hidden(element) || element.querySelector('[role=menu]') !== null) continue
      const scroller = element.closest('.dialog-scrim, .dialog-card, .dialog, .notice-bar, .notice-cards')
      if ((box.top < -1 || box.bottom > innerHeight + 1) && scroller === null)
        found.push(`above or below the window: ${name(element)}`)
    }
    return [...new Set(found)]
  })
}

const softly = expect.configure({ soft: true })

/** At each stop, everything fits the window in all of these shapes; in `npm test`, in few of them. */
export function fitAt(s: Slipway, shapes: readonly Shape[]): Visit {
  const due = IS_LONG ? shapes : shapes.filter((one) => FEW.includes(one))
  return async (stop) => {
    for (const one of due) {
      await shape(s, one)
      // Sizes that scripts measure may take more than the two frames on a busy machine.
      await softly.poll(() => misfits(s.page), `${stop}, ${one}`).toEqual([])
    }
    await shape(s, 'home')
  }
}

export const ALL_SHAPES = Object.keys(SHAPES) as readonly Shape[]
