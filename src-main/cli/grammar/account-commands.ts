// Declares usage, help and options of the commands about accounts and the service as a whole (login, logout,
// accounts, status, stats, doctor, pause and resume). cli/commands implements them.
import type { CommandLine } from './commander.ts'
import { plainText } from './values.ts'

export function addLogin(line: CommandLine): void {
  line
    .command(
      'login',
      'read the API key, check it, and store it in the keychain',
      `
The key is read from the terminal without echo, or from standard input:
  slipway login --base-url https://files.example.com
  slipway login < key.txt
A key of another account adds that account and makes it the current one; --account names it. A known account keeps its name.
A new key of a known account replaces its old key.
  slipway login --account work --base-url https://files.example.com`,
    )
    .option('--base-url <url>', 'address of the service, with or without /api/v1', plainText)
    .option(
      '--allow-http',
      'allow http:// beyond this computer, although others on the network can then read the key',
    )
    .action((o: { baseUrl?: string; allowHttp?: boolean }) => {
      line.found({ name: 'login', baseUrl: o.baseUrl ?? null, allowHttp: o.allowHttp === true })
    })
}

/**
 * Declares all commands of this group except `login`. None takes an argument, and only `accounts` and `pause`
 * have an option.
 */
export function addAccountCommands(line: CommandLine): void {
  const plain: readonly (readonly ['logout' | 'status' | 'stats' | 'doctor' | 'resume', string, string])[] = [
    [
      'logout',
      'remove the API key from the keychain',
      'Files and links on the service are kept. A key in SLIPWAY_API_KEY stays in use until you unset it.',
    ],
    [
      'status',
      'show account, plan, budgets, queue, watched folders and health',
      'Lists files in the queue, and files that are held or have failed, with the ID that slipway release, retry and cancel take:\n' +
        'the first ten of each, up to 10,000 with --json.',
    ],
    ['stats', 'show plan, limits and usage', 'With --json, names and units are those of the service.'],
    [
      'doctor',
      'check keychain, data folder, network, key, plan and watcher limits',
      'Each line says ok or what to do. Nothing is uploaded.',
    ],
    ['resume', 'resume uploads', 'Uploads that were stopped start again from the beginning.'],
  ]
  for (const [name, description, more] of plain)
    line.command(name, description, more).action(() => line.found({ name }))

  line
    .command(
      'accounts',
      'list the accounts of this data folder',
      `
Each account has its own watched folders, queue, budget and links. Commands work with the account of SLIPWAY_API_KEY,
otherwise with the current one (*). --account chooses another.
  slipway accounts --use work
  slipway status --account work`,
    )
    .option('--use <name>', 'make this account the current one', plainText)
    .action((o: { use?: string }) => {
      line.found({ name: 'accounts', use: o.use ?? null })
    })

  line
    .command(
      'pause',
      'pause uploads until slipway resume',
      'Uploads in progress finish first. The pause survives restarts.\n  slipway pause\n  slipway pause --now',
    )
    .option('--now', 'also stop uploads in progress, safely')
    .action((o: { now?: boolean }) => {
      line.found({ name: 'pause', now: o.now === true })
    })
}
