// Texts of the welcome view and of the connect form in German.
// They have the type of the English original, so that no text is missing.
import type { FailureCode } from '../../engine-contract.ts'
import type { welcome as original } from '../en/welcome.ts'
import type { Widen } from '../widen.ts'

const files = (n: number, shown: string): string => `${shown} ${n === 1 ? 'Datei' : 'Dateien'}`
const days = (n: number, shown: string): string => (n === 1 ? 'eines Tages' : `von ${shown} Tagen`)

const connectFailures: Readonly<Record<FailureCode, { readonly title: string; readonly hint: string }>> = {
  usage: {
    title: 'Diese Adresse ist ungültig.',
    hint: 'Beispiele: files.example.com oder https://files.example.com/api/v1.',
  },
  'no-key': {
    title: 'Gib den API-Schlüssel ein.',
    hint: 'Du findest ihn auf der Kontoseite des Dienstes im Abschnitt API.',
  },
  'key-refused': {
    title: 'Der API-Schlüssel wurde abgelehnt.',
    hint: 'Kopiere den ganzen Schlüssel noch einmal von der Kontoseite, Abschnitt API. Es wurde nichts gespeichert.',
  },
  'no-api': {
    title: 'Der Tarif dieses Kontos enthält keinen API-Zugang.',
    hint: 'Er ist in Pro, Business und Enterprise enthalten. Versuche es nach einem Tarifwechsel erneut.',
  },
  'no-connection': {
    title: 'Diese Adresse ist nicht erreichbar.',
    hint: 'Prüfe Adresse und Netzwerk und versuche es erneut.',
  },
  'not-found': { title: 'Unter dieser Adresse wurde kein Dienst gefunden.', hint: 'Prüfe die Adresse.' },
  unreadable: { title: 'Der Ordner konnte nicht gelesen werden.', hint: 'Prüfe, ob du ihn lesen darfst.' },
  waits: {
    title: 'Der Dienst bittet um eine Pause.',
    hint: 'Zu viele Anfragen mit diesem API-Schlüssel. Versuche es in einer Minute erneut.',
  },
  disk: {
    title: 'Die Einstellungen konnten nicht gespeichert werden.',
    hint: 'Prüfe freien Speicherplatz und Zugriffsrechte und versuche es erneut.',
  },
  'journal-unusable': {
    title: 'Das Journal eines Kontos auf diesem Computer konnte nicht gelesen werden.',
    hint: 'Es wurde nichts gespeichert. Starte Slipway neu, das repariert ein beschädigtes Journal. Verbinde dich dann erneut.',
  },
  keychain: {
    title: 'Der API-Schlüssel konnte nicht im Schlüsselbund gespeichert werden.',
    hint: 'Entsperre den Schlüsselbund und versuche es erneut, oder verwende den Schlüssel, ohne ihn zu speichern.',
  },
  clipboard: {
    title: 'Kopieren in die Zwischenablage nicht möglich.',
    hint: 'Klicke in das Fenster von Slipway und kopiere erneut.',
  },
  server: {
    title: 'Unerwartete Antwort von dieser Adresse.',
    hint: 'Prüfe die Adresse. Ist sie richtig, versuche es später erneut.',
  },
  closing: { title: 'Slipway startet die Synchronisierung neu.', hint: 'Versuche es gleich erneut.' },
  defect: {
    title: 'Interner Fehler.',
    hint: 'Es wurde nichts gespeichert. Einzelheiten stehen im Protokoll.',
  },
}

