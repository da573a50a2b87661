// What a gesture is: something that a person does to files or commands, by its name in the table, and small steps that many gestures share.
// The gestures themselves are in gestures-*.ts.
import { join } from 'node:path'
import type { Hands, Watching } from './hands.ts'

export interface Gesture {
  readonly name: string
  /** Groups are drawn alike, whatever the number of gestures in each. */
  readonly group: 'signal' | 'file' | 'waiting' | 'rules' | 'queue' | 'folders' | 'words'
  /** The data folder is inside the watched folder from the start of the run. */
  readonly isDataInside?: true
  /** Resolves to false where it could not be done, as with a command that this build does not have. */
  act(h: Hands): Promise<boolean>
}

export function gesture(group: Gesture['group'], name: string, act: Gesture['act']): Gesture {
  return { name, group, act }
}

/** A new file of the main folder, up already. */
export async function uploaded(h: Hands, stem: string, dir = h.folder): Promise<string> {
  const path = join(dir, h.name(stem))
  h.put(path, h.content(stem))
  await h.settled()
  return path
}

/** Nothing is sent while this is done; then what it left is sent. False if there was no pause. */
export async function whilePaused(h: Hands, work: () => Promise<void>): Promise<boolean> {
  if (!(await h.pause())) return false
  await work()
  await h.resume()
  await h.settled()
  return true
}

/** Waits until a running watch has taken the file into its queue. */
export async function queued(watching: Watching | null, ...paths: readonly string[]): Promise<void> {
  for (const path of paths) await watching?.told(path, ['queued', 'waiting', 'held', 'uploaded'])
}

/** The transfer's number of each path that `status` names as waiting for a person. */
export async function idsOfHeld(h: Hands): Promise<ReadonlyMap<string, string>> {
  const { lines } = await h.command(['status'], { asks: true })
  return new Map(
    lines.flatMap(({ text }): [string, string][] => {
      const found = /^\s+(\d+)\s+(\/.*?): /.exec(text)
      return found === null ? [] : [[found[2] ?? '', found[1] ?? '']]
    }),
  )
}

/** Whether this build has the command. */
export async function hasCommand(h: Hands, name: string): Promise<boolean> {
  const { lines } = await h.command(['--help'], { asks: true })
  return lines.some(({ text }) => text.trimStart().startsWith(`${name} `))
}

/** A private key as tools write it, of random bytes that open nothing. */
export function privateKey(h: Hands): Buffer {
  const bytes = Buffer.concat([Buffer.from('308204be020100', 'hex'), Buffer.from(Array.from({ length: 1200 }, () => h.dice.int(256)))])
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return Buffer.from(`-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`)
}
