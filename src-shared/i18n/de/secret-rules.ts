// German names of the engine's rules for secrets, for the window and for the shell's dialogs.
// A rule that is missing here is shown in English.

const RULES: ReadonlyMap<string, string> = new Map([
  ['environment file (.env)', 'Umgebungsdatei (.env)'],
  ['your API key for this service', 'dein API-Schlüssel für diesen Dienst'],
  ['SSH private key', 'privater SSH-Schlüssel'],
  ['key store', 'Schlüsselspeicher'],
  ['password store', 'Passwortspeicher'],
  ['wallet', 'Wallet'],
  ['stored credentials', 'gespeicherte Zugangsdaten'],
  [
    'Terraform state, which holds secrets in the clear',
    'Terraform-Zustand, der Geheimnisse im Klartext enthält',
  ],
  ["a browser's password store", 'Passwortspeicher eines Browsers'],
  ['secret key ring', 'geheimer Schlüsselring'],
  ['export of a password store', 'Export eines Passwortspeichers'],
  ['recovery codes', 'Wiederherstellungscodes'],
  ['seed phrase', 'Seed-Phrase'],
  ['system password file', 'Passwortdatei des Systems'],
  ['private key (PEM)', 'privater Schlüssel (PEM)'],
  ['private key (PuTTY)', 'privater Schlüssel (PuTTY)'],
  ['private key (age)', 'privater Schlüssel (age)'],
  ['private key (Tor)', 'privater Schlüssel (Tor)'],
  ['service account key', 'Schlüssel eines Dienstkontos'],
  ['private key (DER)', 'privater Schlüssel (DER)'],
  ['private key (GnuPG)', 'privater Schlüssel (GnuPG)'],
  ['private key (JWK)', 'privater Schlüssel (JWK)'],
  ['private key (minisign, signify)', 'privater Schlüssel (minisign, signify)'],
  ['VPN key', 'VPN-Schlüssel'],
  ['AWS access key', 'AWS-Zugangsschlüssel'],
  ['Alibaba access key', 'Alibaba-Zugangsschlüssel'],
  ['Azure publish profile', 'Veröffentlichungsprofil von Azure'],
  ['Azure storage or service key', 'Speicher- oder Dienstschlüssel von Azure'],
  ['Ansible vault', 'Ansible-Tresor'],
  ['Docker credentials', 'Zugangsdaten für Docker'],
  ['Kubernetes access', 'Zugang zu Kubernetes'],
  ['cloud credentials', 'Zugangsdaten eines Cloud-Dienstes'],
  ['Terraform variables', 'Terraform-Variablen'],
  ['API key (sk-)', 'API-Schlüssel (sk-)'],
  ['access token (JWT)', 'Zugriffstoken (JWT)'],
  ['OAuth refresh token', 'OAuth-Aktualisierungstoken'],
  ['webhook address', 'Webhook-Adresse'],
  ['webhook signing secret', 'Signaturgeheimnis eines Webhooks'],
  ['address with a password', 'Adresse mit Passwort'],
  ['database address with a password', 'Datenbankadresse mit Passwort'],
  ['password or key in a configuration', 'Passwort oder Schlüssel in einer Konfiguration'],
  ['Slipway control key', 'Schlüssel von Slipways Steuerverbindung'],
  ['application master key', 'Hauptschlüssel einer Anwendung'],
  ['command history', 'Befehlsverlauf'],
  ["a browser's sessions", 'Sitzungen eines Browsers'],
  ['one-time password secrets', 'Geheimnisse für Einmalpasswörter'],
])

/** Returns the German name of a rule, or the rule itself if it has no translation. */
export function secretRuleName(rule: string): string {
  return (
    RULES.get(rule) ??
    rule
      .replace(/^your rule (.+)$/, (_all, pattern: string) => `eigene Regel ${pattern}`)
      .replace(
        /^(.+) (?:API )?key$/,
        (_all, makers: string) => `Schlüssel von ${makers.replace(' or ', ' oder ')}`,
      )
      .replace(
        /^(.+) (?:secret |access )?token$/,
        (_all, makers: string) => `Token von ${makers.replace(' or ', ' oder ')}`,
      )
      .replace(/^(.+) (?:client |OAuth )?secret$/, (_all, makers: string) => `Geheimnis von ${makers}`)
  )
}
