// The plan's limits from the user's perspective: daily uploads, file size, a pause requested by the service,
// a plan without API access. Every wait shows its reason and end. The service's log shows that nothing was
// tried that couldn't succeed.
import { join } from 'node:path'
import { expect, test } from './fixture.ts'
import { banner, fetched, fileRow, liveNames, open, quiet, transferRow, uploads } from './hands.ts'
import { clipboardText, dropFiles, KEY, makeFiles, type Slipway } from './slipway.ts'

const statuses = (s: Slipway): readonly string[] =>
  s.service.requests
    .list()
    .filter((one) => one.endpoint !== 'download')
    .map((one) => `${one.endpoint} ${one.status}`)

/** When the limit of a day ends: on another day. Around midnight, the day may change while the spec runs. */
const DAY = `(?:tomorrow |on \\d+ \\w+ )${[23, 0].includes(new Date().getHours()) ? '?' : ''}`
const LATER = `${DAY}at \\d\\d:\\d\\d(?::\\d\\d)?`

/** What follows the last `item`; nothing if there is none. */
function afterLast(list: readonly string[], item: string): readonly string[] {
  return list.includes(item) ? list.slice(list.lastIndexOf(item) + 1) : []
}

test('the daily upload limit: what is uploaded now and what later is shown before and after', async ({
  slipway,
}) => {
  const s = await slipway({ service: { plan: 'pro', key: KEY, limits: { dailyUploads: 3 } } })
  await expect(s.page.getByText('3 more uploads today.')).toBeVisible()
  const desk = makeFiles(
    s.home,
    'desk',
    Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`${name}.txt`, name])),
  )
  await dropFiles(s.page, [desk])
  const plan = s.page.getByRole('dialog', { name: 'Upload 5 files' })
  await expect(plan).toContainText(new RegExp(`3 now, 2 starting ${LATER}`))
  await plan.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(
    s.page.getByText(new RegExp(`^2 waiting · Daily upload limit reached, next try ${LATER}$`)),
  ).toBeVisible()
  await expect(s.page.getByText(new RegExp(`Daily limit reached\\. Next try ${LATER}\\.`))).toBeVisible()
  await expect(s.page.getByRole('meter', { name: 'Uploads today' })).toHaveAttribute(
    'aria-valuetext',
    '3 / 3',
  )

  await open(s.page, 'Transfers')
  await expect(s.page.getByText('All 3 daily uploads used.')).toBeVisible()
  await expect(
    s.page.getByText(new RegExp(`2 files waiting, next try ${LATER}, done within a day\\.`)),
  ).toBeVisible()
  await expect(transferRow(s.page, 'd.txt')).toContainText(
    new RegExp(`Daily upload limit reached, next try ${LATER}`),
  )
  await expect(transferRow(s.page, 'e.txt')).toContainText('Daily upload limit reached')
  expect(liveNames(s)).toEqual(['a.txt', 'b.txt', 'c.txt'])
  expect(statuses(s).filter((one) => one.startsWith('upload'))).toEqual([
    'upload 200',
    'upload 200',
    'upload 200',
  ])
  // Links of finished files are copied at once; files that wait until tomorrow don't delay them.
  await expect.poll(async () => (await clipboardText(s.app)).split('\n').length).toBe(3)

  await open(s.page, 'Usage')
  await expect(s.page.getByRole('group', { name: 'Uploads today' })).toContainText(
    new RegExp(`Used up\\. Next try ${LATER}`),
  )
  await expect(s.page.getByText('at this pace')).toHaveCount(0)

  // With a larger plan, the waiting files are uploaded as soon as the user asks for it.
  s.service.setLimits({ dailyUploads: 100 })
  await open(s.page, 'Files')
  await expect(s.page.getByRole('button', { name: 'Check again' })).toBeVisible()
  await open(s.page, 'Transfers')
  await s.page.getByRole('button', { name: 'Check again' }).click()
  await expect(transferRow(s.page, 'e.txt')).toContainText('Uploaded')
  await expect(transferRow(s.page, 'd.txt')).toContainText('Uploaded')
  await expect.poll(async () => (await clipboardText(s.app)).split('\n').length).toBe(5)
  expect(s.service.requests.list().filter((one) => one.status !== null && one.status >= 400)).toEqual([])
})