export const welcome: Widen<typeof original> = {
  title: 'Willkommen',
  promise: 'Datei speichern. Der Link ist da.',
  promiseText:
    'Lege Dateien hier ab oder speichere sie in einem Ordner deiner Wahl. Slipway lädt sie hoch, hält ihre öffentlichen Links bereit und bleibt innerhalb der Limits deines Tarifs.',
  keyPlace: 'Dein API-Schlüssel wird nur im Schlüsselbund des Systems gespeichert.',
  steps: 'Schritte',
  step: (n, name) => `${n} ${name}`,
  dropHint: (paste) =>
    `Du kannst hier schon Dateien ablegen oder mit ${paste} einfügen. Sie werden nach diesem Schritt hochgeladen.`,
  kept: (n, shown) =>
    n === 1
      ? '1 Objekt wird nach diesem Schritt hochgeladen'
      : `${shown} Objekte werden nach diesem Schritt hochgeladen`,
  keptMore: (n, shown) => (n === 1 ? 'und 1 weiteres' : `und ${shown} weitere`),
  discardKept: 'Verwerfen',
  stepNames: { connect: 'Verbinden', folder: 'Ordner wählen' },
  tryIt: 'Ohne Konto ausprobieren',
  trialFirst: (button) =>
    `Du probierst Slipway ohne Konto aus. Um deins zu verbinden, wähle „${button}“ im Hinweis oben.`,
  tryStarting: 'Wird gestartet',
  tryHint: 'Mit einem Dienst auf diesem Computer. Links funktionieren nur hier, bis du Slipway beendest.',
  connectTitle: 'Mit dem Dienst verbinden',
  folderTitle: 'Ordner wählen',
  address: 'Adresse des Dienstes',
  key: 'API-Schlüssel',
  keyHint: 'Von der Kontoseite des Dienstes. Pro, Business und Enterprise enthalten API-Zugang.',
  showKey: 'Schlüssel zeigen',
  hideKey: 'Schlüssel ausblenden',
  plainHttp: 'Den Schlüssel unverschlüsselt senden',
  plainHttpTitle: 'Diese Adresse ist nicht verschlüsselt.',
  plainHttpHint:
    'Andere im Netzwerk könnten deinen API-Schlüssel und deine Dateien lesen. Verwende https, außer das ganze Netzwerk gehört dir.',
  connect: 'Verbinden',
  connecting: 'Verbindung wird hergestellt',
  connected: (host, plan) =>
    plan === null ? `Verbunden mit ${host}` : `Verbunden mit ${host}, Tarif ${plan}`,
  requests: (n, minute, day) => `${minute} ${n === 1 ? 'Anfrage' : 'Anfragen'} pro Minute, ${day} pro Tag`,
  requestsMinute: (n, shown) => `${shown} ${n === 1 ? 'Anfrage' : 'Anfragen'} pro Minute`,
  requestsDay: (n, shown) => `${shown} ${n === 1 ? 'Anfrage' : 'Anfragen'} pro Tag`,
  requestsUnknown: 'Anfragelimit unbekannt',
  uploads: (n, shown) => `${shown} ${n === 1 ? 'Upload' : 'Uploads'} pro Tag`,
  uploadsUnknown: 'kein Tageslimit für Uploads bekannt',
  filesUpTo: (size) => `Dateien bis ${size}`,
  filesUpToUnit: (size) => `Dateien bis etwa ${size}`,
  filesAny: 'Dateien jeder Größe',
  filesUnknown: 'maximale Dateigröße unbekannt',
  stored: (n, shown) => `${files(n, shown)} gespeichert`,
  learns: 'Slipway beginnt vorsichtig und lernt unbekannte Limits im Betrieb.',
  goOn: 'Weiter',
  withoutSaving: 'Ohne Speichern verwenden',
  untilQuit: 'Bis zum Beenden verwenden',
  keychainTitle: 'Der API-Schlüssel kann auf diesem System nicht gespeichert werden.',
  keychainHint:
    'Der Schlüsselbund fehlt oder ist gesperrt. Du kannst den Schlüssel ohne Speichern verwenden und beim nächsten Start wieder eingeben.',
  connectFailures,
  serviceTrouble: {
    title: 'Der Dienst hat ein Problem.',
    hint: 'Die Adresse kann richtig sein. Versuche es später erneut. Es wurde nichts gespeichert.',
  },
  proxySettings: 'Proxy-Einstellungen…',
  proxyLogin: {
    title: 'Der Proxy verlangt Benutzername und Passwort.',
    hint: 'Gib sie in den Proxy-Einstellungen ein und versuche es erneut.',
  },
  keyFaults: {
    characters: {
      title:
        'Dieser Schlüssel enthält Leerzeichen oder andere Zeichen, die in keinem API-Schlüssel vorkommen.',
      hint: 'Kopiere den ganzen Schlüssel noch einmal von der Kontoseite, Abschnitt API. Es wurde nichts gesendet.',
    },
    'too-long': {
      title: 'Dieser Text ist zu lang für einen API-Schlüssel.',
      hint: 'Kopiere nur den Schlüssel von der Kontoseite, Abschnitt API. Es wurde nichts gesendet.',
    },
  },
  proofOver: 'Die Verbindungsprüfung ist abgelaufen. Verbinde dich erneut.',
  saving: 'Schlüssel wird gespeichert',
  folderText: 'Dateien, die du darin speicherst, werden automatisch hochgeladen. Sie bleiben, wo sie sind.',
  choose: 'Ordner wählen…',
  chooseOther: 'Anderen wählen…',
  counting: 'Dateien werden gezählt',
  skip: 'Überspringen',
  skipHint: 'Du kannst jederzeit Ordner hinzufügen.',
  folderEmpty: 'Leer',
  folderHolds: (n, shown, bytes) =>
    bytes === '' ? files(n, shown) : `${files(n, shown)}, ${bytes} hochzuladen`,
  forecastAll: 'Wird jetzt hochgeladen.',
  forecastSoon: (span) => `Wird innerhalb von ${span} hochgeladen.`,
  forecastSplit: (now, n, shown) => `${now} heute, der Rest innerhalb ${days(n, shown)} mit deinem Tarif.`,
  forecastSplitOpen: (now, later) => `${now} jetzt, ${later} später.`,
  forecastLater: (n, shown) => `Fertig innerhalb ${days(n, shown)} mit deinem Tarif.`,
  forecastNone: 'Die Dateien konnten nicht gezählt werden. Slipway zählt sie beim Hochladen.',
  forecastAlready: (n, shown) =>
    n === 1 ? '1 ist bereits hochgeladen' : `${shown} sind bereits hochgeladen`,
  forecastHeld: (n, shown) =>
    n === 1
      ? '1 enthält vermutlich Zugangsdaten und braucht deine Freigabe'
      : `${shown} enthalten vermutlich Zugangsdaten und brauchen deine Freigabe`,
  forecastFailed: (n, shown) => (n === 1 ? '1 ist nicht lesbar' : `${shown} sind nicht lesbar`),
  forecastTooBig: (n, shown) =>
    n === 1 ? '1 ist größer, als dein Tarif erlaubt' : `${shown} sind größer, als dein Tarif erlaubt`,
  forecastIgnored: (n, shown) =>
    n === 1 ? '1 wird durch eine Regel ignoriert' : `${shown} werden durch Regeln ignoriert`,
}
