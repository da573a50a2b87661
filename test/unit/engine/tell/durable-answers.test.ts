// Which answers wait for the disk: all that may contain a link according to the contract.
// The test also covers procedures that are added later.
import { expect, it } from 'vitest'
import { z } from 'zod'
import { answerDurably } from '../../../../src-main/engine/tell/answers.ts'
import { type Handlers, procedures } from '../../../../src-shared/engine-contract.ts'

const naming = Object.entries(procedures)
  .filter(([, { output }]) =>
    JSON.stringify(z.toJSONSchema(output, { unrepresentable: 'any' })).includes('"publicLink"'),
  )
  .map(([name]) => name)

it.each(naming)('%s names no link that a power cut would forget', async (name) => {
  const given = new Proxy({} as Handlers, { get: () => async () => ({ ok: true, value: 'a link' }) })
  const handler: unknown = Reflect.get(
    answerDurably(given, () => Promise.resolve(false)),
    name,
  )
  expect(typeof handler === 'function' ? await Reflect.apply(handler, null, [{}]) : null).toMatchObject({
    ok: false,
  })
})
