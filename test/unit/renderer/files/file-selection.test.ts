// The selection of files in a list that changes, with a bridge that answers as a service with these files
// would. An action must never hit a file that the user didn't select: either the ID that was selected is
// sent, or a revision that the shell refuses.
import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { type RowSelection, selectedCount } from '../../../../src-renderer/lib/range-selection.ts'
import {
  allChosen,
  chosen,
  cleared,
  deletionOf,
  isFileSelected,
  selectionOf,
} from '../../../../src-renderer/views/files/file-selection.ts'
import { filesStore, selectRows } from '../../../../src-renderer/views/files/files-store.ts'
import {
  createOffsetPages,
  type OffsetPages,
  PAGE_ROWS,
} from '../../../../src-renderer/views/files/offset-pages.ts'
import type { FileId } from '../../../../src-shared/model.ts'
import type { ListQuery, Selection } from '../../../../src-shared/window-contract.ts'
import { remoteRow } from '../../views.ts'
import { type FakeBridge, installBridge, ok, REFUSED } from '../fake-bridge.ts'

const QUERY: ListQuery = {
  search: '',
  kind: null,
  since: null,
  unopened: false,
  folderId: null,
  sort: 'date',
  descending: true,
}

let bridge: FakeBridge
let pages: OffsetPages
/** The IDs of the service's files in the order of the list. */
let list: number[]
let revision: number

function begin(files: number): void {
  bridge = installBridge()
  list = Array.from({ length: files }, (_, i) => 100_000 - i)
  revision = 1
  filesStore.setState({ pages: null })
  pages = createOffsetPages(QUERY)
  filesStore.setState({ pages })
}
beforeEach(() => begin(20_000))

/** Answers everything that was asked, with the files as they are now. */
async function answerAll(): Promise<void> {
  while (bridge.open.length > 0) await answerOne()
}

async function answerOne(): Promise<void> {
  const [asked] = bridge.open
  if (asked === undefined) return
  const { offset, limit } = asked.input as { readonly offset: number; readonly limit: number }
  const rows = list.slice(offset, offset + limit).map((id) => remoteRow(id))
  await bridge.answer('catalog', ok({ rows, total: list.length, asOf: 5, revision: `r${revision}` }))
}

async function look(first: number, last = first + 20): Promise<void> {
  pages.want(first, last)
  await answerAll()
}

/** A file is uploaded, and the list reads what is visible again. */
async function upload(id = 200_000 + revision): Promise<void> {
  change((files) => [id, ...files])
  pages.renew()
  await answerAll()
}

function change(how: (files: number[]) => number[]): void {
  list = how(list)
  revision++
}

/** Scrolls so far that the pages that were read before are no longer in memory. */
async function scrollOn(): Promise<void> {
  for (let page = 10; page < 75; page++) await look(page * PAGE_ROWS)
}

function sent(): Selection | null {
  return selectionOf(filesStore.getState().selection, pages.query)
}

const click = (index: number): void => selectRows(chosen(index, 'only'))
const extend = (index: number): void => selectRows(chosen(index, 'extend'))
const toggle = (index: number): void => selectRows(chosen(index, 'toggle'))
const selection = (): RowSelection => filesStore.getState().selection

