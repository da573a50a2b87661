// An update from the user's perspective, from a feed on this machine to the start of the new version: the
// settings show each step, a restart waits for uploads, and problems are reported. The installed and the new
// AppImage are small scripts.
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { createService } from '../service/service.ts'
import { tracedConnections } from '../tools/connections.ts'
import { has, lacks } from '../tools/needs.ts'
import { isStandIn } from './desk.ts'
import { expect, test } from './fixture.ts'
import { answerUploads, command, fileRow, open, UPLOADS_UNANSWERED } from './hands.ts'
import { ask, dropFiles, KEY, makeFiles, type Slipway, type Start } from './slipway.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const pinned = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')

interface Feed {
  readonly server: Server
  readonly address: string
  /** The server's responses by path. */
  readonly files: Map<string, Buffer>
  /** Responses that stop in the middle of the package until the test lets them end. */
  readonly held: ServerResponse[]
  holds: boolean
}

let feed: Feed

test.beforeEach(async () => {
  const files = new Map<string, Buffer>()
  const held: ServerResponse[] = []
  const server = createServer((request, response) => {
    const body = files.get(request.url ?? '')
    if (body === undefined) response.writeHead(404).end()
    else if (feed.holds && request.url?.endsWith('.AppImage') === true) {
      response.writeHead(200, { 'content-length': body.length })
      // At least half, so that the app has a step of one percent to show.
      response.write(body.subarray(0, Math.ceil(body.length / 2)))
      held.push(response)
    } else response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  feed = {
    server,
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    files,
    held,
    holds: false,
  }
})

test.afterEach(async () => {
  feed.server.closeAllConnections()
  await new Promise((resolve) => feed.server.close(resolve))
})

/**
 * Publishes `content` as version 9.9.9. The feed states the size and hash of `listed`; a test may pass
 * another one to cause a mismatch.
 */
function publish(content: Buffer, listed: Buffer = content): void {
  const sha512 = createHash('sha512').update(listed).digest('hex')
  const packages = [
    { system: 'linux', arch: process.arch, path: '9.9.9/slipway.AppImage', bytes: listed.length, sha512 },
  ]
  const text = Buffer.from(
    JSON.stringify({ format: 1, version: '9.9.9', notes: 'Links in half the time.', staging: 100, packages }),
  )
  feed.files.set('/updates.json', text)
  feed.files.set('/updates.json.sig', Buffer.from(sign(null, text, privateKey).toString('base64')))
  feed.files.set('/9.9.9/slipway.AppImage', content)
}

const script = (line: string): Buffer => Buffer.from(`#!/bin/sh\n${line}\n# ${'x'.repeat(2_000_000)}\n`)

/** Starts Slipway as an AppImage in its own folder. */
function asAppImage(
  start: (given?: Start) => Promise<Slipway>,
  home: string,
  more: Start = {},
): Promise<Slipway> {
  mkdirSync(home, { recursive: true })
  const appImage = join(home, 'Slipway.AppImage')
  writeFileSync(appImage, '#!/bin/sh\nexit 0\n', { mode: 0o755 })
  const source = join(home, 'source.json')
  writeFileSync(source, JSON.stringify({ feed: `${feed.address}/updates.json`, key: pinned }))
  return start({ ...more, env: { APPIMAGE: appImage, SLIPWAY_UPDATE_SOURCE: source, ...more.env } })
}

async function openAbout(page: Page, name = 'About'): Promise<void> {
  await page.keyboard.press('ControlOrMeta+,')
  await page.getByRole('button', { name, exact: true }).click()
}

test.skip(process.platform !== 'linux', 'AppImages are Linux’ own')

test('an update is found, downloaded, waits for uploads, and starts', async ({ slipway }, info) => {
  const home = info.outputPath('programs')
  publish(script(`touch "${join(home, 'started')}"`))
  feed.holds = true
  const own = await asAppImage(slipway, home)
  const { page, service, app } = own
  await openAbout(page)
  await expect(page.getByText('Not checked yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Check now' }).click()
  await expect(page.getByText('Version 9.9.9 is available (2 MB).')).toBeVisible()
  await expect(page.getByText('Links in half the time.')).toBeVisible()

  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await expect(page.getByText('Downloading version 9.9.9: 1 MB of 2 MB')).toBeVisible()
  await expect(page.getByRole('progressbar', { name: 'Download' })).toHaveAttribute('aria-valuenow', '50')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Version 9.9.9 is available')).toBeVisible()
  expect(existsSync(join(own.data, 'updates', 'slipway-9.9.9.AppImage'))).toBe(false)
  feed.holds = false
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await expect(page.getByText('Version 9.9.9 is ready. Uploads continue after the restart.')).toBeVisible()

  service.setFaults(UPLOADS_UNANSWERED)
  const files = makeFiles(own.home, 'given', { 'report.txt': 'a report' })
  await dropFiles(page, [join(files, 'report.txt')])
  const uploading = async (): Promise<number | null> => {
    const got = await ask(page, 'snapshot', {})
    return got.ok ? got.value.counts.uploading : null
  }
  await expect
    .poll(() => service.requests.list().some((one) => one.path.endsWith('/files/upload')))
    .toBe(true)
  await expect.poll(uploading).toBe(1)
  // A quiet sign in every other view leads to the same.
  await open(page, 'Files')
  await page.locator('.status-bar').getByRole('button', { name: 'Restart to update' }).click()
  await expect(page.locator('.status-bar').getByText('Restart to update')).toHaveCount(0)
  await open(page, 'Settings')
  await expect(page.getByText('Slipway restarts once the uploads in progress have finished.')).toBeVisible()
  expect(readFileSync(join(home, 'Slipway.AppImage'), 'utf8')).toContain('exit 0')

  const closed = app.waitForEvent('close', { timeout: 60_000 })
  answerUploads(own)
  await closed
  await expect.poll(() => existsSync(join(home, 'started'))).toBe(true)
  expect(readFileSync(join(home, 'Slipway.AppImage.previous'), 'utf8')).toBe('#!/bin/sh\nexit 0\n')
})

test('an update waits for an upload of an account that isn’t shown in the window', async ({
  slipway,
}, info) => {
  const home = info.outputPath('programs')
  publish(script(`touch "${join(home, 'started')}"`))
  const key = 'sk-other-0123456789abcdef0123456789abcdef'
  const second = await createService({ plan: 'business', key, storage: 'disk' })
  try {
    const own = await asAppImage(slipway, home)
    const { page, service, app } = own
    service.setFaults(UPLOADS_UNANSWERED)
    await dropFiles(page, [join(makeFiles(own.home, 'given', { 'report.txt': 'a report' }), 'report.txt')])
    await expect
      .poll(() => service.requests.list().some((one) => one.path.endsWith('/files/upload')))
      .toBe(true)
    await command(page, 'Add account…')
    const form = page.getByRole('dialog', { name: 'Add account' })
    await form.getByLabel('Service address').fill(second.url)
    await form.getByLabel('API key', { exact: true }).fill(key)
    await form.getByRole('button', { name: 'Connect', exact: true }).click()
    await form.getByRole('button', { name: 'Use until Slipway quits' }).click()
    await expect(page.getByRole('button', { name: `Account: ${new URL(second.url).host}` })).toBeVisible()
    // The account in the window has nothing to upload.
    const shown = await ask(page, 'snapshot', {})
    expect(shown.ok ? shown.value.counts.uploading : null).toBe(0)
    await openAbout(page)
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    await page.getByRole('button', { name: 'Restart to update' }).click()
    await expect(page.getByText('Slipway restarts once the uploads in progress have finished.')).toBeVisible()
    expect(readFileSync(join(home, 'Slipway.AppImage'), 'utf8')).toContain('exit 0')
    const closed = app.waitForEvent('close', { timeout: 60_000 })
    answerUploads(own)
    await closed
    await expect.poll(() => existsSync(join(home, 'started'))).toBe(true)
    // The upload of the account in the background was neither interrupted nor sent again.
    expect(service.ledger.live().map((file) => file.filename)).toEqual(['report.txt'])
    expect(service.requests.list().filter((one) => one.path.endsWith('/files/upload'))).toHaveLength(1)
  } finally {
    await second.close()
  }
})

test('failures are reported, also in German', async ({ slipway }, info) => {
  publish(script('exit 0'), script('exit 1'))
  const { page } = await asAppImage(slipway, info.outputPath('programs'), { settings: { language: 'de' } })
  await openAbout(page, 'Über Slipway')
  await page.getByRole('button', { name: 'Jetzt suchen' }).click()
  await page.getByRole('button', { name: 'Herunterladen', exact: true }).click()
  await expect(
    page.getByText('Der Download war beschädigt und wurde gelöscht. Versuche es erneut.'),
  ).toBeVisible()
  feed.files.set('/updates.json.sig', Buffer.from('bm9uZQ=='))
  await page.getByRole('button', { name: 'Jetzt suchen' }).click()
  await expect(
    page.getByText('Die Signatur des Updates ist ungültig, deshalb wurde nichts installiert.'),
  ).toBeVisible()
  expect(readFileSync(info.outputPath('programs', 'Slipway.AppImage'), 'utf8')).toBe('#!/bin/sh\nexit 0\n')
})

test('every connection of the app leads to the service or the update source', async ({ slipway }, info) => {
  test.skip(!has('strace'), lacks(['strace']))
  test.skip(!isStandIn, 'a sandboxed Electron can’t be watched by strace')
  const home = info.outputPath('programs')
  const calls = info.outputPath('calls')
  publish(script(''))
  const s = await asAppImage(slipway, home, { connectionsTo: calls })
  const { page } = s
  await dropFiles(page, [join(makeFiles(s.home, 'desk', { 'a.txt': 'a' }), 'a.txt')])
  await expect(fileRow(page, 'a.txt')).toBeVisible()
  for (const view of ['Transfers', 'Usage', 'Settings'] as const) await open(page, view)
  await openAbout(page)
  await expect(page.getByText('No telemetry.')).toBeVisible()
  await page.getByRole('button', { name: 'Check now' }).click()
  await expect(page.getByText('Version 9.9.9 is available (2 MB).')).toBeVisible()
  await test.step('the diagnostics report is shown before it is saved', async () => {
    await page.getByRole('button', { name: 'Show report…' }).click()
    const report = page.getByRole('dialog', { name: 'Diagnostics' })
    await expect(report).toContainText('"slipway":')
    await expect(report).toContainText('transfer.done')
    await expect(report).not.toContainText(KEY)
    await expect(report).not.toContainText('/download/')
    const to = join(s.home, 'report.txt')
    await s.app.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = async () => ({ canceled: false, filePath })
    }, to)
    const shown = await report.locator('pre').textContent()
    await report.getByRole('button', { name: 'Save…' }).click()
    await expect(report).toBeHidden()
    expect(readFileSync(to, 'utf8')).toBe(shown)
  })
  await s.app.close()
  const known = [s.service.url, feed.address].map((address) => new URL(address).host)
  const connections = tracedConnections(calls)
  expect(connections).toEqual(expect.arrayContaining(known))
  // The stand-in's browser loads the page from a server of its own.
  const others = connections.filter((address) => !known.includes(address))
  expect(others.filter((address) => !address.startsWith('127.0.0.1:'))).toEqual([])
  expect(others.length).toBeLessThanOrEqual(1)
})

test('a build without an update source says so and contacts no server', async ({ slipway }) => {
  const { page } = await slipway()
  await openAbout(page)
  await expect(
    page.getByText('This build has no update source. New versions are installed by hand.'),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Check now' })).toBeHidden()
  await expect(page.getByText('Check for updates automatically')).toBeHidden()
})
