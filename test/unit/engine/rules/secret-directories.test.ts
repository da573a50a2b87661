// Secret files that are recognized only by their directory: each directory in a rule, with an otherwise
// ordinary name. A new rule with a directory needs a line here.
import { describe, expect, it } from 'vitest'
import { secretByName } from '../../../../src-main/engine/rules/secrets.ts'

const IN_DIRECTORIES: readonly string[] = [
  '.ssh/identity',
  'Mine.agilekeychain/data/one.js',
  'Mine.opvault/default/band_0.js',
  '.password-store/mail/home',
  '.electrum/wallets/mine',
  '.ethereum/keystore/one',
  'Ethereum/keystore/one',
  '.config/solana/id.json',
  '.snowsql/config',
  '.ngrok2/ngrok.yml',
  '.docker/config.json',
  '.config/gh/hosts.yml',
  'GitHub CLI/hosts.yml',
  '.config/git/credentials',
  '.config/hub',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.m2/settings.xml',
  '.composer/auth.json',
  '.subversion/auth/svn.simple/abc',
  '.vscode/sftp.json',
  '.kaggle/one',
  '.purple/accounts.xml',
  '.irssi/config',
  '.kube/config',
  'kubernetes/admin.conf',
  '.aws/sso/cache/one.json',
  '.aws/credentials',
  'gcloud/credentials.db',
  'gcloud/legacy_credentials/one/adc.json',
  '.azure/accessTokens.json',
  '.oci/config',
  '.bluemix/config.json',
  '.doctl/config.yaml',
  '.terraform/terraform.tfstate',
  'app/config/credentials/production.key',
  'wireguard/home.conf',
  'openvpn/client/home.key',
  '.gnupg/private-keys-v1.d/one',
  '.gnupg/random_seed',
  'etc/sudoers',
  'etc/security/passwd',
  'Microsoft/Credentials/one',
  'Microsoft/Protect/one/two',
  'Windows/System32/config/SAM',
]

describe('a file that its directory gives away', () => {
  it.each(IN_DIRECTORIES)('%s', (path) => {
    for (const lead of ['', '/home/someone/', '/srv/backup of keys/'])
      expect(secretByName(lead + path)).not.toBeNull()
    expect(secretByName(`C:\\Users\\Someone\\${path.replaceAll('/', '\\')}`)).not.toBeNull()
  })

  it('is ordinary in another directory, also right after one of these was asked for', () => {
    for (const path of [
      'docs/identity',
      'docs/home.conf',
      'docs/one.json',
      'passwords/notes.txt',
      'my-config/notes.txt',
    ]) {
      expect(secretByName('/home/someone/.ssh/identity')).not.toBeNull()
      expect(secretByName(`/home/someone/${path}`)).toBeNull()
    }
  })
})