test('a drop says how many files are uploaded at once, within minutes, and on another day', async ({
  slipway,
}) => {
  const s = await slipway({ service: { plan: 'pro', key: KEY, limits: { perMinute: 20, dailyUploads: 30 } } })
  await expect(s.page.getByText('30 more uploads today.')).toBeVisible()
  const names = Array.from({ length: 40 }, (_, i) => `${i}.txt`)
  await dropFiles(s.page, [makeFiles(s.home, 'desk', Object.fromEntries(names.map((name) => [name, name])))])
  const plan = s.page.getByRole('dialog', { name: 'Upload 40 files' })
  await expect(plan).toContainText(new RegExp(String.raw`\d+ now, \d+ within \d\smin, 10 starting ${LATER}`))
  const [now = 0, soon = 0] =
    ((await plan.textContent()) ?? '').match(/\d+(?= now| within)/g)?.map(Number) ?? []
  expect(now + soon).toBe(30)
  // The limit of requests a minute is lower than that of uploads a day.
  expect(now).toBeLessThanOrEqual(20)
  await plan.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect.poll(() => liveNames(s).length).toBeGreaterThanOrEqual(now - 2)
  expect(liveNames(s).length).toBeLessThanOrEqual(20)

  // The next drop is queued behind the waiting files.
  await dropFiles(s.page, [makeFiles(s.home, 'more', { 'late.txt': 'late', '.env': 'TOKEN=abc' })])
  await expect(s.page.getByRole('dialog', { name: 'Upload 1 file' })).toContainText(
    new RegExp(`1 starting ${LATER}`),
  )
})

test('the user can choose which waiting files are uploaded first', async ({ slipway }) => {
  const s = await slipway({ service: { plan: 'pro', key: KEY, limits: { dailyUploads: 1 } } })
  await expect(s.page.getByText('1 more upload today.')).toBeVisible()
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const desk = makeFiles(s.home, 'desk', Object.fromEntries(names.map((name) => [`${name}.txt`, name])))
  await dropFiles(s.page, [desk])
  await s.page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click()
  await open(s.page, 'Transfers')
  await expect(s.page.getByText('Your 1 daily upload is used.')).toBeVisible()
  await expect(transferRow(s.page, 'h.txt')).toBeHidden()

  await s.page.getByRole('button', { name: 'Choose order' }).click()
  await expect(s.page.getByText('Select files in the list, then choose “Upload first”.')).toBeVisible()
  await expect(s.page.getByRole('grid', { name: 'Transfers' })).toBeFocused()
  const [first] = liveNames(s)
  const wanted = first === 'g.txt' ? 'h.txt' : 'g.txt'
  await transferRow(s.page, wanted).click()
  await s.page.getByRole('toolbar').getByRole('button', { name: 'Upload first' }).click()
  await s.page.getByRole('button', { name: 'Done', exact: true }).click()
  await expect(s.page.getByText('Select files in the list')).toBeHidden()

  // Whoever has changed the plan in the browser needn't ask for it.
  s.service.setLimits({ dailyUploads: 2 })
  await s.app.evaluate(({ app }) => void app.emit('browser-window-focus'))
  await expect.poll(() => liveNames(s).length).toBe(2)
  expect(liveNames(s)).toContain(wanted)
})

