// Declares usage, help and options of the commands about files on the service (ls, info, link, rm) and of
// audit. cli/commands implements them.
import { Option } from 'commander'
import { LINK_FORMATS, type LinkFormat } from '../../../src-shared/format.ts'
import { SORT_FIELDS, type SortField } from '../commands/ls.ts'
import type { CommandLine } from './commander.ts'
import { formats, plainText, positive, sorting } from './values.ts'

const LIST_LIMIT = 50

export function addLs(line: CommandLine): void {
  line
    .command(
      'ls',
      'list the files on the service',
      `
  slipway ls --search report --sort -size
  slipway ls --limit 500 --json`,
    )
    .option('--search <text>', 'only names that contain this text', plainText)
    .addOption(
      new Option(
        '--sort <field>',
        `one of ${SORT_FIELDS.join(', ')}; descending with a - before it (default: -date)`,
      )
        // `choices` is only for completion. `argParser` replaces its check and error message.
        .choices(SORT_FIELDS.flatMap((field) => [field, `-${field}`]))
        .argParser(sorting),
    )
    .option('--limit <n>', `show at most this many (default: ${LIST_LIMIT})`, positive)
    .action((o: { search?: string; sort?: { field: SortField; descending: boolean }; limit?: number }) => {
      const sort = o.sort ?? { field: 'date', descending: true }
      line.found({
        name: 'ls',
        search: o.search ?? '',
        sort: sort.field,
        descending: sort.descending,
        limit: o.limit ?? LIST_LIMIT,
      })
    })
}

export function addInfoAndLink(line: CommandLine): void {
  line
    .command(
      'info <file>',
      'show everything known about one file',
      'Name it by its file_id, its public link, or the path it was uploaded from. id:TEXT always means a file_id.',
    )
    .action((selector: string) => {
      line.found({ name: 'info', selector })
    })

  line
    .command(
      'link <file...>',
      'print links, nothing else',
      `
Name files by their file_id or the path they were uploaded from.
Links are checked with the service first, unless that would mean waiting for it or for the rate limit.
  slipway link report.pdf
  slipway link 1001 1002 --format markdown
  slipway link report.pdf --format url,html`,
    )
    .addOption(
      new Option('--format <list>', `one or several of ${LINK_FORMATS.join(',')} (default: url)`)
        .choices(LINK_FORMATS)
        .argParser(formats),
    )
    .action((selectors: string[], o: { format?: LinkFormat[] }) => {
      line.found({ name: 'link', selectors, formats: o.format ?? ['url'] })
    })
}

export function addRm(line: CommandLine): void {
  line
    .command(
      'rm <file...>',
      'delete files on the service',
      `
Their links stop working. Files on this computer are kept. A path means all of its versions; a file_id or a link
means that file only. If a word is both a file_id and the name of a file, write ./WORD or id:WORD.
A deleted file isn't uploaded again until it changes, or until you name it to slipway upload.
  slipway rm report.pdf
  slipway rm report.pdf --older
  slipway rm 1001 1002 --yes`,
    )
    .option('--yes', 'skip the question')
    .addOption(new Option('--latest', 'only the newest version of a path').conflicts('older'))
    .option('--older', 'every version of a path except the newest')
    .action((selectors: string[], o: { yes?: boolean; latest?: boolean; older?: boolean }) => {
      const which = o.latest === true ? 'latest' : o.older === true ? 'older' : 'all'
      line.found({ name: 'rm', selectors, yes: o.yes === true, which })
    })
}

export function addAudit(line: CommandLine): void {
  line
    .command(
      'audit <folder>',
      'account for every file in a folder',
      'seen = uploaded + waiting + held + failed + ignored, each with its files. The folder need not be watched:\n' +
        'files that nothing uploads are ignored, with the reason not-watched, changed or withdrawn in the JSON. ' +
        'So are ignored changes (change-ignored).',
    )
    .action((folder: string) => {
      line.found({ name: 'audit', folder })
    })
}
