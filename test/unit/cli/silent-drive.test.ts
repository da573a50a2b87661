// Paths on a drive that doesn't answer: each command that looks at paths ends at a signal, and `upload` after
// --max-wait. The engine is stubbed, and the test advances the clock.
import { describe, expect, it } from 'vitest'
import { audit } from '../../../src-main/cli/commands/audit.ts'
import { info } from '../../../src-main/cli/commands/info.ts'
import { link } from '../../../src-main/cli/commands/link.ts'
import { plan } from '../../../src-main/cli/commands/plan.ts'
import { rm } from '../../../src-main/cli/commands/rm.ts'
import { upload } from '../../../src-main/cli/commands/upload.ts'
import type { Ctx } from '../../../src-main/cli/context.ts'
import { createWorld } from './world.ts'

const UPLOAD = { paths: ['dead/a.txt'], again: false, maxWaitMs: 60_000 }
const COMMANDS: Readonly<Record<string, (ctx: Ctx) => Promise<number>>> = {
  upload: (ctx) => upload(ctx, UPLOAD),
  plan: (ctx) => plan(ctx, { paths: ['dead/a.txt'] }),
  link: (ctx) => link(ctx, { selectors: ['1001'], formats: [] }),
  info: (ctx) => info(ctx, { selector: '1001' }),
  rm: (ctx) => rm(ctx, { selectors: ['1001'], yes: true, which: 'latest' }),
}

function silentWorld(json = false): ReturnType<typeof createWorld> {
  const w = createWorld({}, { json })
  return { ...w, ctx: { ...w.ctx, kindOf: () => new Promise(() => undefined) } }
}

describe('a drive that does not answer', () => {
  it.each(Object.keys(COMMANDS))('%s ends with 130 at a signal', async (name) => {
    const w = silentWorld()
    const running = COMMANDS[name]?.(w.ctx)
    await w.time.pass(120_000 - (name === 'upload' ? 90_000 : 0))
    w.stop.abort()
    await w.time.pass(100)
    expect(await running).toBe(130)
    expect(w.session.calls).toEqual([])
  })

  it('upload ends with 5 after --max-wait and says which drive it waited for; with --json, a summary comes last', async () => {
    const w = silentWorld(true)
    const running = upload(w.ctx, UPLOAD)
    await w.time.pass(61_000)
    expect(await running).toBe(5)
    expect(w.term.errors.join('\n')).toMatch(/a\.txt: The drive isn't responding\./)
    expect(w.events().at(-1)).toMatchObject({ event: 'summary', uploaded: 0 })
  })

  it.each([
    ['upload', (ctx: Ctx) => upload(ctx, UPLOAD), 'Nothing was uploaded. Try again once it answers.'],
    ['audit', (ctx: Ctx) => audit(ctx, { folder: 'dead' }), 'Try again once it answers.'],
  ] as const)(
    'is said to have stopped an upload only by a command that uploads: %s',
    async (_command, run, hint) => {
      const w = silentWorld()
      const running = run(w.ctx)
      await w.time.pass(61_000)
      expect(await running).toBe(5)
      expect(w.term.errors.at(-1)).toBe(`  ${hint}`)
    },
  )
})
