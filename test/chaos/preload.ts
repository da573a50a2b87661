// Loaded into the command line before anything else (`node --import`): a wall clock that jumps, and a name that does not resolve for a while.
// All of it is a function of real time since the run began, so every thread and every restart agrees. Without its variables it does nothing.
import dns from 'node:dns'

const began = Number(process.env['CHAOS_BEGAN'] ?? Number.NaN)

/** `at:value` pairs, comma between: milliseconds since the run began, and what holds from then on. */
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
const valueOf = (steps: readonly (readonly [number, number])[]): number => steps.findLast(([at]) => realNow() - began >= at)?.[1] ?? 0

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
