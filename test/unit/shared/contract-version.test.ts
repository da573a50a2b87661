// Clients reject a response with a value that they don't know. So every new value in an answer needs a new
// version of the contract.
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { CONTRACT_VERSION, Failure, procedures } from '../../../src-shared/engine-contract.ts'
import { EngineEvent } from '../../../src-shared/events.ts'

/** All fixed values in a JSON schema, in the order of their paths. */
function valuesIn(schema: unknown, path: string): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([name, part]) =>
    name === 'enum' || name === 'const'
      ? [`${path}: ${JSON.stringify(part)}`]
      : valuesIn(part, `${path}/${name}`),
  )
}

it('changes when an answer can have a value that older clients reject', () => {
  const answers = {
    ...Object.fromEntries(Object.entries(procedures).map(([name, { output }]) => [name, output])),
    Failure,
    EngineEvent,
  }
  const values = Object.entries(answers).flatMap(([name, schema]) =>
    valuesIn(z.toJSONSchema(schema, { unrepresentable: 'any' }), name),
  )
  expect(values).toContainEqual(expect.stringContaining('"unwatched"'))
  const digest = createHash('sha256').update(values.join('\n')).digest('hex').slice(0, 16)
  // If only the digest has changed: increment CONTRACT_VERSION, unless its current value hasn't been
  // released.
  expect([CONTRACT_VERSION, digest]).toEqual([2, 'f4215dc8041cddb2'])
})
