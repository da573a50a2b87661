// The files that add "Upload and copy link" to the menus of Linux file managers, in the format of each. Pure.
// All of them start the app with `--copy-link --` and the selected files, which intake/given-files.ts parses.
import { execLine, value } from './desktop-entry.ts'

export const ARGUMENTS = ['--copy-link', '--'] as const
/** Contained in every file that is Slipway's as a whole, unlike Thunar's list of actions. Other files without it are left alone. */
export const MARK = 'X-Slipway-Menu'
const ICON = 'slipway-desktop'

/** Quotes any text as a single word for a POSIX shell. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/**
 * A script for Nautilus's `scripts` folder. Each file name in that folder is an entry of the menu. The script uses the URIs in the
 * environment: the arguments are missing in search results, and a line break in a name would split the paths. If the URIs aren't local
 * files (on a mounted share), it uses the paths of the mount.
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
 * An action for Nemo. Some versions insert the files into the command line without escaping them. So it uses URIs, which can't end a
 * double-quoted word; the line is split like a shell's but not run by a shell. Null if Nemo would replace parts of the program's path.
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

/** A service menu for Dolphin and every other program that shows KDE's file menu. It must be executable to be trusted. */
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
