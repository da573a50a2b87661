// Declares usage, help and options of the commands about uploads, watched folders and the queue: upload,
// watch, unwatch, plan, retry, cancel and release. cli/commands implements them.
import { CommanderError, Option } from 'commander'
import { Existing, OnChange } from '../../../src-shared/model.ts'
import { STDIN } from '../argument-mistakes.ts'
import type { CommandLine } from './commander.ts'
import { duration, fileName, plainText, transferId } from './values.ts'

const DEFAULT_WAIT = '15m'

function maxWait(): Option {
  return new Option(
    '--max-wait <duration>',
    `exit with code 5 if everything left has to wait longer, e.g. 90s, 15m, 24h (default: ${DEFAULT_WAIT})`,
  ).argParser(duration)
}

export function addUpload(line: CommandLine): void {
  line
    .command(
      'upload <path...>',
      'upload files and folders, and print one link per line',
      `
A file whose content is already uploaded prints its link and sends nothing. The path - is standard input.
If one of the paths does not exist, nothing is uploaded.
A home folder or a whole disk is uploaded only after a question, or with --yes; watch does the same.
.slipwayignore files in a folder, below it or above it exclude what matches, as .gitignore does, and so do the patterns of a watched
folder. Temporary files (such as *.tmp) are skipped in folders, but uploaded if you name them.
A file in a folder is skipped if you deleted its content before, unless you name the file or give --again.
With --json, "sent":false in an uploaded line means that the content was on the service already.
  slipway upload report.pdf
  slipway upload photos/ --json
  slipway upload notes.txt --again
  date | slipway upload - --name today.txt`,
    )
    .option('--name <name>', 'file name for standard input', fileName)
    .option('--again', 'upload even if the content is already uploaded')
    .option('--yes', 'skip the question about a home folder or a whole disk')
    .addOption(maxWait())
    .action((paths: string[], o: { name?: string; again?: boolean; yes?: boolean; maxWait?: number }) => {
      const inputs = paths.filter((path) => path === STDIN).length
      if (inputs > 1)
        throw new CommanderError(2, 'slipway.stdin', 'Standard input (-) can be named only once.')
      if (o.name !== undefined && inputs === 0)
        throw new CommanderError(
          2,
          'slipway.name',
          '--name is for standard input: slipway upload - --name NAME',
        )
      line.found({
        name: 'upload',
        paths,
        ...(o.name === undefined ? {} : { stdinName: o.name }),
        again: o.again === true,
        maxWaitMs: o.maxWait ?? duration(DEFAULT_WAIT),
        ...(o.yes === true ? { yes: true } : {}),
      })
    })
}

export function addWatch(line: CommandLine): void {
  line
    .command(
      'watch <folder>',
      'upload everything in a folder, now and as it changes',
      `
  slipway watch ~/Public
  slipway watch ~/Public --once --max-wait 24h
  slipway watch . --existing skip --ignore '*.tmp' --ignore 'drafts/'

.slipwayignore files in the folder, below it or above it exclude more, as .gitignore does; the nearest one wins.
Rules ignore letter case if the folder's disk does.
--existing skip excludes files that are there at the start, even if they are renamed or moved within the folder. A copy is a new file.
A folder that is already watched keeps its rules unless you give --change-rules.
A watched folder inside another one follows only its own rules. Slipway never uploads its own data.`,
    )
    .option('--once', 'exit when nothing is left to do')
    .addOption(
      new Option('--existing <what>', 'files that are already there: upload (the default) or skip')
        .choices(Existing.options)
        .default('upload'),
    )
    .addOption(
      new Option(
        '--on-change <what>',
        'when a file changes: new-link (the default), replace (and delete the old one) or ignore',
      )
        .choices(OnChange.options.filter((one) => one !== 'ask'))
        .default('new-link'),
    )
    .option(
      '--ignore <pattern>',
      'exclude what matches, as in .gitignore; repeatable',
      (value: string, before: string[] | undefined) => [...(before ?? []), plainText(value)],
    )
    .option('--change-rules', 'if the folder is already watched, replace its rules')
    .option('--yes', 'skip the question about a home folder or a whole disk')
    .addOption(maxWait())
    .action(
      (
        folder: string,
        o: {
          once?: boolean
          existing: Existing
          onChange: OnChange
          ignore?: string[]
          maxWait?: number
          changeRules?: boolean
          yes?: boolean
        },
      ) => {
        line.found({
          name: 'watch',
          folder,
          once: o.once === true,
          existing: o.existing,
          onChange: o.onChange,
          ignore: o.ignore ?? [],
          changeRules: o.changeRules === true,
          maxWaitMs: o.maxWait ?? duration(DEFAULT_WAIT),
          ...(o.yes === true ? { yes: true } : {}),
        })
      },
    )
}

export function addPlan(line: CommandLine): void {
  line
    .command(
      'plan <path...>',
      'show what an upload would do under your plan, without uploading',
      'The rules are those of upload: .slipwayignore, watched folders, secrets.\n  slipway plan ~/Videos',
    )
    .action((paths: string[]) => {
      line.found({ name: 'plan', paths })
    })
}

export function addUnwatch(line: CommandLine): void {
  line
    .command(
      'unwatch <folder>',
      'stop watching a folder and remove its waiting files from the queue',
      'Links of uploaded files keep working.',
    )
    .action((folder: string) => {
      line.found({ name: 'unwatch', folder })
    })
}

export function addQueueCommands(line: CommandLine): void {
  line
    .command(
      'retry [id...]',
      'retry files that failed or are waiting',
      'Without IDs, every failed file is retried. Files that are held as too big, ' +
        'or because they may already be uploaded, are checked again;\nother held files need slipway release.\nTo list IDs: slipway status',
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
