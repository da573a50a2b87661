// Links of files saved in watched folders: which are copied, when, and what they must not replace.
// Engine, settings and clipboard are fakes.
import { describe, expect, it } from 'vitest'
import type { ClipboardMark, CopyOutcome } from '../../../src-main/shell/clipboard/unasked-copies.ts'
import { WatchedCopies } from '../../../src-main/shell/intake/watched-link-copies.ts'
import type { Folder, Snapshot, Transfer } from '../../../src-shared/model.ts'
import type { AppSettings } from '../../../src-shared/settings.ts'
import { settled } from './fake-link.ts'
import { folder, NOW, snapshot, transfer } from './world.ts'

const SHOTS = folder('/home/ada/Shots', 'watching', 7)
const OTHER = folder('/home/ada/Other', 'watching', 8)

function room(settings: Partial<Pick<AppSettings, 'copyWatched' | 'copyFolders'>> = {}) {
  const clipboard = { text: 'at first', outcome: 'copied' as CopyOutcome }
  const copies: { readonly ids: number[]; readonly mark: ClipboardMark }[] = []
  const told: (readonly number[])[] = []
  const clock = { now: NOW }
  const watched = new WatchedCopies({
    settings: () => ({ copyWatched: 'chosen', copyFolders: [SHOTS.path], ...settings }),
    mark: async () => clipboard.text,
    copy: async (links, mark) => {
      copies.push({ ids: links.map((link) => link.transferId), mark })
      return clipboard.outcome
    },
    onCopied: (ids) => told.push(ids),
    now: () => clock.now,
  })
  const tell = async (...items: Transfer[]): Promise<void> => {
    watched.take({ seq: 1, kind: 'transfers', items })
    await settled()
  }
  const state = (
    counts: Partial<Snapshot['counts']> = {},
    folders: readonly Folder[] = [SHOTS, OTHER],
  ): void => watched.take({ seq: 1, kind: 'state', snapshot: snapshot({ counts, folders }) })
  const saved = (id: number, changes: Partial<Transfer> = {}): Transfer =>
    transfer(id, { source: 'watch', folderId: 7, createdAt: clock.now, doneAt: clock.now, ...changes })
  return { watched, clipboard, copies, told, clock, tell, state, saved }
}

describe('a file that is saved in a chosen folder', () => {
  it('is copied when its link is ready', async () => {
    const { state, tell, saved, clock, copies, told } = room()
    state()
    clock.now += 5000
    await tell(saved(1, { state: 'queued', publicLink: null }))
    expect(copies).toEqual([])
    await tell(saved(1))
    await tell(saved(1))
    expect(copies).toEqual([{ ids: [1], mark: 'at first' }])
    expect(told).toEqual([[1]])
  })

  it('is copied even if it was saved before the first state after the scan', async () => {
    const { state, tell, saved, clock, copies, watched } = room()
    state({}, [{ ...SHOTS, state: 'scanning', lastScanAt: null }])
    watched.take({ seq: 1, kind: 'folder', folder: SHOTS, settling: 0 })
    clock.now += 200
    state({ settling: 1 })
    clock.now += 1000
    await tell(saved(1))
    expect(copies.map((one) => one.ids)).toEqual([[1]])
  })

  it('brings the clipboard of the moment at which it was first seen', async () => {
    const { state, tell, saved, clock, copies, clipboard } = room()
    state()
    clock.now += 5000
    await tell(saved(1, { state: 'queued', publicLink: null }))
    clipboard.text = 'copied while it went up'
    await tell(saved(1))
    expect(copies).toEqual([{ ids: [1], mark: 'at first' }])
  })

  it('that is first seen when it is up brings that of the moment at which Slipway became busy', async () => {
    const { state, tell, saved, clock, copies, clipboard } = room()
    state()
    clock.now += 5000
    state({ settling: 1 })
    await settled()
    clipboard.text = 'copied while it settled'
    state({ settling: 1 })
    await tell(saved(1))
    expect(copies).toEqual([{ ids: [1], mark: 'at first' }])
  })

  it('that is saved while Slipway has been busy for long brings the clipboard of its own moment', async () => {
    const { state, tell, saved, clock, copies, clipboard } = room()
    state()
    state({ queued: 2000 })
    await settled()
    clipboard.text = 'copied hours before the file was saved'
    clock.now += 3_600_000
    await tell(saved(1))
    expect(copies).toEqual([{ ids: [1], mark: clipboard.text }])
  })

  it('is copied together with those just before it, and alone after a moment', async () => {
    const { state, tell, saved, clock, copies } = room()
    state()
    clock.now += 5000
    await tell(saved(1))
    clock.now += 2000
    await tell(saved(2))
    clock.now += 3001
    await tell(saved(3))
    expect(copies.map((one) => one.ids)).toEqual([[1], [1, 2], [3]])
  })

  it.each(['changed', 'refused'] as const)('that is not copied (%s) is not said to be', async (outcome) => {
    const { state, tell, saved, clock, clipboard, told } = room()
    state()
    clock.now += 5000
    clipboard.outcome = outcome
    await tell(saved(1))
    expect(told).toEqual([])
  })
})