describe('a selected file', () => {
  it('stays the one that is copied or deleted, however far the list is scrolled after an upload', async () => {
    await look(0)
    click(7)
    const id = list[7]
    expect(sent()).toEqual({ fileIds: [id] })
    await look(1000)
    await upload()
    await scrollOn()
    expect(pages.at(7)).toBeUndefined()
    expect(sent()).toEqual({ fileIds: [id] })
    // Back at the beginning, it is at its new place.
    await look(0)
    expect(sent()).toEqual({ fileIds: [id] })
    expect(selection().ranges).toEqual([[8, 8]])
  })

  it('is no longer selected once its page shows that it is gone', async () => {
    await look(0)
    click(7)
    await look(1000)
    change((files) => files.filter((id) => id !== list[7]))
    pages.renew()
    await answerAll()
    await scrollOn()
    await look(0)
    expect(sent()).toBeNull()
    expect(selectedCount(selection())).toBe(0)
  })

  it('is followed by answers that arrive while another view is open', async () => {
    await look(0)
    click(7)
    const id = list[7]
    await upload()
    await upload()
    expect(sent()).toEqual({ fileIds: [id] })
    expect(selection()).toMatchObject({ ranges: [[9, 9]], active: 9, anchor: 9 })
  })

  it.each([1, 3])(
    'stays alone with those that were clicked, although they are all %i of the list',
    async (files) => {
      begin(files)
      await look(0)
      click(0)
      for (let i = 1; i < files; i++) toggle(i)
      const ids = [...list]
      await upload()
      expect(sent()).toEqual({ fileIds: ids })
      expect(selection().ranges).toEqual([[1, files]])
    },
  )

  it('is one that was clicked, whatever happens to the list meanwhile', async () => {
    const step = record({
      what: constantFrom(
        'look',
        'read',
        'read',
        'click',
        'toggle',
        'toggle',
        'extend',
        'add',
        'delete',
        'swap',
        'renew',
        'answer',
      ),
      at: integer({ min: 0, max: 899 }),
    })
    // A list that is clicked as a whole is short.
    await assert(
      asyncProperty(
        constantFrom(1, 3, 900, 900),
        array(step, { maxLength: 40, size: 'max' }),
        async (length, steps) => {
          begin(length)
          const clicked = new Set<FileId | undefined>()
          /**
           * The file from which the selection was extended last, if it was then selected, and the one to which.
           */
          let ends: readonly (FileId | undefined)[] = []
          const lists = new Map<string, readonly number[]>()
          for (const { what, at: any } of steps) {
            const at = any % Math.max(1, list.length)
            const had = filesStore.getState().selection
            const idAt = (index: number): FileId | undefined => pages.at(index)?.fileId
            /** The file that is shown there or, if its row isn't in memory, those that were selected there. */
            const idsAt = (index: number): (FileId | undefined)[] =>
              idAt(index) === undefined
                ? [...(had.ids ?? [])].filter(([, place]) => place === index).map(([one]) => one)
                : [idAt(index)]
            const id = idAt(at)
            if (what === 'look') pages.want(at, at + 20)
            else if (what === 'read') await look(at)
            else if (what === 'answer') await answerAll()
            else if (what === 'renew') pages.renew()
            else if (what === 'add') change((files) => files.toSpliced(at, 0, 300_000 + revision))
            else if (what === 'delete') change((files) => files.toSpliced(at, 1))
            else if (what === 'swap') change((files) => [...files.slice(at), ...files.slice(0, at)])
            else if (id !== undefined && (what === 'click' || what === 'toggle' || what === 'extend')) {
              const from = what === 'extend' && had.anchor >= 0 ? had.anchor : at
              const isOff = what === 'toggle' && isFileSelected(had, at, pages.at(at))
              if (what !== 'toggle') clicked.clear()
              for (let i = Math.min(from, at); i <= Math.max(from, at); i++)
                for (const one of idsAt(i)) clicked.add(one)
              if (isOff) clicked.delete(id)
              ends = what === 'extend' && isFileSelected(had, from, pages.at(from)) ? [idAt(from), id] : []
              selectRows(chosen(at, what === 'click' ? 'only' : what))
            }
            lists.set(`r${revision}`, list)
            const files = sent()
            if (files === null) continue
            if ('fileIds' in files) expect(clicked).toEqual(new Set([...clicked, ...files.fileIds]))
            else {
              // The shell reads the rows of the list in which they were selected, or none.
              const of = lists.get(files.revision) ?? []
              for (const end of of.length === 0 ? [] : ends)
                expect(files.ranges.flat().map((index) => of[index])).toContain(end)
              for (const [first, last] of files.ranges)
                for (const one of of.slice(first, last + 1)) clicked.add(one)
            }
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('several files', () => {
  it('are sent by their IDs, also those whose rows are no longer in memory', async () => {
    await look(0, 350)
    click(5)
    extend(305)
    const ids = list.slice(5, 306)
    expect(sent()).toEqual({ fileIds: ids })
    await scrollOn()
    expect(sent()).toEqual({ fileIds: ids })
    await upload()
    expect(sent()).toEqual({ fileIds: ids })
  })

  it('with rows that were never read are sent as ranges of the list in which they were selected', async () => {
    await look(0)
    click(5)
    await look(700)
    extend(710)
    expect(sent()).toEqual({ query: QUERY, ranges: [[5, 710]], isAll: false, revision: 'r1' })
    // All of their rows have been read by now.
    await look(0, 720)
    expect(sent()).toEqual({ fileIds: list.slice(5, 711) })
  })

  it.each<[string, (files: number[]) => number[]]>([
    ['a file was added', (files) => [300_000, ...files]],
    ['one was added and one deleted', (files) => [300_000, ...files.slice(0, -1)]],
    ['the order is another one', (files) => files.toReversed()],
  ])('of which there are more than 1,000 are no longer selected once %s', async (_what, how) => {
    await look(0)
    click(5)
    await look(1500)
    extend(1510)
    expect(sent()).toMatchObject({ ranges: [[5, 1510]], revision: 'r1' })
    change(how)
    // The window doesn't know yet. The shell compares the revision, and refuses.
    expect(sent()).toMatchObject({ revision: 'r1' })
    pages.renew()
    await answerAll()
    expect(sent()).toBeNull()
    // The arrow keys go on from where they were.
    expect(selection()).toMatchObject({ ranges: [], active: 1510, anchor: 1510 })
  })

  it('of which there are more than 1,000 leave the keyboard in the list when they are deleted', async () => {
    await look(18_000)
    click(18_000)
    await look(19_500)
    extend(19_999)
    change((files) => files.slice(0, 18_000))
    pages.renew()
    await answerAll()
    expect(selection()).toMatchObject({ ranges: [], active: 17_999, anchor: 17_999 })
  })

  it('selected where some rows are out of date are sent with a revision that no list has', async () => {
    await look(0)
    await look(700)
    change((files) => [300_000, ...files])
    pages.renew()
    await answerAll()
    pages.want(0, 20)
    // The first page is still shown as it was.
    click(5)
    expect(sent()).toEqual({ fileIds: [100_000 - 5] })
    extend(710)
    expect(sent()).toMatchObject({ ranges: [[5, 710]], revision: '' })
    // The answer moves the clicked row, and the range can't be followed.
    await answerAll()
    expect(sent()).toMatchObject({ revision: '' })
    extend(711)
    expect(sent()).toMatchObject({ revision: '' })
    // Selected once more, as the refusal says.
    click(5)
    expect(sent()).toEqual({ fileIds: [100_000 - 4] })
    extend(710)
    expect(sent()).toMatchObject({ ranges: [[5, 710]], revision: 'r2' })
  })

  it('between two rows that are up to date are certain, although the rows between them are not', async () => {
    for (let row = 0; row <= 1500; row += 100) await look(row)
    await upload()
    await look(0)
    click(0)
    await look(1500)
    extend(1510)
    expect(sent()).toMatchObject({ ranges: [[0, 1510]], revision: 'r2' })
    await upload()
    click(1500)
    extend(1510)
    expect(sent()).toEqual({ fileIds: list.slice(1500, 1511) })
    extend(19_999)
    expect(sent()).toMatchObject({ ranges: [[1500, 19_999]], revision: 'r3' })
  })

  it('between which some are out of date are not those of the old rows', async () => {
    await look(0, 350)
    await look(300)
    await upload()
    await look(0)
    click(50)
    await look(300)
    extend(350)
    // The file that moved from the first page to the second is in neither of them.
    expect(sent()).toMatchObject({ ranges: [[50, 350]], revision: 'r2' })
    await look(0, 350)
    expect(sent()).toEqual({ fileIds: list.slice(50, 351) })
  })

  it('of which some may have moved are not extended by their places', async () => {
    await look(0)
    click(5)
    await look(1000)
    await upload()
    await scrollOn()
    toggle(15_000)
    expect(sent()).toMatchObject({ revision: '' })
  })
})

describe('files across two pages', () => {
  const sentIds = (): unknown => {
    const files = sent()
    return files !== null && 'fileIds' in files ? files.fileIds : files
  }
  /**
   * Answers what was asked one page at a time, last page first if `isReversed`, and returns what is selected
   * after each answer.
   */
  async function sentAfterEach(isReversed: boolean): Promise<unknown[]> {
    const seen: unknown[] = []
    if (isReversed) bridge.open.reverse()
    for (let left = bridge.open.length; left > 0; left--) {
      await answerOne()
      seen.push(sentIds())
    }
    return seen
  }

  it.each<[string, (files: number[]) => number[]]>([
    ['a file is added', (files) => [300_000, ...files]],
    ['several are added', (files) => [300_000, 300_001, 300_002, ...files]],
    ['one above them is deleted', (files) => files.slice(1)],
    ['several above them are deleted', (files) => files.slice(3)],
  ])('stay selected, whichever page is read first, when %s', async (_what, how) => {
    for (const isReversed of [false, true]) {
      begin(20_000)
      await look(0, 250)
      click(50)
      extend(150)
      const ids = list.slice(50, 151)
      change(how)
      pages.renew()
      expect(await sentAfterEach(isReversed)).toEqual([ids, ids, ids])
      const first = list.indexOf(ids[0] ?? 0)
      expect(selection().ranges).toEqual([[first, first + 100]])
    }
  })

  it('stay selected while only one of the pages is visible', async () => {
    await look(0, 250)
    click(50)
    extend(150)
    const ids = list.slice(50, 151)
    await look(0)
    await upload()
    expect(sentIds()).toEqual(ids)
    await upload()
    expect(sentIds()).toEqual(ids)
    await look(100)
    expect(sentIds()).toEqual(ids)
    expect(selection().ranges).toEqual([[52, 152]])
  })

  it('are no longer selected once the page to which they may have moved does not have them', async () => {
    await look(0, 250)
    click(98)
    extend(99)
    const [first, last] = [list[98], list[99]]
    await look(0)
    change((files) => [300_000, ...files.filter((id) => id !== last)])
    pages.renew()
    await answerAll()
    expect(sentIds()).toEqual([first, last])
    await look(100)
    expect(sentIds()).toEqual([first])
  })
})

describe('all files', () => {
  it('stay all, and are deleted only as long as none was added', async () => {
    await look(0)
    selectRows(allChosen)
    expect(sent()).toEqual({ query: QUERY, ranges: [[0, 19_999]], isAll: true, revision: 'r1' })
    await upload()
    // The shell copies them all, but compares the revision before it deletes.
    expect(sent()).toEqual({ query: QUERY, ranges: [[0, 20_000]], isAll: true, revision: 'r1' })
    selectRows(allChosen)
    expect(sent()).toEqual({ query: QUERY, ranges: [[0, 20_000]], isAll: true, revision: 'r2' })
  })

  it('but one, deselected after the list changed, are copied as the list is now, and not deleted', async () => {
    await look(0)
    selectRows(allChosen)
    await upload()
    toggle(5)
    const allBut = {
      query: QUERY,
      ranges: [[0, 4] as const, [6, 20_000] as const],
      isAll: false,
      revision: 'r2',
    }
    expect(sent()).toEqual(allBut)
    // The shell refuses to delete the file that was added.
    expect(deletionOf(filesStore.getState().selection, QUERY)).toEqual({ ...allBut, revision: '' })
    await look(300)
    toggle(300)
    expect(sent()).toMatchObject({
      ranges: [
        [0, 4],
        [6, 299],
        [301, 20_000],
      ],
      revision: 'r2',
    })
    expect(deletionOf(filesStore.getState().selection, QUERY)).toMatchObject({ revision: '' })
    // What the user selects from now on can be deleted.
    click(7)
    expect(deletionOf(filesStore.getState().selection, QUERY)).toEqual({ fileIds: [list[7]] })
    selectRows(allChosen)
    toggle(5)
    expect(deletionOf(filesStore.getState().selection, QUERY)).toEqual(allBut)
  })

  it('of a short list are sent by their IDs, without a file that was added later', async () => {
    list = [3, 2, 1]
    await look(0)
    selectRows(allChosen)
    expect(sent()).toEqual({ fileIds: [3, 2, 1] })
    await upload(4)
    expect(sent()).toEqual({ fileIds: [3, 2, 1] })
    expect(selection().ranges).toEqual([[1, 3]])
  })

  it('are no longer all once one was clicked, the selection was cleared, or none is left', async () => {
    await look(0)
    selectRows(allChosen)
    toggle(5)
    toggle(5)
    expect(sent()).toMatchObject({ ranges: [[0, 19_999]], isAll: false })
    await upload()
    expect(sent()).toBeNull()
    selectRows(allChosen)
    selectRows(chosen(3, 'move'))
    expect(sent()).toMatchObject({ isAll: true })
    selectRows(cleared)
    expect(selection()).toMatchObject({ ranges: [], active: 3, isAll: false })
    selectRows(allChosen)
    const all = list
    change(() => [])
    pages.renew()
    await answerAll()
    change(() => all)
    pages.renew()
    await answerAll()
    expect(sent()).toBeNull()
  })
})

it('an answer that fails changes nothing', async () => {
  await look(0)
  click(7)
  pages.renew()
  await bridge.answer('catalog', REFUSED)
  expect(sent()).toEqual({ fileIds: [list[7]] })
})

it('another query starts with nothing selected', async () => {
  await look(0)
  click(7)
  filesStore.setState({ pages: createOffsetPages({ ...QUERY, search: 'x' }) })
  expect(selection().ranges).toEqual([])
})
