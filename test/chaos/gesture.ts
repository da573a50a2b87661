// A gesture: something that users do to files or with commands, identified by its name in the table. Also
// small steps that many gestures share. The gestures themselves are in gestures-*.ts.
import { join } from 'node:path'
import type { Hands, Watching } from './hands.ts'

export interface Gesture {
  readonly name: string
  /** How likely a group is to be drawn doesn't depend on how many gestures it contains, see `SHARES`. */
  readonly group: 'signal' | 'file' | 'waiting' | 'rules' | 'queue' | 'folders' | 'words'
  /** Whether the data folder is inside the watched folder from the start of the run. */
  readonly isDataInside?: true
  /** Resolves to false if the gesture isn't possible, for example because this build lacks a command. */
  act(h: Hands): Promise<boolean>
}

export function gesture(group: Gesture['group'], name: string, act: Gesture['act']): Gesture {
  return { name, group, act }
}

/** Creates a file in the main folder and waits until it is uploaded. */
export async function uploaded(h: Hands, stem: string, dir = h.folder): Promise<string> {
  const path = join(dir, h.name(stem))
  h.put(path, h.content(stem))
  await h.settled()
  return path
}

/** Runs `work` while uploads are paused, and resumes them afterwards. Resolves to false if pausing failed. */
export async function whilePaused(h: Hands, work: () => Promise<void>): Promise<boolean> {
  if (!(await h.pause())) return false
  await work()
  await h.resume()
  await h.settled()
  return true
}

/**
 * Waits until the watch has reported each file as queued or in a later state, or until a timeout. Doesn't
 * wait without a watch.
 */
export async function queued(watching: Watching | null, ...paths: readonly string[]): Promise<void> {
  for (const path of paths) await watching?.told(path, ['queued', 'waiting', 'held', 'uploaded'])
}

/** The transfer ID of each path that `status` lists as waiting for the user. */
export async function idsOfHeld(h: Hands): Promise<ReadonlyMap<string, string>> {
  const { lines } = await h.command(['status'], { asks: true })
  return new Map(
    lines.flatMap(({ text }): [string, string][] => {
      const found = /^\s+(\d+)\s+((?:\/|[A-Za-z]:\\).*?): /.exec(text)
      return found === null ? [] : [[found[2] ?? '', found[1] ?? '']]
    }),
  )
}

/** Whether this build has the command. */
export async function hasCommand(h: Hands, name: string): Promise<boolean> {
  const { lines } = await h.command(['--help'], { asks: true })
  return lines.some(({ text }) => text.trimStart().startsWith(`${name} `))
}

/** A private key in the usual format, made of random bytes that don't open anything. */
export function privateKey(h: Hands): Buffer {
  const bytes = Buffer.concat([
    Buffer.from('308204be020100', 'hex'),
    Buffer.from(Array.from({ length: 1200 }, () => h.dice.int(256))),
  ])
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return Buffer.from(`-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`)
}
