// Feeds the control socket anything that another program of this user might write. Calls that are split
// anywhere arrive complete and are answered by their number, garbage ends only its own connection, and the
// contract refuses invalid input before a handler sees it.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { array, constantFrom, integer, oneof, record, tuple, uint8Array } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ControlServer,
  connectControl,
  createControlServer,
} from '../../src-main/platform/host/control-socket.ts'
import { dispatch } from '../../src-main/platform/host/engine-local.ts'
import { FailureCode, type Handlers, procedures } from '../../src-shared/engine-contract.ts'
import { connectRaw, endpointIn, serveRaw } from '../world/control-peer.ts'
import { deepJson, fuzz, hostileJson, hostileText } from './fuzz.ts'

let dir = ''
let server: ControlServer
let calls: { readonly procedure: string; readonly input: unknown }[] = []

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'slipway-fuzz-'))
  server = await createControlServer({
    endpoint: endpointIn(dir),
    version: 1,
    handle: async (procedure, input) => {
      calls.push({ procedure, input })
      return { procedure, input }
    },
    tooLong: null,
    onClients: () => undefined,
  })
})
afterAll(async () => {
  await server.close()
  rmSync(dir, { recursive: true, force: true })
})

interface Heard {
  /** Lines received after the greeting. */
  readonly lines: readonly string[]
  readonly cutOff: boolean
}

/**
 * Authenticates, then writes the pieces unchanged. Listens until `answers` lines have arrived or the server
 * has ended the connection.
 */
async function say(pieces: readonly (string | Uint8Array)[], answers: number): Promise<Heard> {
  const socket = await connectRaw(endpointIn(dir))
  return new Promise((resolve) => {
    let text = ''
    const heard = (cutOff: boolean): void => {
      resolve({ lines: text.split('\n').slice(1, -1), cutOff })
      socket.destroy()
    }
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (text.split('\n').length - 2 >= answers && answers > 0) heard(false)
    })
    socket.on('close', () => heard(true))
    for (const piece of pieces) socket.write(piece)
  })
}

/** Whether a complete line is a call. Anything else ends the connection. */
function isCall(line: string): boolean {
  try {
    const value = JSON.parse(line) as {
      readonly type?: unknown
      readonly id?: unknown
      readonly procedure?: unknown
    } | null
    return (
      value !== null &&
      value.type === 'call' &&
      typeof value.id === 'number' &&
      typeof value.procedure === 'string'
    )
  } catch {
    return false
  }
}

describe('the server', () => {
  it('lets this user alone in', () => {
    expect(statSync(endpointIn(dir).path).mode & 0o777).toBe(0o600)
    expect(statSync(dir).mode & 0o777).toBe(0o700)
  })

  const call = record({ procedure: hostileText, input: hostileJson })
  fuzz(
    'answers every call by its number, wherever the bytes are cut',
    tuple(
      array(call, { minLength: 1, maxLength: 6 }),
      array(integer({ min: 0, max: 400 }), { maxLength: 8 }),
    ),
    250,
    async ([given, cuts]) => {
      calls = []
      const bytes = Buffer.from(
        given
          .map(
            ({ procedure, input }, id) =>
              `{"type":"call","id":${id},"procedure":${JSON.stringify(procedure)},"input":${input}}\n`,
          )
          .join(''),
      )
      const at = [
        0,
        ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b),
        bytes.length,
      ]
      const { lines } = await say(
        at.slice(1).map((end, i) => bytes.subarray(at[i], end)),
        given.length,
      )
      const wanted = given.map(({ procedure, input }) => ({ procedure, input: JSON.parse(input) as unknown }))
      expect(calls.map((one) => JSON.stringify(one))).toEqual(wanted.map((one) => JSON.stringify(one)))
      expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual(given.map((_, id) => id))
    },
  )

  const garbage = oneof(
    hostileText.map((text) => text.replaceAll('\n', ' ')),
    hostileJson,
    constantFrom(
      '{"type":"hello","version":1}',
      '{"type":"answer","id":1}',
      '{"type":"event"}',
      '{"type":"call","id":"1","procedure":"x"}',
      '[]',
      'null',
      deepJson('[', 5000),
    ),
  ).filter((line) => line !== '' && !isCall(line))
  fuzz(
    'ends the connection of who sends garbage, carries out nothing after it, and answers the others',
    tuple(garbage, integer({ min: 0, max: 3 })),
    250,
    async ([line, before]) => {
      calls = []
      const ask = (procedure: string): string =>
        `{"type":"call","id":1,"procedure":"${procedure}","input":{}}\n`
      const { cutOff } = await say([ask('before').repeat(before) + `${line}\n${ask('after')}`], 0)
      expect(cutOff).toBe(true)
      expect(calls.map((one) => one.procedure)).toEqual(Array.from({ length: before }, () => 'before'))
      expect((await say([ask('other')], 1)).lines).toHaveLength(1)
    },
  )

  fuzz(
    'lives through bytes of no meaning and halves of lines',
    tuple(uint8Array({ maxLength: 500 }), hostileJson),
    150,
    async ([bytes, json]) => {
      await say([bytes, '\n', json.slice(0, -1), '\n\u0000not a call\n'], 0)
      expect(server.clients()).toBeLessThan(5)
    },
  )

  it('ends a line that has no end', async () => {
    expect(
      (
        await say(
          Array.from({ length: 160 }, () => 'x'.repeat(65_536)),
          0,
        )
      ).cutOff,
    ).toBe(true)
  })
})

