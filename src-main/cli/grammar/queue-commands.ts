// Declares usage, help and options of the commands that act on transfers by ID: retry, cancel and release.
// cli/commands implements them.
import type { CommandLine } from './command-line.ts'
import { transferId } from './values.ts'

export function addQueueCommands(line: CommandLine): void {
  line
    .command(
      'retry [id...]',
      'retry files that failed or are waiting',
      'Without IDs, every failed file is retried. Files that are held as too big, or because they may already be uploaded, are checked again;\nother held files need slipway release.\nTo list IDs: slipway status',
    )
    .action((ids: string[]) => {
      line.found({ name: 'retry', ids: ids.map(transferId) })
    })

  line
    .command(
      'cancel <id...>',
      'remove files from the queue',
      'Uploads in progress are stopped. Uploaded files are kept; slipway rm deletes them.\nTo list IDs: slipway status',
    )
    .action((ids: string[]) => {
      line.found({ name: 'cancel', ids: ids.map(transferId) })
    })

  line
    .command(
      'release <id...>',
      'approve held files for upload',
      'Shows each file and the rule that holds it, then asks.\nTo list IDs: slipway status',
    )
    .option('--yes', 'skip the question')
    .action((ids: string[], o: { yes?: boolean }) => {
      line.found({ name: 'release', ids: ids.map(transferId), yes: o.yes === true })
    })
}
