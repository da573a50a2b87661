// Decides whether the system ignores clipboard writes by programs without the focus, as Wayland does. After
// an ignored write, reading returns the text that the program tried to write, so the failure can't be
// detected.
import type { Boot } from '../../../src-shared/window-contract.ts'

/**
 * `ozone` is the value of the switch `--ozone-platform`, which takes precedence over the environment, or ''
 * if it isn't set.
 */
export function needsFocus(
  platform: Boot['platform'],
  env: Readonly<Record<string, string | undefined>>,
  ozone: string,
): boolean {
  if (platform !== 'linux') return false
  if (ozone !== '' && ozone !== 'auto') return ozone === 'wayland'
  return isWaylandSession(env)
}

function isWaylandSession(env: Readonly<Record<string, string | undefined>>): boolean {
  const session = env['XDG_SESSION_TYPE']
  return session === undefined || session === ''
    ? (env['WAYLAND_DISPLAY'] ?? '') !== ''
    : session === 'wayland'
}

/** Whether the desktop is a Wayland one, whichever way Slipway's own windows are drawn. */
export function isWayland(platform: Boot['platform'], env = process.env): boolean {
  return platform === 'linux' && isWaylandSession(env)
}
