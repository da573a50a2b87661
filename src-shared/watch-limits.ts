// The limits of Linux that can keep a folder from being watched: what each is called, and what raises it. The
// command line, the health list and the window name them from here.
import { z } from 'zod/mini'

/**
 * `watches` and `instances`: what a user may watch with inotify. `files` and `all-files`: how many files a
 * process, or all of them, may have open.
 */
export const WatchLimit = z.enum(['watches', 'instances', 'files', 'all-files'])
export type WatchLimit = z.infer<typeof WatchLimit>

export const WATCH_LIMITS: Readonly<Record<WatchLimit, { readonly name: string; readonly raise: string }>> = {
  watches: { name: 'fs.inotify.max_user_watches', raise: 'sudo sysctl fs.inotify.max_user_watches=524288' },
  instances: {
    name: 'fs.inotify.max_user_instances',
    raise: 'sudo sysctl fs.inotify.max_user_instances=1024',
  },
  files: { name: 'ulimit -n', raise: 'ulimit -n 4096 (before Slipway starts)' },
  'all-files': { name: 'fs.file-max', raise: 'sudo sysctl fs.file-max=9223372036854775807' },
}

/**
 * Why a folder is only rescanned, for the command line and the health list. `limit`: the limit that was
 * reached; absent if there is none.
 */
export function rescansText(limit: WatchLimit | undefined): {
  readonly title: string
  readonly hint: string | null
} {
  if (limit === undefined)
    return {
      title: "The system doesn't report changes in the folder. Slipway scans it every 20 seconds instead.",
      hint: null,
    }
  const { name, raise } = WATCH_LIMITS[limit]
  return {
    title: `The system's limit for watched folders is reached (${name}). Slipway scans the folder every 20 seconds instead.`,
    hint: `To raise it: ${raise}`,
  }
}
