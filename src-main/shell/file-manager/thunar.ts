// Adds, replaces and removes Slipway's action in the content of Thunar's uca.xml, the file that contains all of a user's actions. Preserves
// everything except white space around the action. file-manager-menu.ts reads and writes the file.
import { shellWord } from '../../platform/data/shell-word.ts'
import { ARGUMENTS } from './menu-files.ts'

const ID = 'slipway-upload-and-copy-link'
/**
 * Matches Slipway's action and the white space before it. The match can't begin in another action, because it contains no further
 * `<action>` tag.
 */
const ACTION =
  /\s*<action>(?:(?!<\/?action>)[\s\S])*?<unique-id>slipway-upload-and-copy-link<\/unique-id>(?:(?!<\/?action>)[\s\S])*<\/action>/

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Builds the action. Thunar quotes the files for the shell. A percent sign in the program's path must be doubled. */
function action(program: readonly string[], label: string): string {
  const command = [...program.map((part) => shellWord(part).replaceAll('%', '%%')), ...ARGUMENTS, '%F'].join(' ')
  const kinds = ['audio', 'image', 'other', 'text', 'video'].map((kind) => `<${kind}-files/>`).join('')
  return `<action>
	<icon>slipway-desktop</icon>
	<name>${xml(label)}</name>
	<unique-id>${ID}</unique-id>
	<command>${xml(command)}</command>
	<description></description>
	<patterns>*</patterns>
	<directories/>${kinds}
</action>`
}

export function hasAction(file: string): boolean {
  return ACTION.test(file)
}

export function withoutAction(file: string): string {
  return file.replace(ACTION, '')
}

/** `file` is the content of uca.xml; null if there is no such file. Returns null if the content isn't a list of actions. */
export function withAction(file: string | null, program: readonly string[], label: string): string | null {
  const rest = withoutAction(file ?? '<?xml version="1.0" encoding="UTF-8"?>\n<actions>\n</actions>\n')
  // An empty list may be written as a self-closing element.
  const open = rest.replace(/<actions\s*\/>/, '<actions>\n</actions>')
  const end = open.lastIndexOf('</actions>')
  return end === -1 ? null : `${open.slice(0, end).trimEnd()}\n${action(program, label)}\n${open.slice(end)}`
}
