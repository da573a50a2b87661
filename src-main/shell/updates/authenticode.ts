// Checks on Windows that an installer is validly signed by a publisher named in the build. PowerShell reads
// the signature. An installer whose signature can't be read is rejected.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { z } from 'zod'
import type { Publisher } from './source.ts'
import { UpdateError } from './update-error.ts'

/**
 * The path is passed in the environment, so that no part of it can be run as a command. Where an organization
 * restricts PowerShell (constrained language mode), methods can't be called and the encoding can't be set;
 * subjects in plain ASCII then still match.
 */
const SCRIPT = `$s = Get-AuthenticodeSignature -LiteralPath $env:SLIPWAY_INSTALLER
try { [Console]::OutputEncoding = [System.Text.Encoding]::UTF8 } catch { }
@{ status = "$($s.Status)"; subject = "$($s.SignerCertificate.Subject)" } | ConvertTo-Json -Compress`

const ANSWER_MS = 60_000
const Answer = z.object({ status: z.string(), subject: z.string() })

/** Runs a program with these arguments and environment; resolves to its output. */
export type RunProgram = (
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
) => Promise<string>

export const runProgram: RunProgram = (file, args, env) =>
  new Promise((resolve, reject) => {
    execFile(file, [...args], { env: { ...env }, timeout: ANSWER_MS, windowsHide: true }, (error, stdout) =>
      error === null ? resolve(stdout) : reject(new Error(error.message)),
    )
  })

/** Rejects with an UpdateError if the installer isn't validly signed by `publisher`, or by one of them. */
export async function checkPublisher(
  installer: string,
  publisher: Publisher,
  run: RunProgram,
): Promise<void> {
  const shell = join(
    process.env['SYSTEMROOT'] ?? 'C:\\Windows',
    'System32',
    'WindowsPowerShell',
    'v1.0',
    'powershell.exe',
  )
  let said: string
  try {
    // Clear the module path. If Slipway was started from PowerShell 7, this PowerShell would inherit that
    // version's path and fail to load modules.
    const env = { ...process.env, PSModulePath: '', SLIPWAY_INSTALLER: installer }
    said = await run(shell, ['-NoProfile', '-NonInteractive', '-Command', SCRIPT], env)
  } catch (error) {
    throw new UpdateError(
      'unsigned',
      `The signature could not be read: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  const fault = signatureFault(said, publisher)
  if (fault !== null) throw new UpdateError('unsigned', fault)
}

/**
 * Returns null if the installer is validly signed by `publisher`, or by one of them; otherwise, a description
 * of the fault.
 */
function signatureFault(said: string, publisher: Publisher): string | null {
  let json: unknown
  try {
    json = JSON.parse(said.replace(/^\uFEFF/, ''))
  } catch {
    return 'The signature could not be read.'
  }
  const answer = Answer.safeParse(json).data
  if (answer === undefined) return 'The signature could not be read.'
  if (answer.status !== 'Valid') return `The signature is ${answer.status.slice(0, 40)}.`
  return [publisher].flat().includes(answer.subject) ? null : 'The installer is signed by another publisher.'
}
