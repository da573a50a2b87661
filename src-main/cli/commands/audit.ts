// `slipway audit`: accounts for every file in a folder (seen = uploaded + waiting + held + failed + ignored)
// and lists the files in each group. It rescans the disk first. In a watched folder, this has the usual
// effects of a rescan: for example, new and changed files are queued, and files that are gone leave the
// queue. Otherwise it changes nothing.

import { resolve } from 'node:path'
import type { Output } from '../../../src-shared/engine-contract.ts'
import { formatCount, isoSeconds } from '../../../src-shared/format.ts'
import {
  type AuditEntry,
  AuditList,
  type AuditSums,
  type Gate,
  Reason,
  type WaitReason,
} from '../../../src-shared/model.ts'
import { LEFT_RULE } from '../../engine/find/existing-files.ts'
import { forPeople } from '../../platform/disk/path-codec.ts'
import { ask, type Ctx, compact, document, fail, show } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { gateOf } from '../follow/follow.ts'
import { NOTHING } from '../follow/reporter.ts'
import { folderFault } from '../named-paths.ts'
import { reasonText } from '../output/reason-text.ts'
import { idWord } from '../selectors.ts'

const PAGE = 500
const LISTS = AuditList.options

export async function audit(ctx: Ctx, args: { readonly folder: string }): Promise<ExitCode> {
  const path = resolve(ctx.cwd, args.folder)
  const fault = await folderFault(ctx, args.folder, { patienceMs: 0, uploads: false })
  if (fault !== null) {
    fail(ctx, fault.failure)
    return fault.code
  }
  const answer = await ask(ctx, ctx.client.call('audit', { path, rescan: true }))
  if (!answer.ok) return fail(ctx, answer.failure)
  const { folder, look, twins = [] } = answer.value
  const own: Pick<Gate, 'reason' | 'until'> | null =
    folder.state === 'away'
      ? { reason: folder.silent === true ? 'drive-silent' : 'folder-away', until: null }
      : null
  const lists: Record<AuditList, AuditEntry[]> = {
    uploaded: [],
    waiting: [],
    held: [],
    failed: [],
    ignored: [],
  }
  // Uploads may go on meanwhile. So read all lists in one pass, because a file that moves from one list to
  // another could otherwise be in both or in neither, and count what was read, because the engine's sums are
  // those of an earlier moment.
  const sums = { ...NOTHING }
  let after: string | null = null
  do {
    const page: Awaited<ReturnType<typeof ctx.client.call<'auditPage'>>> = await ask(
      ctx,
      ctx.client.call('auditPage', {
        folderId: folder.id,
        list: null,
        after,
        limit: PAGE,
        ...(look === undefined ? {} : { look }),
      }),
    )
    if (!page.ok) return fail(ctx, page.failure)
    for (const entry of page.value.entries) {
      lists[entry.list].push(entry)
      sums[entry.list] += entry.count
      sums.seen += entry.count
    }
    after = page.value.next
  } while (after !== null)
  if (lists.waiting.some((entry) => entry.reason === null)) {
    // A queued file has no reason yet. It waits for whatever blocks the whole account, or for its folder.
    const snapshot = await ask(ctx, ctx.client.call('snapshot', {}))
    if (!snapshot.ok) return fail(ctx, snapshot.failure)
    const gate = gateOf(snapshot.value) ?? own
    if (gate !== null)
      lists.waiting = lists.waiting.map((entry) =>
        entry.reason === null ? { ...entry, reason: gate.reason, until: gate.until } : entry,
      )
  }
  const code = codeOf(sums, lists.waiting)
  if (ctx.json) {
    const { seen, uploaded, waiting, held, failed, ignored } = sums
    document(ctx, {
      folder: forPeople(folder.path),
      seen,
      uploaded,
      waiting,
      held,
      failed,
      ignored,
      ...(twins.length === 0
        ? {}
        : {
            twins: twins.map((twin) => ({
              file_id: twin.fileId,
              path: forPeople(twin.path),
              public_link: twin.publicLink,
            })),
          }),
      lists: Object.fromEntries(LISTS.map((list) => [list, lists[list].map(entryJson)])),
    })
    return code
  }
  ctx.term.out(sumLine(sums))
  const now = ctx.time.now()
  for (const list of LISTS) {
    if (lists[list].length === 0) continue
    ctx.term.out('')
    ctx.term.out(`${list} (${formatCount(sums[list])})`)
    for (const entry of lists[list]) ctx.term.out(`  ${entryLine(entry, now)}`)
  }
  for (const line of leftLines(lists.ignored)) ctx.term.out(line)
  for (const line of twinLines(twins)) ctx.term.out(line)
  return code
}

