// Windows: the registry entries that put "Upload and copy link" into Explorer's menu of files and folders. The installer writes the same
// (assets/windows/installer.nsh, compared by a test). Pure: arguments for reg.exe.
import { ARGUMENTS } from './menu-files.ts'

/** Of this user, for every file and every folder. Drives are neither. */
export const KEYS = ['*', 'Directory'].map((kind) => `HKCU\\Software\\Classes\\${kind}\\shell\\Slipway.UploadAndCopyLink`)

/** What Explorer runs: once for each selected file. A name can't contain a quotation mark. */
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

export function removeArguments(): readonly (readonly string[])[] {
  return KEYS.map((key) => ['delete', key, '/f'])
}

export function queryArguments(): readonly string[] {
  return ['query', `${KEYS[0] ?? ''}\\command`, '/ve']
}
