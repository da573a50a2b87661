// A root in which React renders components that draw nothing, so that their hooks run without a page.
import { createRoot, type Root } from 'react-dom/client'
import { vi } from 'vitest'

/** Requires a `window`, as `installBridge` creates. The stubs end with `vi.unstubAllGlobals`. */
export function createHookRoot(): Root {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  // All that React needs of a page in which nothing is drawn.
  Object.assign(window, { HTMLIFrameElement: EventTarget })
  const page = { nodeType: 9, addEventListener: () => undefined, activeElement: null }
  const element = {
    nodeType: 1,
    tagName: 'DIV',
    ownerDocument: page,
    addEventListener: () => undefined,
    textContent: '',
  }
  return createRoot(element as unknown as Element)
}
