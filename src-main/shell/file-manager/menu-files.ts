// The files that put "Upload and copy link" into the menus of Linux' file managers, as each of them reads its own. Pure.
// All start the app with `--copy-link --` and the selected files: intake/given-files.ts reads them.
import { execLine, value } from './desktop-entry.ts'

export const ARGUMENTS = ['--copy-link', '--'] as const
/** In every file that Slipway writes; a file without it belongs to someone else. */
export const MARK = 'X-Slipway-Menu'
const ICON = 'slipway-desktop'

/** A word of a POSIX shell, whatever it contains. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/**
 * A script for Nautilus' folder `scripts`, which shows each file's name as an entry of the menu. The addresses in the environment are used,
 * not the arguments, because those are missing in search results, and not the paths, because a line break in a name would split them.
 * Without addresses of local files (a mounted share), the paths of the mount are.
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
 * An action of Nemo. It pastes the files into the command line without escaping them in every version, so it gets addresses, in which nothing
 * ends a double-quoted word; the line is split like a shell's, without running one. Null: Nemo would replace parts of the program's path.
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

/** A service menu of Dolphin, and of everything else that shows KDE's menu of files. It must be executable to be trusted. */
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
