// The worker threads with a search for secrets that never ends in files that contain one word, and needs all
// memory in files that contain another. Such a file must also contain the beginning of a secret, or no
// expression is applied to it.
import { workerData } from 'node:worker_threads'

const { endless, greedy } = workerData as { readonly endless: string; readonly greedy: string }

const { exec } = RegExp.prototype
function slowExec(this: RegExp, text: string): RegExpExecArray | null {
  if (text.includes(endless)) for (;;);
  const taken: number[][] = []
  while (text.includes(greedy)) taken.push(Array.from({ length: 100_000 }, (_, i) => i))
  return exec.call(this, text)
}
// oxlint-disable-next-line no-extend-native -- the search itself has no place to slow it down, and this thread runs nothing else
Object.defineProperty(RegExp.prototype, 'exec', { value: slowExec })
await import('../../src-main/platform/worker/worker-main.ts')
