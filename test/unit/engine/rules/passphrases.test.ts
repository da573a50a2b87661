// Passphrases, as password managers and dice make them: held behind a name for passwords, in every spelling. What
// forms, translations, style sheets and references put there passes.
import { describe, expect, it } from 'vitest'
import { secretByContent } from '../../../../src-main/engine/rules/secrets.ts'
import { seeded } from '../seeded.ts'

const rule = (text: string, name = 'notes.txt'): string | null =>
  secretByContent(Buffer.from(text), name)?.rule ?? null

const WORDS =
  'meadow harbor lantern copper violet walnut glacier saddle pepper ribbon canyon thunder velvet marble falcon orchid timber blanket compass dolphin ginger hammock island juniper kettle lemon mitten nectar otter puddle quartz raven saffron tulip umbrella walrus yonder zipper acorn badger'.split(
    ' ',
  )
const r = seeded(77)
const small = (): string => r.pick(WORDS)
const big = (): string => small().replace(/^./, (letter) => letter.toUpperCase())
const digits = (count: number): string => r.text('0123456789', count)

const PHRASES: Readonly<Record<string, () => string>> = {
  'a number on the word in the middle': () => `${big()}-${big()}${digits(2)}-${big()}`,
  'a single digit': () => `${big()}-${big()}${digits(1)}-${big()}`,
  'a number on the last word': () => `${big()}-${big()}-${big()}${digits(2)}`,
  'a number on the first word, in lower case': () => `${small()}${digits(2)}-${small()}-${small()}`,
  underscores: () => `${big()}_${big()}${digits(2)}_${big()}`,
  dots: () => `${big()}.${big()}${digits(2)}.${big()}`,
  'digits as separators': () => `${small()}${digits(1)}${small()}${digits(1)}${small()}`,
  'digits and signs as separators': () => `${big()}-${digits(1)}${big()}-${digits(1)}${big()}!`,
  'four words without a number': () => `${small()}-${small()}-${small()}-${small()}`,
  'six capitalized words': () => `${big()}-${big()}-${big()}-${big()}-${big()}-${big()}`,
  'plus signs': () => `${big()}+${big()}${digits(1)}+${big()}`,
}

const SPELLINGS: readonly ((value: string) => string)[] = [
  (value) => `[db]\nuser = ada\npassword = "${value}"\n`,
  (value) => `{ "user": "ada", "password": "${value}" }\n`,
  (value) => `export DB_PASSWORD='${value}'\n`,
  (value) => `<password>${value}</password>\n`,
  (value) => `passphrase: "${value}"\n`,
]

describe('a passphrase', () => {
  it.each(Object.entries(PHRASES))('is held behind the name of a password: %s', (_kind, make) => {
    const texts = SPELLINGS.flatMap((spell) => Array.from({ length: 40 }, () => spell(make())))
    expect(texts.filter((text) => rule(text) === null)).toEqual([])
  })

  it.each([
    'password = Meadow-Harbor77-Lantern',
    'password: correct-horse-battery-staple',
    'DB_PASSWORD=Copper-Violet3-Walnut',
    '  pass: Glacier-Saddle41-Pepper',
    'clientSecret: Ribbon-Canyon8-Thunder',
    'passphrase = velvet marble falcon orchid',
    'master password: "Timber Blanket4 Compass"',
    'machine files.acme.io login ada password Dolphin-Ginger6-Hammock',
    'url,user,password\nfiles.acme.io,ada,Island-Juniper5-Kettle',
    'curl -u ada:Lemon-Mitten2-Nectar https://files.example.com',
  ])('is held: %s', (text) => {
    expect(rule(`${text}\n`)).not.toBeNull()
  })

  it('is held as the only content of a file that is named after it', () => {
    expect(rule('Otter-Puddle9-Quartz\n', 'wifi-password.txt')).not.toBeNull()
    expect(rule('otter-puddle-notes\n', 'wifi-password.txt')).toBeNull()
  })
})

it.each([
  'password: your-password-here',
  'password: change-me-please',
  'password: please-change-this-value',
  'password: replace-before-first-deploy',
  'password: "Please enter your password"',
  'password: "Use 8 characters and 1 number"',
  'passphrase: "enter your new passphrase again"',
  'password: "form-field-input-wrapper"',
  'password: "login-form2-password-row"',
  'password: "settings.account.password2.label"',
  'password: auth_password_field_label',
  'password: "show-hide-toggle-button"',
  'password: "Passwort-Wiederherstellung"',
  'password: secret-from-vault-path',
  'passwordSecret: prometheus-kube-state-metrics',
  'secret: ingress-nginx2-admission-certs',
  'password: /accounts/reset-password/step-2-confirm',
  'password: https://example.com/reset-password-help-page',
  'password: SomeTypeNameHere2',
  'password: inputField22',
  'password = Resources.Harbor77.Lantern',
  'PASS: Checkout-Flow2-Mobile',
  'reset_password: two-step-email-link',
])('is not what forms, translations and configurations put there: %s', (text) => {
  expect(rule(`${text}\n`)).toBeNull()
})
