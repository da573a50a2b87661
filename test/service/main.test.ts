// The service as a process: the line that reports that it is ready and what that line omits, a clean exit,
// and messages for invalid arguments. What it serves is tested in-process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { call, json, upload } from './raw-client.ts'

const MAIN = join(import.meta.dirname, 'main.ts')
const started: ReturnType<typeof start>[] = []

function start(...args: readonly string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const out = { text: '', error: '' }
  child.stdout.on('data', (chunk: Buffer) => (out.text += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (out.error += chunk.toString()))
  return { child, out, ended: once(child, 'close') as Promise<[number | null, string | null]> }
}

async function ready(...args: readonly string[]) {
  const run = start(...args)
  started.push(run)
  await expect.poll(() => run.out.text, { timeout: 20_000 }).toContain('\n')
  return { ...run, url: /ready (\S+)/.exec(run.out.text)?.[1] ?? '' }
}

afterEach(() => {
  for (const { child } of started.splice(0)) child.kill('SIGKILL')
})

it('says one line, serves, ends with 0 on SIGTERM, and knows its files after a kill', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'service-main-'))
  const first = await ready(
    '--data',
    dataDir,
    '--plan',
    'business',
    '--per-day',
    'unlimited',
    '--dialect',
    '{"ids":"big"}',
    '--control-token',
    'T',
  )
  const line = /^service ready (http:\/\/127\.0\.0\.1:\d+\/api\/v1) plan=business key=(\S+)\n$/.exec(
    first.out.text,
  )
  const key = line?.[2] ?? ''
  const at = { url: first.url, key }
  expect(json(await upload(at, 'a', 'x'))).toMatchObject({ file_id: 9_007_199_254_000_001 })
  expect(json(await call(at, { path: '/stats' }))).toMatchObject({
    plan: 'business',
    limits: { requests_per_minute: 100, requests_per_day: null },
  })
  first.child.kill('SIGKILL')
  await first.ended

  const second = await ready('--data', dataDir, '--key', key)
  expect(second.out.text).toBe(`service ready ${second.url} plan=pro\n`)
  expect(json(await call({ url: second.url, key }, { path: '/files' }))).toMatchObject({
    files: [{ filename: 'a' }],
  })
  second.child.kill('SIGTERM')
  expect(await second.ended).toEqual([0, null])
  expect(second.out.error).toBe('')
  rmSync(dataDir, { recursive: true })
})

it.each([
  [['--help'], 0, /--per-minute/, /^$/],
  [['--dialect', 'martian'], 2, /^$/, /no dialect is named martian/],
  [['--windows', 'round'], 2, /^$/, /sliding, aligned/],
  [['--port', 'x'], 2, /^$/, /not a number/],
  [['--faults', '{"rules":[{"kinds":"x"}]}'], 2, /^$/, /service: /],
  [['--nothing'], 2, /^$/, /--nothing/],
] as const)('%j', async (args, code, text, error) => {
  const run = start(...args)
  expect((await run.ended)[0]).toBe(code)
  expect(run.out.text).toMatch(text)
  expect(run.out.error).toMatch(error)
})
