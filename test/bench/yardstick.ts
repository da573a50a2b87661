// The yardstick: a fixed piece of work (hashing, sorting, allocating) that a separate Node process does
// before and after every row. Rows without a floor program are compared by their ratio to it.
// `measureYardstick` starts this file as a program, which then does the work.
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { measure, NODE } from './measure.ts'

const TIMES = 3
const HASHED_MIB = 64
const SORTED = 200_000

function work(): number {
  const block = Buffer.alloc(1024 * 1024, 'slipway bench ')
  const hash = createHash('sha256')
  for (let i = 0; i < HASHED_MIB; i++) hash.update(block)
  const first = hash.digest()[0] ?? 0
  const names = Array.from({ length: SORTED }, (_, i) => `file-${(i * 7919) % SORTED}`)
  return first + names.toSorted().length
}

/** Resolves to the seconds of each of three runs. */
export async function measureYardstick(): Promise<readonly number[]> {
  const seconds: number[] = []
  for (let i = 0; i < TIMES; i++)
    seconds.push((await measure('the yardstick', [NODE, fileURLToPath(import.meta.url)])).wallS)
  return seconds
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${work()}\n`)