/**
 * Wait reasons that count as limits. If a file waits for one of these, the exit code is `EXIT.waits` unless
 * files are held or failed.
 */
const LIMITS: ReadonlySet<string> = new Set<WaitReason>([
  'rate-minute',
  'rate-day',
  'server-pause',
  'daily-uploads',
  'limit',
  'storage-full',
  'uploads-refused',
])

function codeOf({ held, failed }: AuditSums, waiting: readonly AuditEntry[]): ExitCode {
  if (held + failed > 0) return EXIT.someFailed
  return waiting.some(({ reason }) => reason !== null && LIMITS.has(reason)) ? EXIT.waits : EXIT.ok
}

/**
 * Explains how to upload files left behind in a nested folder that is no longer watched. To upload all of
 * them, the surrounding folder must be unwatched; ending its `watch` command isn't enough.
 */
function leftLines(ignored: readonly AuditEntry[]): readonly string[] {
  if (!ignored.some(({ reason }) => reason === LEFT_RULE)) return []
  return [
    '',
    'To upload what was in a folder that is no longer watched, name it: slipway upload <file>. To upload all of it, stop watching the folder',
    'around it: slipway unwatch <folder>. Then watch that again.',
  ]
}

/** Lists duplicates on the service. They may belong to someone else, so deleting them is left to the user. */
function twinLines(twins: NonNullable<Output<'audit'>['twins']>): readonly string[] {
  if (twins.length === 0) return []
  return [
    '',
    `second copies on the service (${formatCount(twins.length)}): stored after their upload had been sent again. They may belong to someone`,
    `else, so they were not deleted. To delete them: slipway rm ${twins.map((twin) => idWord(twin.fileId)).join(' ')}`,
    ...twins.map(
      (twin) =>
        `  ${show(String(twin.fileId))}\t${show(twin.path)}${twin.publicLink === null ? '' : `\t${show(twin.publicLink)}`}`,
    ),
  ]
}

function sumLine(s: AuditSums): string {
  return `${s.seen} seen = ${s.uploaded} uploaded + ${s.waiting} waiting + ${s.held} held + ${s.failed} failed + ${s.ignored} ignored`
}

function entryJson(entry: AuditEntry): Record<string, unknown> {
  return compact({
    path: forPeople(entry.path),
    reason: entry.reason,
    until: entry.until === null ? null : isoSeconds(entry.until, 'up'),
    public_link: entry.publicLink,
    count: entry.count > 1 ? entry.count : null,
  })
}

function entryLine(entry: AuditEntry, now: number): string {
  const many = entry.count > 1 ? ` (${formatCount(entry.count)} files)` : ''
  const path = `${show(entry.path)}${many}`
  if (entry.list === 'uploaded')
    return entry.publicLink === null ? path : `${path}\t${show(entry.publicLink)}`
  if (entry.reason === null) return entry.list === 'waiting' ? `${path}\tQueued` : path
  if (entry.list === 'ignored' && Object.hasOwn(LEFT_OUT, entry.reason))
    return `${path}\t${LEFT_OUT[entry.reason] ?? entry.reason}`
  // The reason of an ignored file may also be the rule that excludes the file. Such a rule is printed
  // unchanged.
  const reason = Reason.safeParse(entry.reason).data
  return `${path}\t${reason === undefined ? show(entry.reason) : reasonText(reason, entry.until, now)}`
}

/** Texts for files that count as ignored although no rule excludes them. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'not-watched': 'Not uploaded; its folder is not watched',
  changed: 'Changed since its upload; its folder is not watched',
  'change-ignored': 'Changed since its upload; changes are ignored',
  deleting: 'Being deleted; may still be public until the service has confirmed it',
  'maybe-published': 'Cancelled; may have been published before that',
  kept: 'Deleted here only; another file has the same link',
  replaced: 'Its upload was replaced by that of another version',
  withdrawn: 'Withdrawn; its folder is no longer watched',
}