describe('a client', () => {
  fuzz(
    'lives through what a server may send, and its calls are settled',
    array(
      oneof(
        hostileJson,
        hostileText,
        constantFrom(
          '{"type":"hello","version":1}',
          '{"type":"answer","id":1,"result":{}}',
          '{"type":"answer","id":1e999}',
        ),
      ),
      { maxLength: 6 },
    ),
    150,
    async (lines) => {
      const endpoint = endpointIn(dir, 'evil.sock')
      const evil = await serveRaw(endpoint, (socket) => {
        socket.write('{"type":"hello","version":1}\n')
        socket.once('data', () => socket.end(`${lines.join('\n')}\n`))
      })
      const client = await connectControl({ endpoint, version: 1, timeoutMs: 5000 })
      expect(client).not.toBeNull()
      const settled = await client?.call('snapshot', {}).then(
        () => 'answered',
        () => 'lost',
      )
      expect(['answered', 'lost']).toContain(settled)
      await client?.close()
      await new Promise((resolve) => evil.close(resolve))
    },
  )
})

describe('the contract', () => {
  const names = Object.keys(procedures)
  /** A handler that is reached records its input. */
  const reached: { readonly name: string; readonly input: unknown }[] = []
  const handlers = Object.fromEntries(
    names.map((name) => [
      name,
      async (input: unknown) => {
        reached.push({ name, input })
        if (name === 'pause') throw new Error('a defect')
        return { ok: true, value: {} }
      },
    ]),
  ) as unknown as Handlers
  const logged: unknown[] = []
  const log = { info: () => undefined, warn: () => undefined, error: (...all: unknown[]) => logged.push(all) }

  const name = oneof(constantFrom(...names), hostileText)
  fuzz(
    'refuses what does not fit before a handler sees it, in a sentence of a bounded length',
    tuple(name, hostileJson),
    4000,
    async ([procedure, json]) => {
      reached.length = 0
      const result = await dispatch(handlers, procedure, JSON.parse(json), log)
      if (!result.ok) {
        expect(FailureCode.options).toContain(result.failure.code)
        expect(result.failure.title.length + (result.failure.hint ?? '').length).toBeLessThan(500)
      }
      const known = names.find((one) => one === procedure)
      for (const one of reached) {
        expect(one.name).toBe(known)
        expect(
          known !== undefined &&
            procedures[known as keyof typeof procedures].input.safeParse(one.input).success,
        ).toBe(true)
      }
      if (known === undefined) expect(result).toMatchObject({ failure: { code: 'usage' } })
      expect(Object.keys(Object.prototype)).toEqual([])
    },
  )
})
