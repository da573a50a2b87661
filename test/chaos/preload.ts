// Loaded into the command line before anything else (`node --import`): makes the wall clock jump, and a host
// name unresolvable for a while. Everything depends on real time since the run began, so that all threads and
// restarts agree. Does nothing without its environment variables.
import dns from 'node:dns'

const began = Number(process.env['CHAOS_BEGAN'] ?? Number.NaN)

/** Pairs of `at:value`, separated by commas: milliseconds since the run began, and the value from then on. */
function stepsOf(text: string | undefined): readonly (readonly [number, number])[] {
  return (text ?? '')
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const [at = Number.NaN, value = Number.NaN] = part.split(':').map(Number)
      return [at, value] as const
    })
}

const realNow = Date.now
const valueOf = (steps: readonly (readonly [number, number])[]): number =>
  steps.findLast(([at]) => realNow() - began >= at)?.[1] ?? 0

const clock = stepsOf(process.env['CHAOS_CLOCK'])
if (clock.length > 0) Date.now = () => realNow() + valueOf(clock)

const noName = stepsOf(process.env['CHAOS_NO_NAME'])
if (noName.length > 0) {
  const lookup = dns.lookup as (...args: readonly unknown[]) => void
  const failing = (...args: readonly unknown[]): void => {
    const done = args.at(-1)
    if (valueOf(noName) === 0 || typeof done !== 'function') {
      lookup(...args)
      return
    }
    const fault = Object.assign(new Error(`getaddrinfo ENOTFOUND ${String(args[0])}`), {
      code: 'ENOTFOUND',
      syscall: 'getaddrinfo',
      hostname: args[0],
    })
    process.nextTick(() => done(fault))
  }
  Object.assign(dns, { lookup: failing })
}
