// `slipway accounts`: lists the accounts in this data folder with figures from their journals, and shows
// which keys the keychain has. `--use` changes the current account. The command opens no engine and sends no
// request, so it works offline, without a key and while engines are running.
import type { Peeked } from '../../engine/journal/peek.ts'
import type { Keychain } from '../../engine/ports.ts'
import { byName, chooseAccount, unknownName } from '../../platform/account/account-choice.ts'
import type { AccountDesk } from '../../platform/account/account-finder.ts'
import { type AccountEntry, peekAccount, readable } from '../../platform/account/accounts.ts'
import { accountMark, type Environment } from '../../platform/account/key-and-address.ts'
import { forPeople } from '../../platform/disk/path-codec.ts'
import { compact, complain, document, fail, note, type Output, show } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { type Column, table } from '../output/table.ts'

export interface AccountsCtx extends Output {
  readonly desk: Pick<AccountDesk, 'accounts' | 'pathsOf' | 'use'>
  readonly keychain: Pick<Keychain, 'get'>
  readonly env: Environment
  /** `SLIPWAY_BASE_URL` in normalized form; null if unset or invalid. */
  readonly envBaseUrl: string | null
}

interface Line {
  readonly entry: AccountEntry
  readonly isCurrent: boolean
  readonly known: Peeked | null
  /** Whether the journal couldn't be read, so that the figures are unknown. */
  readonly isUnread: boolean
  /** Null if the keychain can't be queried. */
  readonly isKeyStored: boolean | null
  /** Whether the key in the environment belongs to this account. */
  readonly isKeyGiven: boolean
}

const COLUMNS: readonly Column[] = [
  { title: ' ' },
  { title: 'NAME' },
  { title: 'SERVICE', shrinkTo: 20, leaves: 2 },
  { title: 'PLAN', leaves: 1 },
  { title: 'UPLOADED', align: 'right' },
  { title: 'WAITING', align: 'right' },
  { title: 'KEY' },
  { title: 'FOLDERS', shrinkTo: 20 },
]

export async function accounts(
  ctx: AccountsCtx,
  args: { readonly use: string | null; readonly account: string | null },
): Promise<ExitCode> {
  const { accounts: before, message } = ctx.desk.accounts()
  if (message !== null) complain(ctx, message, null)
  const wanted = args.use ?? args.account
  const chosen = wanted === null ? null : byName(before.accounts, wanted)
  if (wanted !== null && chosen === null) return fail(ctx, unknownName(wanted, before.accounts))
  if (args.use !== null && chosen !== null) await ctx.desk.use(chosen.id)
  const { accounts: now } = ctx.desk.accounts()
  const current = currentOf(ctx, now)
  const shown =
    args.account === null
      ? now.accounts
      : now.accounts.filter((one) => one.id === byName(now.accounts, args.account ?? '')?.id)
  const lines: Line[] = []
  for (const entry of shown) {
    // If a query fails, don't query the keychain for the other accounts, because every query may run into its
    // time limit.
    const isKeyStored =
      lines.length > 0 && lines.at(-1)?.isKeyStored === null ? null : await keyStored(ctx, entry)
    lines.push(lineOf(ctx, entry, { isCurrent: entry.id === current, isKeyStored }))
  }
  if (ctx.json) document(ctx, { accounts: lines.map(json) })
  else if (lines.length === 0) note(ctx, 'There are no accounts yet. Add one with: slipway login')
  else
    for (const line of table(COLUMNS, lines.map(cells), ctx.term.outIsTerminal ? ctx.term.columns : null))
      ctx.term.out(line)
  if (args.use !== null && current !== chosen?.id)
    note(
      ctx,
      'While SLIPWAY_API_KEY or SLIPWAY_BASE_URL is set, commands use the account that it belongs to.',
    )
  return EXIT.ok
}

/**
 * ID of the account that a command without --account would use. Null if there is none, or if the service
 * would have to be asked.
 */
function currentOf(
  ctx: AccountsCtx,
  { accounts: all, current }: ReturnType<AccountDesk['accounts']>['accounts'],
): string | null {
  const { apiKey } = ctx.env
  const markAt = apiKey === null ? null : (baseUrl: string) => accountMark(baseUrl, apiKey)
  const choice = chooseAccount({ accounts: all, current, named: null, baseUrl: ctx.envBaseUrl, markAt })
  return choice.kind === 'account' ? choice.id : null
}

/** Whether the keychain contains the account's key; null if it can't be queried. */
async function keyStored(ctx: AccountsCtx, entry: AccountEntry): Promise<boolean | null> {
  const stored = await ctx.keychain.get(entry.keychain)
  return stored.ok ? stored.secret !== null && stored.secret !== '' : null
}

function lineOf(ctx: AccountsCtx, entry: AccountEntry, found: Pick<Line, 'isCurrent' | 'isKeyStored'>): Line {
  const { apiKey } = ctx.env
  const at = ctx.envBaseUrl ?? entry.baseUrl
  const known = peekAccount(ctx.desk.pathsOf(entry))
  return {
    entry,
    ...found,
    known: readable(known),
    isUnread: known === 'unreadable',
    isKeyGiven: apiKey !== null && at !== null && entry.marks.includes(accountMark(at, apiKey)),
  }
}

function cells({ entry, isCurrent, known, isUnread, isKeyStored, isKeyGiven }: Line): string[] {
  return [
    isCurrent ? '*' : '',
    entry.name,
    entry.baseUrl ?? '?',
    known?.plan ?? '?',
    isUnread ? '?' : String(known?.uploaded ?? 0),
    isUnread ? '?' : String(known?.waiting ?? 0),
    isKeyGiven ? 'SLIPWAY_API_KEY' : isKeyStored === true ? 'stored' : isKeyStored === false ? 'none' : '?',
    isUnread ? '?' : (known?.folders ?? []).map(show).join(', '),
  ]
}

function json({ entry, isCurrent, known, isUnread, isKeyStored, isKeyGiven }: Line): Record<string, unknown> {
  return {
    name: entry.name,
    base_url: entry.baseUrl,
    current: isCurrent,
    ...compact({ plan: known?.plan ?? null }),
    ...(isUnread
      ? { unreadable: true }
      : {
          uploaded: known?.uploaded ?? 0,
          waiting: known?.waiting ?? 0,
          held: known?.held ?? 0,
          failed: known?.failed ?? 0,
          folders: (known?.folders ?? []).map(forPeople),
        }),
    ...compact({ key_stored: isKeyStored }),
    key_in_environment: isKeyGiven,
  }
}
