// Repeating an upload must return a working link, although another computer may have deleted the file since.
// The check takes few requests, and if the service doesn't answer, the link in the journal is used.
import { expect, it } from 'vitest'
import type { EnginePolicy } from '../../src-main/engine/ports.ts'
import { valueOf } from '../world/value-of.ts'
import { type Hooks, KEY, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const HOME = '/home/ada'
const MINUTE = 60_000

/** Uploads files, and restarts the program ten minutes later. */
async function uploadedBefore(
  count: number,
  hooks: Hooks = {},
  plan: 'enterprise' | 'pro' = 'enterprise',
): Promise<World> {
  const w = await openWorld({ plan }, hooks)
  w.disk.mkdir(HOME)
  for (let i = 0; i < count; i++) w.disk.write(`${HOME}/${i}.txt`, `the content of ${i}`)
  await upload(w, count)
  await w.pass(10 * MINUTE)
  await w.crash()
  await w.pass(1000)
  return w
}

async function upload(
  w: World,
  count: number,
  name = (i: number): string => `${i}.txt`,
): Promise<readonly (readonly [string, string | null])[]> {
  const paths = Array.from({ length: count }, (_, i) => `${HOME}/${name(i)}`)
  const got = await valueOf(w.handlers.upload({ paths, again: false, token: `t${w.clock.mono()}` }))
  const ids = got.items.map((item) => item.transfer?.id)
  const mine = async () => (await w.transfers()).filter((t) => ids.includes(t.id))
  await w.until(async () => (await mine()).every((t) => t.state === 'done'))
  const links = new Map((await mine()).map((t) => [t.id, t.publicLink]))
  return got.items.map((item) => [item.outcome, links.get(item.transfer?.id ?? 0) ?? null])
}

async function deleteElsewhere(w: World, fileId: number): Promise<void> {
  const answer = await fetch(`${w.service.url}/files/${fileId}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${KEY}` },
  })
  expect(answer.status).toBe(200)
}

async function statusOf(link: string | null): Promise<number> {
  return (await fetch(link ?? '')).status
}

const asked = (w: World): number =>
  w.service.requests.list().filter((request) => request.endpoint === 'get').length

it.each([
  ['the same file', (i: number) => `${i}.txt`],
  ['a copy of it', (i: number) => `copy ${i}.txt`],
])('%s is sent again where another computer has deleted it; the rest is not', async (_what, name) => {
  const w = await uploadedBefore(3)
  for (let i = 0; i < 3; i++) w.disk.write(`${HOME}/copy ${i}.txt`, `the content of ${i}`)
  const [gone] = w.service.ledger.live().filter((file) => file.filename === '1.txt')
  await deleteElsewhere(w, gone?.fileId ?? 0)
  const links = (await upload(w, 3, name)).map(([, link]) => link)
  expect(await Promise.all(links.map(statusOf))).toEqual([200, 200, 200])
  expect(w.service.ledger.files()).toHaveLength(4)
})

it('takes one request for each of a few files, none twice within a minute, and at most twenty in total', async () => {
  const w = await uploadedBefore(30)
  const before = asked(w)
  expect((await upload(w, 3)).map(([outcome]) => outcome)).toEqual(['already', 'already', 'already'])
  expect(asked(w) - before).toBe(3)
  await upload(w, 3)
  expect(asked(w) - before).toBe(3)
  await w.pass(10 * MINUTE)
  const later = asked(w)
  await upload(w, 30)
  expect(asked(w) - later).toBeLessThanOrEqual(20)
  expect(w.service.ledger.files()).toHaveLength(30)
})

it('sends no request for files that this run has uploaded', async () => {
  const w = await uploadedBefore(1)
  w.disk.write(`${HOME}/0.txt`, 'another content')
  await upload(w, 1)
  const before = asked(w)
  await upload(w, 1)
  expect(asked(w)).toBe(before)
})

it('returns what the journal knows if the service doesn’t respond', async () => {
  const w = await uploadedBefore(2)
  w.service.setFaults({ rules: [{ on: 'get', kinds: { kind: 'error-before-body', status: 503 } }] })
  expect((await upload(w, 2)).map(([outcome]) => outcome)).toEqual(['already', 'already'])
})

it.each<[string, (w: World, forbid: () => void) => void]>([
  ['a rule', (w) => w.disk.write(`${HOME}/.slipwayignore`, 'copy*')],
  ['a policy', (_w, forbid) => forbid()],
])('sends no file that %s excludes while the link of its content is checked', async (_what, exclude) => {
  let policy: EnginePolicy = { forbidden: [], address: '' }
  const answer = Promise.withResolvers<void>()
  let isAsked = false
  const onAnswer = (request: string): Promise<void> | undefined => {
    if (request !== 'file') return undefined
    isAsked = true
    return answer.promise
  }
  const w = await uploadedBefore(1, { onAnswer, policy: () => policy })
  w.disk.write(`${HOME}/copy.txt`, 'the content of 0')
  const [first] = w.service.ledger.live()
  await deleteElsewhere(w, first?.fileId ?? 0)
  await w.answered(w.handlers.upload({ paths: [`${HOME}/copy.txt`], again: false, token: 'copy' }))
  await w.until(() => isAsked)
  exclude(w, () => {
    policy = { ...policy, forbidden: [HOME] }
  })
  await w.pass(1000)
  answer.resolve()
  await w.until(() => w.allSettled())
  expect(await w.byName('copy.txt')).toMatchObject({ state: 'cancelled' })
  expect(w.service.ledger.files()).toHaveLength(1)
})

const linksOf = async (w: World, confirm: boolean) => {
  const got = await w.answered(w.handlers.links({ selectors: [`${HOME}/0.txt`, `${HOME}/1.txt`], confirm }))
  return got.ok ? got.value.map(({ row, ended }) => row?.publicLink ?? ended ?? 'none') : [got.failure.code]
}

it('links that are shown are confirmed on request, each once within a minute', async () => {
  const w = await uploadedBefore(2)
  const [first, second] = await linksOf(w, false)
  const deleted = w.service.ledger.live().find((file) => file.filename === '1.txt')
  await deleteElsewhere(w, deleted?.fileId ?? 0)
  const before = asked(w)
  expect(await linksOf(w, false)).toEqual([first, second])
  expect(asked(w)).toBe(before)
  expect(await linksOf(w, true)).toEqual([first, 'gone'])
  expect(asked(w)).toBe(before + 3)
  expect(await linksOf(w, true)).toEqual([first, 'gone'])
  expect(asked(w)).toBe(before + 3)
})

it('links that are shown are those in the journal if the service doesn’t respond', async () => {
  const w = await uploadedBefore(2)
  const known = await linksOf(w, false)
  const before = asked(w)
  w.service.setFaults({ rules: [{ on: 'get', kinds: { kind: 'error-before-body', status: 503 } }] })
  expect(await linksOf(w, true)).toEqual(known)
  expect(asked(w)).toBe(before + 2)
})

it('links that are shown don’t wait for the rate limit', async () => {
  const w = await uploadedBefore(2, {}, 'pro')
  const known = await linksOf(w, false)
  for (let isAnswered = true; isAnswered; ) {
    isAnswered = false
    void w.handlers.info({ selector: '1' }).then(() => {
      isAnswered = true
    })
    await w.pass(0)
  }
  const began = w.clock.mono()
  const before = asked(w)
  expect(await linksOf(w, true)).toEqual(known)
  expect(asked(w)).toBe(before)
  expect(w.clock.mono()).toBe(began)
})
