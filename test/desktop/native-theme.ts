// `nativeTheme`: the theme chosen by the app is applied to every page as `prefers-color-scheme`. The system's
// theme is light. A test may emit `updated`, as the system would.
import { EventEmitter } from 'node:events'
import { desk } from './desk.ts'
import { strictClass } from './strict.ts'

class NativeTheme extends EventEmitter {
  readonly shouldUseHighContrastColors = false
  readonly shouldUseInvertedColorScheme = false
  readonly shouldUseDarkColorsForSystemIntegratedUI = false
  readonly prefersReducedTransparency = false
  readonly inForcedColorsMode = false

  get themeSource(): 'system' | 'light' | 'dark' {
    return desk.theme
  }

  set themeSource(source: 'system' | 'light' | 'dark') {
    if (!['system', 'light', 'dark'].includes(source))
      throw new TypeError(`Error processing argument: themeSource ${source as string}`)
    if (source === desk.theme) return
    const before = this.shouldUseDarkColors
    desk.theme = source
    for (const contents of desk.contents.values()) contents.themeChanged()
    // Electron reports it after the assignment, not within it.
    if (before !== this.shouldUseDarkColors) setImmediate(() => this.emit('updated'))
  }

  get shouldUseDarkColors(): boolean {
    return desk.theme === 'dark'
  }
}
strictClass('nativeTheme', NativeTheme)

export const nativeTheme = new NativeTheme()
