// Builds the reg.exe arguments that add "Upload and copy link" to Explorer's menu for files and folders on Windows, or remove it. The
// installer writes the same registry entries (assets/windows/installer.nsh; a test compares them).
import { ARGUMENTS } from './menu-files.ts'

/** The current user's registry keys for all files and all folders. Drives aren't included. */
export const KEYS = ['*', 'Directory'].map((kind) => `HKCU\\Software\\Classes\\${kind}\\shell\\Slipway.UploadAndCopyLink`)

/** The command that Explorer runs once per selected file. Quoting is enough, because a Windows path can't contain quotation marks. */
export function explorerCommand(program: readonly string[]): string {
  return `${program.map((part) => `"${part}"`).join(' ')} ${ARGUMENTS.join(' ')} "%1"`
}

export function addArguments(program: readonly string[], label: string): readonly (readonly string[])[] {
  return KEYS.flatMap((key) => [
    ['add', key, '/v', 'MUIVerb', '/t', 'REG_SZ', '/d', label, '/f'],
    ['add', key, '/v', 'Icon', '/t', 'REG_SZ', '/d', program[0] ?? '', '/f'],
    ['add', `${key}\\command`, '/ve', '/t', 'REG_SZ', '/d', explorerCommand(program), '/f'],
  ])
}

/** Whether the entries match `addArguments`. `found` contains reg.exe's output for each of `queryAllArguments`; null for a missing key. */
export function isCurrent(found: readonly (string | null)[], program: readonly string[], label: string): boolean {
  const wanted = [label, program[0] ?? '', explorerCommand(program)]
  // reg.exe may print non-ASCII letters in another code page. An entry with such letters then doesn't match and is rewritten each time.
  const has = (lines: readonly string[], data: string): boolean => lines.some((line) => line.endsWith(`    REG_SZ    ${data}`))
  return found.every((out) => out !== null && wanted.every((data) => has(out.split(/\r?\n/), data)))
}

export function removeArguments(): readonly (readonly string[])[] {
  return KEYS.map((key) => ['delete', key, '/f'])
}

/** Returns the arguments for reading each key and everything below it. */
export function queryAllArguments(): readonly (readonly string[])[] {
  return KEYS.map((key) => ['query', key, '/s'])
}
