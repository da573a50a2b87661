// The report for requests for help: what helps is in it, and what was planted isn't.
import { expect, it, vi } from 'vitest'
import { diagnosticsText } from '../../../src-main/shell/window/diagnostics.ts'
import { AppSettings } from '../../../src-shared/settings.ts'
import { createRoom } from './room.ts'

vi.mock('electron', () => ({ protocol: {} }))

const KEY = 'sk-live-0123456789abcdef0123'
const SECRETS = [
  KEY,
  'k3v9x2Qp71LmZz80',
  'ada-lovelace',
  'my diary',
  '/download/short',
  'QwErTy',
  'zyxwv',
  'pw123x',
  'Kestrel',
  'hunter2',
  'Meadow',
]

const LINES = [
  `{"level":"info","event":"upload.done","link":"https://files.example.com/download/k3v9x2Qp71LmZz80"}`,
  `{"level":"warn","event":"call.failed","why":"GET https://files.example.com/download/short"}`,
  `{"level":"warn","event":"call.failed","why":"Authorization: Bearer ${KEY}"}`,
  `{"level":"warn","event":"call.failed","why":"x-api-key ${KEY}"}`,
  `{"level":"info","event":"scan","path":"/home/ada-lovelace/Share"}`,
  `{"level":"warn","event":"x","why":"files.example.com/download/QwErTyUiOpAsDfGh and //files.example.com/d/zyxwvuts"}`,
  `{"level":"warn","event":"x","why":"ftp://u:pw123x@ftp.example.com socks5://bob:Kestrel@10.0.0.1:1080 password=hunter2pw"}`,
]

function report(log: string): string {
  return diagnosticsText({
    at: Date.UTC(2026, 10, 28),
    version: '1.2.3',
    platform: 'linux',
    versions: { electron: '45.0.0', chrome: '150', node: '24' },
    settings: AppSettings.parse({
      theme: 'dark',
      linkTemplate: `${KEY} $url`,
      pasteName: 'Meadow {date}',
      copyAsk: ['/home/ada-lovelace/my diary'],
    }),
    snapshot: null,
    log,
    home: '/home/ada-lovelace',
  })
}

it('contains versions, settings and the log, but no key, link or home folder', () => {
  const text = report(LINES.join('\n'))
  for (const part of [
    '1.2.3',
    '45.0.0',
    '"theme": "dark"',
    'upload.done',
    '~/Share',
    'https://files.example.com/[…]',
  ])
    expect(text).toContain(part)
  for (const secret of SECRETS) expect(text).not.toContain(secret)
})

it('contains only the end of a long log', () => {
  const text = report(Array.from({ length: 1000 }, (_, i) => `line ${i}`).join('\n'))
  expect(text).toContain('line 999')
  expect(text).not.toContain('line 799\n')
})

it('saves what the user has seen, whatever has happened since', async () => {
  const { h, did } = createRoom('/nowhere')
  const shown = await h.diagnostics({})
  expect(await h.saveDiagnostics({})).toEqual({ ok: true, value: { saved: true } })
  expect(did).toContainEqual(['saved', shown.ok ? shown.value.text : ''])
})