test('a file that exceeds the plan’s limit is held; trying anyway is possible and harmless', async ({
  slipway,
}) => {
  const s = await slipway({ service: { plan: 'pro', key: KEY, limits: { maxFileSize: 2_000_000 } } })
  const desk = makeFiles(s.home, 'desk', {
    'small.txt': 'x'.repeat(5000),
    'large.bin': new Uint8Array(3_000_000).fill(7),
  })
  // A receipt reveals the unit of the limit.
  await dropFiles(s.page, [join(desk, 'small.txt')])
  await expect(fileRow(s.page, 'small.txt')).toBeVisible()
  await dropFiles(s.page, [join(desk, 'large.bin')])
  const plan = s.page.getByRole('dialog')
  await expect(plan).toContainText('1 exceeds your plan’s file size limit')
  await plan.getByRole('button', { name: 'Add to Transfers' }).click()
  await s.page.getByRole('button', { name: '1 file needs attention' }).click()
  const row = transferRow(s.page, 'large.bin')
  await expect(row).toContainText('Held: exceeds the file size limit')
  expect(uploads(s)).toBe(1)

  await row.getByRole('button', { name: 'More actions for large.bin' }).click()
  await s.page.getByRole('menuitem', { name: 'Try anyway…' }).click()
  // Refused, and the client has asked for the account's state.
  await expect.poll(() => afterLast(statuses(s), 'upload 403')).toContain('stats 200')
  await expect(row).toContainText('Held: exceeds the file size limit')
  expect(liveNames(s)).toEqual(['small.txt'])

  s.service.setLimits({ maxFileSize: 5_000_000 })
  await row.getByRole('button', { name: 'More actions for large.bin' }).click()
  await s.page.getByRole('menuitem', { name: 'Try anyway…' }).click()
  await expect(row).toContainText('Uploaded')
  expect(liveNames(s)).toEqual(['large.bin', 'small.txt'])
  expect(uploads(s)).toBe(3)
})

test('a pause that the service requests is respected and shown, and costs nothing', async ({ slipway }) => {
  const s = await slipway()
  // A request that is on its way when the upload is refused would look like one that came too early.
  await quiet(s)
  s.service.setFaults({ rules: [{ on: 'upload', nth: 1, kinds: { kind: 'rate-limited', seconds: 6 } }] })
  const desk = makeFiles(s.home, 'desk', { 'a.txt': 'a' })
  await dropFiles(s.page, [join(desk, 'a.txt')])
  await expect(s.page.getByText(/The service asked to wait, resumes at \d\d:\d\d:\d\d/).first()).toBeVisible()
  const refused = s.service.requests.list().find((one) => one.status === 429)
  await expect(fileRow(s.page, 'a.txt')).toBeVisible()
  await expect.poll(async () => fetched(await clipboardText(s.app)).catch(() => '')).toBe('a')
  const after = s.service.requests
    .list()
    .filter((one) => one.no > (refused?.no ?? 0) && one.endpoint !== 'download')
  // Nothing is sent before the requested time.
  expect(after.every((one) => one.at >= (refused?.at ?? 0) + 6000)).toBe(true)
  expect(uploads(s)).toBe(2)
  await expect(s.page.getByText('The service asked to wait')).toHaveCount(0)
})

test('a plan that loses its API stops everything until it is back', async ({ slipway }) => {
  const s = await slipway()
  const desk = makeFiles(s.home, 'desk', { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' })
  await dropFiles(s.page, [join(desk, 'a.txt')])
  await expect(fileRow(s.page, 'a.txt')).toBeVisible()
  s.service.setPlan('free')
  await dropFiles(s.page, [join(desk, 'b.txt')])
  const told = banner(s.page, 'Your plan doesn’t include API access.')
  await expect(told).toBeVisible()
  await quiet(s)
  s.service.requests.clear()
  await dropFiles(s.page, [join(desk, 'c.txt')])
  await open(s.page, 'Transfers')
  for (const name of ['b.txt', 'c.txt']) await expect(transferRow(s.page, name)).not.toContainText('Uploaded')
  expect(s.service.requests.list().filter((one) => one.endpoint !== 'stats')).toEqual([])

  s.service.setPlan('business')
  await told.getByRole('button', { name: 'Check again' }).click()
  await expect(told).toHaveCount(0)
  await expect(transferRow(s.page, 'c.txt')).toContainText('Uploaded')
  expect(liveNames(s)).toEqual(['a.txt', 'b.txt', 'c.txt'])
  await expect(s.page.getByText('Business', { exact: true })).toBeVisible()
})
