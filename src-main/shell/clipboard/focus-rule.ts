// Whether the system ignores clipboard writes by a program without the focus. Wayland does, and reading then returns the program's own
// text, so that the failure can't be detected afterwards. Pure.
import type { Boot } from '../../../src-shared/app.ts'

/** `ozone`: the value of the switch `--ozone-platform`; '' if there is none. */
export function needsFocus(platform: Boot['platform'], env: Readonly<Record<string, string | undefined>>, ozone: string): boolean {
  if (platform !== 'linux') return false
  if (ozone !== '' && ozone !== 'auto') return ozone === 'wayland'
  const session = env['XDG_SESSION_TYPE']
  return session === undefined || session === '' ? (env['WAYLAND_DISPLAY'] ?? '') !== '' : session === 'wayland'
}