describe('not copied is', () => {
  it('what was in the folder before, or was saved while Slipway did not run', async () => {
    const { state, tell, saved, clock, copies, watched } = room()
    const early = saved(1)
    state({}, [{ ...SHOTS, state: 'scanning', lastScanAt: null }])
    clock.now += 5000
    const found = saved(2)
    clock.now += 5000
    state()
    await tell(early, found)
    // Another engine scans again. Files found by that scan weren't saved just now.
    watched.engineChanged()
    clock.now += 5000
    await tell(saved(3))
    expect(copies).toEqual([])
  })

  it('what the first scan found and was still settling when it ended', async () => {
    const { state, tell, saved, clock, copies } = room()
    state({ settling: 1 })
    clock.now += 1000
    const young = saved(1)
    clock.now += 1
    state()
    await tell(young)
    clock.now += 1
    await tell(saved(2))
    expect(copies.map((one) => one.ids)).toEqual([[2]])
  })

  it('what was still settling when the folder said that it was scanned', async () => {
    const { state, tell, saved, clock, copies, watched } = room()
    watched.take({ seq: 1, kind: 'folder', folder: SHOTS, settling: 1 })
    watched.take({ seq: 2, kind: 'folder', folder: SHOTS })
    clock.now += 1000
    const young = saved(1)
    clock.now += 1
    state()
    await tell(young)
    expect(copies).toEqual([])
  })

  it('what a disk brings that was away', async () => {
    const { state, tell, saved, clock, copies } = room()
    state()
    state({}, [{ ...SHOTS, state: 'away' }])
    clock.now += 5000
    const found = saved(1)
    clock.now += 1
    state()
    await tell(found)
    expect(copies).toEqual([])
  })

  it('what a person dropped, what is in another folder, what has no link any more', async () => {
    const { state, tell, saved, clock, copies } = room()
    state()
    clock.now += 5000
    await tell(
      saved(1, { source: 'upload' }),
      saved(2, { folderId: 8 }),
      saved(3, { publicLink: null, ended: 'deleted' }),
      saved(4, { state: 'held', publicLink: null }),
      saved(5, { doneAt: clock.now - 3_600_000 }),
    )
    expect(copies).toEqual([])
  })

  it('more than a hundred files at once', async () => {
    const { state, tell, saved, clock, copies } = room()
    state()
    clock.now += 5000
    await tell(...Array.from({ length: 101 }, (_, i) => saved(i + 1)))
    expect(copies).toEqual([])
  })
})

it.each([
  ['never', []],
  ['chosen', [1]],
  ['always', [1, 2]],
] as const)('the setting "%s" copies %j', async (copyWatched, expected) => {
  const { state, tell, saved, clock, copies } = room({ copyWatched })
  state()
  clock.now += 5000
  await tell(saved(1))
  await tell(saved(2, { folderId: 8 }))
  expect(copies.at(-1)?.ids ?? []).toEqual(expected)
})
