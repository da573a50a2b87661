// Run by keychain.test.ts inside a keyring session: sets, reads, overwrites and removes a key through the
// port, and prints the results. Gets its task from the environment, so that no secret is in an argument.
import { createKeychain, keychainProcess } from '../../../src-main/platform/account/keychain.ts'

const entry = new URL('../../../src-main/platform/account/keychain-main.ts', import.meta.url)
const keychain = createKeychain({
  callOutside: keychainProcess(entry),
  timeoutMs: Number(process.env['KEYCHAIN_TIMEOUT'] ?? '10000'),
})
const account = 'files.example.test'
const report: unknown[] = []
if (process.env['KEYCHAIN_DO'] === 'round') {
  report.push(await keychain.get(account))
  report.push(await keychain.set(account, 'first-käy-😀'))
  report.push(await keychain.get(account))
  report.push(await keychain.set(account, 'second'))
  report.push(await keychain.get(account))
  report.push(await keychain.get('another.example.test'))
  report.push(await keychain.remove(account))
  report.push(await keychain.get(account))
  report.push(await keychain.remove(account))
} else {
  report.push(await keychain.set(account, 'must-go-nowhere'))
  report.push(await keychain.get(account))
}
process.stdout.write(JSON.stringify(report))
process.exit(0)
