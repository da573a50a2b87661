// Builds the files that add "Upload and copy link" to the menus of Nautilus, Nemo and Dolphin. The entries
// start the app with `ARGUMENTS` and the selected files, which intake/given-files.ts parses.
import { shellWord } from '../../platform/data/shell-word.ts'
import { execLine, value } from './desktop-entry.ts'

export const ARGUMENTS = ['--copy-link', '--'] as const
/**
 * Marks files that are entirely Slipway's. Other files are never replaced or removed; only Thunar's list of
 * actions is edited.
 */
export const MARK = 'X-Slipway-Menu'
const ICON = 'slipway-desktop'

/**
 * Returns a script for Nautilus's `scripts` folder. Each file in that folder is a menu entry. The script
 * reads URIs from the environment, because Nautilus passes no arguments for search results, and a line break
 * in a file name would split the list of paths. If a URI doesn't start with `file:`, as on a mounted share,
 * the script uses the list of paths.
 */
export function nautilusScript(program: readonly string[]): string {
  const command = [...program.map(shellWord), ...ARGUMENTS].join(' ')
  return `#!/bin/sh
# Slipway: Upload and copy link. Settings > Links adds and removes this file.
# ${MARK}
set -f
IFS='
'
files=$NAUTILUS_SCRIPT_SELECTED_URIS
for file in $files; do
  case $file in
    file://*) ;;
    *) files=$NAUTILUS_SCRIPT_SELECTED_FILE_PATHS; break ;;
  esac
done
[ -n "$files" ] || exit 0
exec ${command} $files
`
}

/**
 * Returns an action for Nemo; null if the program's path contains `%`, which Nemo would expand. The action
 * uses URIs, because some versions of Nemo don't escape paths in the command line, and a URI contains no
 * quotation mark that could end the quoted word.
 */
export function nemoAction(program: readonly string[], label: string): string | null {
  if (program.some((part) => part.includes('%'))) return null
  return [
    '[Nemo Action]',
    `Name=${value(label)}`,
    `Exec=${value(program.map(shellWord).join(' '))} ${ARGUMENTS.join(' ')} %U`,
    `Icon-Name=${ICON}`,
    'Selection=notnone',
    'Extensions=any;',
    'Quote=double',
    `${MARK}=true`,
    '',
  ].join('\n')
}

/**
 * Returns a service menu for Dolphin and every other program that shows KDE's file menu. The file must be
 * executable to be trusted.
 */
export function dolphinMenu(program: readonly string[], label: string): string {
  return [
    '[Desktop Entry]',
    'Type=Service',
    'Name=Slipway',
    'MimeType=application/octet-stream;inode/directory;',
    'Actions=uploadAndCopyLink;',
    'X-KDE-Protocols=file',
    `${MARK}=true`,
    '',
    '[Desktop Action uploadAndCopyLink]',
    `Name=${value(label)}`,
    `Icon=${ICON}`,
    `Exec=${execLine(program)} ${ARGUMENTS.join(' ')} %F`,
    '',
  ].join('\n')
}
