// What the Windows installer adds to electron-builder's template, read as text, because NSIS and PowerShell
// aren't everywhere: how it edits PATH, that it says so where it can't, and that nothing is left behind.
import { describe, expect, it } from 'vitest'
import { readTree } from '../../tools/tree.ts'

const script = readTree('assets/windows/installer.nsh')

function macro(name: string): string {
  return new RegExp(`^!macro ${name}\\b.*\\n([^]*?)^!macroend$`, 'm').exec(script)?.[1] ?? ''
}

describe('PATH', () => {
  it('is edited where a Group Policy forbids script files', () => {
    const [, command = ''] = /^ {2}nsExec::Exec `(.*)`$/m.exec(macro('changePath')) ?? []
    expect(command).not.toMatch(/-File\b|-ExecutionPolicy\b/)
    // NSIS writes a dollar sign as two.
    expect(command.replaceAll('$$', '$').replaceAll('${ACTION}', 'add')).toMatch(
      / -Command "& \(\[ScriptBlock\]::Create\(\[IO\.File\]::ReadAllText\(\$env:SLIPWAY_PATH_SCRIPT\)\)\) add \$env:SLIPWAY_PATH_FOLDER"$/,
    )
    expect(macro('changePath')).toContain('(t "SLIPWAY_PATH_SCRIPT", t "$INSTDIR\\resources\\path.ps1")')
    expect(macro('changePath')).toContain(
      '(t "SLIPWAY_PATH_FOLDER", t "$INSTDIR\\resources\\app.asar.unpacked\\cli")',
    )
  })

  it('that could not be edited is reported, in both languages, but holds up no silent installation', () => {
    const [, done = '', ...others] = macro('changePath').split(/^ {2}\$\{(?:if|elseIf|else)\b.*$/m)
    expect(macro('changePath')).toMatch(/^ {2}Pop \$0\n {2}\$\{if\} \$0 == 0$/m)
    expect(done).toContain('WM_SETTINGCHANGE')
    expect(others).toHaveLength(2)
    for (const message of others) expect(message).toMatch(/MessageBox .*\(\$0\).*\\cli" \/SD IDOK$/m)
  })
})

it("the template's copy of the installer goes, after installation and with the app", () => {
  for (const name of ['customInstall', 'customUnInstall'])
    expect(macro(name)).toMatch(/^ {2}!insertmacro deleteInstallerCopy$/m)
  expect(macro('deleteInstallerCopy')).toContain('Delete "$LOCALAPPDATA\\${APP_INSTALLER_STORE_FILE}"\n')
  // Not with /r: it may hold what somebody else put there.
  expect(macro('deleteInstallerCopy')).toMatch(/^ {2}RMDir "\$0"$/m)
})
