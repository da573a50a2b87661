// Texts in German that more than one view of the window needs: the frame, reasons, failures, times.
// They have the type of the English original, so that no text is missing.
import { NEAR_LIMITS } from '../../choices.ts'
import type { FailureCode, FolderRefusal } from '../../engine-contract.ts'
import type { NoticeAbout } from '../../events.ts'
import type { NearLimit } from '../../model.ts'
import type { common as original } from '../en/common.ts'
import { rowReasons } from '../reasons.ts'
import type { Widen } from '../widen.ts'
import { paletteWords } from './palette-words.ts'
import { leftOut, reasonWords } from './reasons.ts'

const files = (n: number, shown: string): string => `${shown} ${n === 1 ? 'Datei' : 'Dateien'}`

const failures: Readonly<Record<FailureCode, { readonly title: string; readonly hint: string }>> = {
  usage: { title: 'Diese Eingabe kann nicht verwendet werden.', hint: 'Prüfe die Eingabe.' },
  'no-key': {
    title: 'Es gibt noch keinen API-Schlüssel.',
    hint: 'Verbinde dich in den Einstellungen mit dem Dienst.',
  },
  'key-refused': {
    title: 'Der API-Schlüssel wurde abgelehnt.',
    hint: 'Uploads warten, bis der Dienst einen Schlüssel annimmt.',
  },
  'no-api': {
    title: 'Dein Tarif enthält keinen API-Zugang.',
    hint: 'Er ist in Pro, Business und Enterprise enthalten.',
  },
  'no-connection': {
    title: 'Der Dienst ist nicht erreichbar.',
    hint: 'Prüfe Adresse und Netzwerk. Slipway versucht es weiter.',
  },
  'not-found': {
    title: 'Dieses Objekt gibt es nicht mehr.',
    hint: 'Vielleicht wurde es auf einem anderen Gerät gelöscht.',
  },
  unreadable: {
    title: 'Die Datei konnte nicht gelesen werden.',
    hint: 'Prüfe, ob es sie noch gibt und ob du sie lesen darfst.',
  },
  waits: { title: 'Anfragelimit erreicht.', hint: 'Versuche es später erneut.' },
  disk: {
    title: 'Schreiben auf den Datenträger nicht möglich.',
    hint: 'Prüfe freien Speicherplatz und Zugriffsrechte und versuche es erneut.',
  },
  'journal-unusable': {
    title: 'Das Journal konnte nicht geöffnet werden.',
    hint: 'Nichts ist verloren. Installiere die neueste Version von Slipway und starte sie.',
  },
  keychain: {
    title: 'Der Schlüsselbund des Systems ist nicht verfügbar.',
    hint: 'Entsperre den Schlüsselbund oder verwende den API-Schlüssel, ohne ihn zu speichern.',
  },
  clipboard: {
    title: 'Kopieren in die Zwischenablage nicht möglich.',
    hint: 'Klicke in das Fenster von Slipway und kopiere erneut.',
  },
  server: {
    title: 'Unerwartete Antwort vom Dienst.',
    hint: 'Versuche es erneut. Bleibt der Fehler bestehen, prüfe die Adresse.',
  },
  closing: { title: 'Slipway startet die Synchronisierung neu.', hint: 'Versuche es gleich erneut.' },
  defect: { title: 'Interner Fehler.', hint: 'Einzelheiten stehen im Protokoll.' },
}

const notWatched = {
  'not-found': {
    title: 'Dieser Ordner wird nicht mehr überwacht.',
    hint: 'Überwache ihn wieder, damit neue Dateien hochgeladen werden.',
  },
}
const cantReadClipboard = {
  clipboard: {
    title: 'Die Zwischenablage konnte nicht gelesen werden.',
    hint: 'Kopiere den Inhalt noch einmal und versuche es erneut.',
  },
}
const cantReadDrop = {
  usage: {
    title: 'Was du abgelegt hast, konnte nicht gelesen werden.',
    hint: 'Lege die Dateien oder den Ordner, der sie enthält, erneut ab.',
  },
  unreadable: {
    title: 'Was du abgelegt hast, ist keine Datei.',
    hint: 'Speichere es zuerst als Datei und lege dann die Datei ab.',
  },
}
const cantOpenFolder = {
  title: 'Der Ordner konnte nicht geöffnet werden.',
  hint: 'Prüfe, ob du ihn lesen darfst.',
}

const failuresOf: (typeof original)['failuresOf'] = {
  start: {
    usage: {
      title: 'Die Synchronisierung konnte nicht gestartet werden.',
      hint: 'Das Fenster von Slipway zeigt den Grund.',
    },
    'key-refused': {
      title: 'Der API-Schlüssel ist ungültig.',
      hint: 'Gib einen anderen Schlüssel ein oder korrigiere die Variable SLIPWAY_API_KEY.',
    },
  },
  showInFolder: {
    'not-found': {
      title: 'Das Original ist nicht mehr da.',
      hint: 'Es wurde auf diesem Computer verschoben oder gelöscht.',
    },
  },
  dragFiles: {
    'not-found': {
      title: 'Das Original wurde geändert oder ist nicht mehr da.',
      hint: 'Der Link funktioniert weiterhin. Ziehe die Zeile noch einmal, um den Link zu ziehen.',
    },
  },
  openLink: {
    'not-found': {
      title: 'Diese Datei hat keinen Link zum Öffnen.',
      hint: 'Aktualisiere die Liste und versuche es erneut.',
    },
  },
  openFolder: {
    'not-found': {
      title: 'Der Ordner ist nicht mehr da.',
      hint: 'Schließe den Datenträger wieder an oder stelle den Ordner wieder her.',
    },
    disk: cantOpenFolder,
  },
  openData: { disk: cantOpenFolder },
  licences: {
    disk: {
      title: 'Die Lizenzen konnten nicht gelesen werden.',
      hint: 'Sie stehen in licences.txt im Ordner der App.',
    },
  },
  uploadClipboard: cantReadClipboard,
  takeRegion: {
    'not-found': {
      title: 'Dieser Desktop hat kein Werkzeug für Bildschirmfotos, das Slipway verwenden kann.',
      hint: 'Installiere xdg-desktop-portal für deinen Desktop. Oder kopiere selbst ein Bildschirmfoto und lade die Zwischenablage hoch.',
    },
    unreadable: {
      title: 'Das Bildschirmfoto konnte nicht aufgenommen werden.',
      hint: 'Erlaube Slipway in den Einstellungen des Systems, den Bildschirm aufzunehmen, und versuche es erneut.',
    },
  },
  keepClipboard: cantReadClipboard,
  drop: cantReadDrop,
  keepDrop: cantReadDrop,
  uploadPicked: {
    usage: { title: 'Diese Dateien können nicht mehr hochgeladen werden.', hint: 'Lege sie erneut ab.' },
  },
  copyLinks: {
    usage: {
      title: 'Die Liste hat sich geändert. Es wurden keine Links kopiert.',
      hint: 'Wähle die Dateien erneut aus und kopiere dann.',
    },
  },
  deleteFiles: {
    usage: {
      title: 'Die Liste hat sich geändert. Es wurde nichts gelöscht.',
      hint: 'Wähle die Dateien erneut aus und lösche dann.',
    },
  },
  watchPicked: {
    'not-found': { title: 'Dieser Ordner ist nicht mehr verfügbar.', hint: 'Wähle ihn erneut.' },
  },
  signOut: {
    keychain: {
      title: 'Der API-Schlüssel konnte nicht aus dem Schlüsselbund gelöscht werden.',
      hint: 'Entsperre den Schlüsselbund und melde dich erneut ab.',
    },
  },
  proxyLogin: {
    keychain: {
      title: 'Die Anmeldung am Proxy konnte nicht aus dem Schlüsselbund gelöscht werden.',
      hint: 'Entsperre den Schlüsselbund und entferne sie erneut.',
    },
  },
  removeAccount: {
    keychain: {
      title:
        'Der API-Schlüssel konnte nicht aus dem Schlüsselbund gelöscht werden. Das Konto wurde nicht entfernt.',
      hint: 'Entsperre den Schlüsselbund und entferne das Konto erneut.',
    },
  },
  renameAccount: {
    'not-found': {
      title: 'Dieses Konto ist nicht mehr auf diesem Computer.',
      hint: 'Vielleicht wurde es inzwischen entfernt.',
    },
  },
  rescan: notWatched,
  changeFolder: notWatched,
  copyFromFolder: notWatched,
}

const folderRefusals: Readonly<Record<FolderRefusal, { readonly title: string; readonly hint: string }>> = {
  forbidden: {
    title: 'Deine Organisation erlaubt keine Uploads aus diesem Ordner.',
    hint: 'Wähle einen anderen Ordner oder frage deine Administration.',
  },
  'own-data': {
    title: 'Dieser Ordner gehört zu Slipway selbst und wird nie hochgeladen.',
    hint: 'Wähle einen anderen Ordner.',
  },
  'not-a-folder': {
    title: 'Diesen Ordner gibt es nicht mehr.',
    hint: 'An seiner Stelle ist etwas anderes. Wähle einen anderen Ordner.',
  },
  unreadable: cantOpenFolder,
  unwatched: {
    title: 'Dieser Ordner wird nicht mehr überwacht.',
    hint: 'Überwache ihn wieder, um seine Dateien hochzuladen.',
  },
  'target-missing': {
    title: 'Den Ordner für hochgeladene Dateien gibt es nicht.',
    hint: 'Wähle dafür einen anderen Ordner.',
  },
  'target-refused': {
    title: 'Hochgeladene Dateien können nicht in diesen Ordner verschoben werden.',
    hint: 'Er liegt in einem überwachten Ordner oder gehört zu Slipway. Wähle einen anderen.',
  },
  'is-target': {
    title: 'Ein anderer überwachter Ordner verschiebt seine hochgeladenen Dateien hierher.',
    hint: 'Wähle einen anderen Ordner oder ändere die Regeln des anderen.',
  },
}

const nearLimits: Readonly<Record<NearLimit['limit'], (shown: string) => string>> = {
  uploads: (shown) => `${shown} der heutigen Uploads verbraucht`,
  requests: (shown) => `${shown} der heutigen Anfragen verbraucht`,
  storage: (shown) => `${shown} deines Speichers belegt`,
  files: (shown) => `${shown} der Dateizahl deines Tarifs erreicht`,
}

const noticeTitles: Readonly<Record<NoticeAbout['what'], (name: string, n: number) => string>> = {
  'key-refused': () => 'Der API-Schlüssel wurde abgelehnt.',
  'no-api': () => 'Dein Tarif enthält keinen API-Zugang. Uploads warten.',
  'watch-limit': () =>
    'Das Systemlimit für überwachte Ordner ist erreicht. Slipway durchsucht den betroffenen Ordner stattdessen alle 20 Sekunden.',
  'watch-blind': () =>
    'Das System meldet keine Änderungen in einem überwachten Ordner. Slipway durchsucht ihn stattdessen alle 20 Sekunden.',
  'first-download': (name, n) =>
    n === 1 ? `Erster Download von ${name}` : `Erste Downloads von ${name} und ${n - 1} weiteren`,
  journal: () => 'Das Journal konnte nicht gelesen werden. Slipway hat ein neues begonnen.',
  disk: () => 'Schreiben auf den Datenträger nicht möglich. Uploads warten.',
  'not-deleted': (_name, n) =>
    n === 1 ? 'Eine Datei konnte nicht gelöscht werden.' : 'Einige Dateien konnten nicht gelöscht werden.',
  'shortcut-taken': (name) => `Das Tastenkürzel ${name} konnte nicht registriert werden.`,
  'near-limit': (name, n) => `${nearLimits[NEAR_LIMITS.find((one) => one === name) ?? 'uploads'](`${n} %`)}.`,
  'not-moved': (name) => `Verschieben ${name === '' ? 'in den Papierkorb' : `nach ${name}`} nicht möglich.`,
}
/** The explanation below a notice's title; '' if the title needs none. */
const noticeHints: Readonly<Record<NoticeAbout['what'], (name: string, n: number) => string>> = {
  'key-refused': () => 'Uploads warten, bis der Dienst einen Schlüssel annimmt.',
  'no-api': () => 'Er ist in Pro, Business und Enterprise enthalten.',
  'watch-limit': (name) => `Erhöhe ${name}, um Änderungen sofort zu erkennen.`,
  'watch-blind': () => '',
  'first-download': () => '',
  journal: (name) => `Das alte Journal wurde als ${name} aufbewahrt.`,
  disk: () => 'Prüfe freien Speicherplatz und Zugriffsrechte. Uploads gehen dann automatisch weiter.',
  'not-deleted': (_name, n) => {
    if (n === 0) return 'Slipway konnte nicht lesen, welche. Prüfe deine Dateien und lösche sie erneut.'
    return n === 1
      ? 'Sie liegt noch beim Dienst. Versuche es erneut.'
      : `${n} Dateien liegen noch beim Dienst. Versuche es erneut.`
  },
  'shortcut-taken': () =>
    'Vielleicht verwendet es ein anderes Programm. Slipway versucht es jede Minute erneut. Ein anderes legst du unter Einstellungen → Start fest.',
  'near-limit': () => 'Dateien über dem Limit warten. Nichts geht verloren.',
  'not-moved': (name) =>
    name === ''
      ? 'Hochgeladene Dateien bleiben, wo sie sind. Slipway versucht es erneut.'
      : 'Hochgeladene Dateien bleiben, wo sie sind. Prüfe den Ordner. Slipway versucht es erneut.',
}

export const common: Widen<typeof original> = {
  appName: 'Slipway',
  views: { files: 'Dateien', transfers: 'Übertragungen', usage: 'Nutzung', settings: 'Einstellungen' },
  navigation: 'Ansichten',
  account: (name) => `Konto: ${name}`,
  accounts: 'Konten',
  accountsNeed: (n, shown) =>
    n === 1 ? 'Anderes Konto: Aktion erforderlich' : `${shown} andere Konten: Aktion erforderlich`,
  accountPaused: 'Pausiert',
  accountSignedOut: 'Abgemeldet',
  accountStopped: 'Synchronisierung läuft nicht',
  accountKeyUnread: 'Schlüsselbund nicht verfügbar',
  addAccount: 'Konto hinzufügen…',
  manageAccounts: 'Konten verwalten…',
  switchTo: (name) => `Zu ${name} wechseln`,
  switchedTo: (name) => `Zu ${name} gewechselt.`,
  leftContinues: (n, shown, name) =>
    n === 1
      ? `1 Datei von ${name} wird im Hintergrund weiterbearbeitet.`
      : `${shown} Dateien von ${name} werden im Hintergrund weiterbearbeitet.`,
  leftWaits: (n, shown, name) =>
    n === 1
      ? `1 Datei von ${name} wartet, bis Uploads dorthin wieder möglich sind.`
      : `${shown} Dateien von ${name} warten, bis Uploads dorthin wieder möglich sind.`,
  managedFaultTitle: 'Die Richtlinie deiner Organisation lässt sich nicht verwenden.',
  managedFaultHint: (reason) =>
    `${reason.replaceAll("'", '’')} Bis sie berichtigt ist, wird nichts hochgeladen.`,
  managedAddressTitle: (address) => `Deine Organisation erlaubt nur ${address}`,
  managedAddressHint:
    'Wartende Dateien bleiben in der Warteschlange. Füge dort ein Konto hinzu oder frage deine Administration.',
  signedOutTitle: (name) => `Von ${name} abgemeldet.`,
  signedOutHint: 'Uploads warten, bis du den API-Schlüssel eingibst.',
  keyUnreadTitle: 'Der API-Schlüssel konnte nicht aus dem Schlüsselbund gelesen werden.',
  keyUnreadHint: 'Uploads warten. Entsperre den Schlüsselbund und versuche es erneut.',
  watchedFolders: 'Überwachte Ordner',
  addFolder: 'Ordner überwachen',
  folderDone: (done, seen) => `${done} von ${seen} fertig`,
  folderScanning: 'Wird durchsucht',
  folderScanned: (ago) => `Durchsucht ${ago}`,
  folderAway: 'Nicht verfügbar',
  folderSilent: 'Laufwerk reagiert nicht',
  folderEmpty: 'Leer',
  folderPaused: 'Pausiert',
  folderMenu: {
    more: (name) => `Aktionen für ${name}`,
    rules: 'Regeln…',
    copyLinks: 'Links kopieren',
    pause: 'Pausieren',
    resume: 'Fortsetzen',
    scan: 'Jetzt durchsuchen',
    open: 'Ordner öffnen',
    stop: 'Nicht mehr überwachen',
    stopped: 'Wird nicht mehr überwacht',
    stopTitle: (name) => `${name} nicht mehr überwachen?`,
    stopText:
      'Er ist nicht verfügbar, daher lässt sich das erst rückgängig machen, wenn er wieder da ist. Hochgeladene Dateien bleiben beim Dienst, und ihre Links funktionieren weiter. Was in diesem Ordner noch wartet, wird nicht hochgeladen.',
  },
  showFilesOf: (name) => `Dateien aus ${name} zeigen`,
  showAllFolders: 'Dateien aus allen Ordnern zeigen',
  gauge: 'Tariflimits',
  requestsThisMinute: 'Anfragen / Minute',
  requestsMinuteShort: 'Anfragen / Min.',
  uploadsToday: 'Uploads heute',
  requestsToday: 'Anfragen heute',
  of: (used, limit) => `${used} / ${limit}`,
  limitUnknown: (used) => `${used}, Limit unbekannt`,
  gaugeFree: 'Kein Limit erreicht.',
  gaugeMinute: (when) => `Anfragelimit erreicht. Uploads gehen ${when === '' ? 'automatisch' : when} weiter.`,
  gaugeDay: (when) => `Tageslimit erreicht.${when === '' ? '' : ` Nächster Versuch ${when}.`}`,
  gaugePaused: 'Pausiert. Keine neuen Uploads.',
  gaugeOffline: 'Keine Verbindung. Slipway versucht es weiter.',
  gaugeKey: 'Keine Uploads, bis der Dienst einen Schlüssel annimmt.',
  gaugePolicy: 'Keine Uploads, bis die Richtlinie repariert ist.',
  gaugeBlocked: 'Keine Uploads, bis der Dienst Zugang gewährt.',
  gaugeUploads: (n, shown) => `Heute noch ${shown} ${n === 1 ? 'Upload' : 'Uploads'}.`,
  statusAllSafe: 'Alle Dateien erfasst',
  statusNeedsYou: (n, shown) =>
    n === 1 ? '1 Datei: Aktion erforderlich' : `${shown} Dateien: Aktion erforderlich`,
  statusUploading: (n, shown) => `${shown} ${n === 1 ? 'wird' : 'werden'} hochgeladen`,
  statusWaiting: (n, shown) => `${shown} ${n === 1 ? 'wartet' : 'warten'}`,
  statusPaused: (_n, shown) => `${shown} pausiert`,
  statusSettling: (n, shown) => `${shown} ${n === 1 ? 'wird' : 'werden'} noch geschrieben`,
  statusChecking: (n, shown) => `${shown} ${n === 1 ? 'wird' : 'werden'} geprüft`,
  restartToUpdate: 'Zum Aktualisieren neu starten',
  statusCommands: (keys) => `${keys} für Befehle`,
  filesCount: files,
  upload: 'Hochladen',
  uploadFiles: 'Dateien hochladen…',
  uploadFolder: 'Ordner hochladen…',
  uploadClipboard: 'Aus der Zwischenablage hochladen',
  takeRegion: 'Bildschirmfoto aufnehmen und hochladen',
  openShelf: 'Ablage zeigen',
  nothingOnClipboard: 'Die Zwischenablage enthält nichts zum Hochladen.',
  clipboardTooLarge: {
    picture: (size) => `Das Bild in der Zwischenablage (${size}) ist zu groß.`,
    text: (size) => `Der Text in der Zwischenablage (${size}) ist zu groß.`,
    hint: 'Speichere den Inhalt als Datei und lade die Datei hoch.',
  },
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyLink: 'Link kopieren',
  copyLinks: (n, shown) => (n === 1 ? 'Link kopieren' : `${shown} Links kopieren`),
  nothingSelected: 'Nichts ausgewählt.',
  nothingSelectedHint: 'Wähle zuerst eine Datei in der Liste aus.',
  copiedLinks: (n, shown) => (n === 1 ? 'Link kopiert' : `${shown} Links kopiert`),
  noLastDrop: 'Noch nichts abgelegt.',
  missingLinks: (n, shown) =>
    n === 1 ? '1 Link noch nicht verfügbar' : `${shown} Links noch nicht verfügbar`,
  copyAs: (style) => `Link als ${style} kopieren`,
  copyAsMenu: 'Kopieren als',
  copyAsMore: 'Kopieren als…',
  andMore: (shown) => `und ${shown} weitere`,
  copyCustom: 'Link im eigenen Format kopieren',
  customFormat: 'Eigenes Linkformat…',
  linkStyles: {
    url: 'URL',
    markdown: 'Markdown',
    html: 'HTML',
    bbcode: 'BBCode',
    template: 'Eigenes Format',
  },
  open: 'Öffnen',
  show: 'Zeigen',
  showInFolder: 'Im Ordner zeigen',
  notDragged: (n, shown) =>
    n === 1
      ? '1 Datei wurde nicht gezogen: Ihr Original wurde geändert oder ist nicht mehr da.'
      : `${shown} Dateien wurden nicht gezogen: Ihre Originale wurden geändert oder sind nicht mehr da.`,
  qr: 'QR',
  qrTitle: 'QR-Code für den Link',
  delete: 'Löschen',
  undo: 'Rückgängig',
  undoOf: {
    delete: (n, shown, name) =>
      n > 1 || name === ''
        ? `Löschen von ${n === 1 ? '1 Datei' : `${shown} Dateien`} rückgängig machen`
        : `Löschen von ${name} rückgängig machen`,
    upload: (n, shown, name) =>
      n > 1 ? `Upload von ${shown} Dateien rückgängig machen` : `Upload von ${name} rückgängig machen`,
    unwatch: (_n, _shown, name) => `${name} wieder überwachen`,
    'put-away': (n, shown, name) => (n > 1 ? `${shown} Dateien zurückholen` : `${name} zurückholen`),
    cancel: (n, shown, name) => `Abbrechen von ${n > 1 ? `${shown} Uploads` : name} rückgängig machen`,
    nothing: 'Nichts rückgängig zu machen',
    unnamed: 'Letzte Aktion rückgängig machen',
  },
  undone: {
    delete: 'Nicht gelöscht',
    unwatch: 'Wird wieder überwacht',
    'put-away': 'Zurückgeholt',
    cancel: 'Wiederhergestellt',
  },
  undoneAll: {
    cancelled: (n) => (n === 1 ? 'Upload abgebrochen' : 'Uploads abgebrochen'),
    checking: (n) =>
      n === 1 ? 'Wird geprüft, ob sie hochgeladen wurde' : 'Wird geprüft, ob sie hochgeladen wurden',
    deleting: () => 'Wird beim Dienst gelöscht',
    deleted: (n) =>
      n === 1 ? 'War hochgeladen, ist jetzt gelöscht' : 'Waren hochgeladen, sind jetzt gelöscht',
    kept: () => 'Noch beim Dienst',
  },
  undoneParts: {
    cancelled: (_n, shown) => `${shown} abgebrochen`,
    checking: (n, shown) => `${shown} ${n === 1 ? 'wird' : 'werden'} geprüft`,
    deleting: (n, shown) => `${shown} ${n === 1 ? 'wird' : 'werden'} gelöscht`,
    deleted: (_n, shown) => `${shown} gelöscht`,
    kept: (_n, shown) => `${shown} noch beim Dienst`,
  },
  cancel: 'Abbrechen',
  close: 'Schließen',
  pause: 'Pausieren',
  pauseAll: 'Alle pausieren',
  pauseNow: 'Jetzt pausieren',
  pauseAllNow: 'Alle jetzt pausieren, laufende Uploads abbrechen',
  resume: 'Fortsetzen',
  resumePaused: 'Pausierte Uploads fortsetzen',
  retry: 'Erneut versuchen',
  retryAll: 'Fehlgeschlagene und wartende Uploads erneut versuchen',
  refresh: 'Aktualisieren',
  search: 'Suchen',
  clear: 'Leeren',
  more: 'Mehr',
  details: 'Details',
  quit: 'Beenden',
  palette: 'Befehle',
  shortcuts: 'Tastenkürzel',
  keysAnywhere: 'Aus jeder App',
  keys: {
    paste: (asks) => `Kopiertes hochladen${asks ? ', Text nach Rückfrage' : ''}`,
    'paste-upload': 'Kopiertes ohne Rückfrage hochladen',
    'copy-row': 'Link der aktuellen Zeile kopieren',
    menu: 'Menü der aktuellen Zeile öffnen',
    move: 'In der Liste bewegen',
    buttons: 'Zwischen den Knöpfen einer Zeile bewegen',
    toggle: 'Aktuelle Zeile auswählen oder abwählen',
    extend: 'Auswahl erweitern',
    type: 'Nach dem Getippten suchen',
    escape: 'Auswahl aufheben, Dialoge und Meldungen schließen',
    'zoom-in': 'Größer',
    'zoom-out': 'Kleiner',
    'zoom-reset': 'Originalgröße',
    'full-screen': 'Vollbild',
    minimize: 'Fenster minimieren',
    close: 'Fenster schließen',
  },
  selectAll: 'Alles auswählen',
  paletteHint: 'Befehle und Dateien suchen',
  paletteCommands: 'Befehle',
  paletteGroups: {
    actions: 'Aktionen',
    selection: 'Ausgewählte Dateien',
    go: 'Gehe zu',
    view: 'Darstellung',
    app: 'Slipway',
  },
  paletteWords,
  paletteFiles: 'Dateien',
  paletteNotRead: (read) => `Die Liste ist noch nicht vollständig: ${read}.`,
  paletteNothing: 'Keine Ergebnisse. Versuche einen kürzeren Suchbegriff.',
  deleteSelected: 'Ausgewählte Dateien löschen',
  openSelected: 'Ausgewählte Datei im Browser öffnen',
  watchFolder: 'Ordner überwachen…',
  enterKeyCommand: 'Neuen API-Schlüssel eingeben',
  density: { comfortable: 'Komfortable Zeilen verwenden', compact: 'Kompakte Zeilen verwenden' },
  languages: { system: 'Sprache: System', en: 'Sprache: English', de: 'Sprache: Deutsch' },
  goTo: (view) => `Gehe zu ${view}`,
  sortBy: (column) => `Dateien sortieren: ${column}`,
  theme: {
    system: 'Design des Systems verwenden',
    light: 'Helles Design verwenden',
    dark: 'Dunkles Design verwenden',
  },
  copyLastDrop: 'Links der zuletzt abgelegten Dateien kopieren',
  copyLastDropAs: (style) => `Links der zuletzt abgelegten Dateien als ${style} kopieren`,
  snooze: (span) => `Mitteilungen für ${span} stummschalten`,
  openLog: 'Protokoll zeigen',
  checkForUpdates: 'Nach Updates suchen',
  openWebsite: 'Website des Dienstes öffnen',
  dropTitlePlain: 'Zum Hochladen ablegen',
  dropTitle: (n, shown) =>
    n === 1 ? '1 Objekt zum Hochladen ablegen' : `${shown} Objekte zum Hochladen ablegen`,
  dropHint: 'Slipway fragt nach, wenn du etwas entscheiden musst.',
  dropPlanTitle: (n, shown) => `${files(n, shown)} hochladen?`,
  dropCounting: 'Dateien werden gezählt',
  dropNow: 'wird jetzt hochgeladen',
  dropAtOnce: 'jetzt',
  dropSoon: (span) => `innerhalb von ${span}`,
  dropLater: (when) => (when === '' ? 'später' : `frühestens ${when}`),
  dropLast: (when) => `Der letzte Upload beginnt ${when}.`,
  dropAlready: (n) =>
    n === 1 ? 'ist bereits hochgeladen. Der Link ist da.' : 'sind bereits hochgeladen. Die Links sind da.',
  dropHeld: (n) =>
    n === 1
      ? 'enthält vermutlich Zugangsdaten und braucht deine Freigabe'
      : 'enthalten vermutlich Zugangsdaten und brauchen deine Freigabe',
  dropTooBig: (n) => (n === 1 ? 'ist größer, als dein Tarif erlaubt' : 'sind größer, als dein Tarif erlaubt'),
  dropIgnored: (n) => (n === 1 ? 'wird durch eine Regel ignoriert' : 'werden durch Regeln ignoriert'),
  dropFailed: (n) => (n === 1 ? 'ist nicht lesbar' : 'sind nicht lesbar'),
  dropAddress: {
    title: 'Der Browser hat nur die Adresse des Bildes übergeben.',
    hint: (keys) =>
      `Slipway lädt nichts aus dem Web. Kopiere das Bild im Browser und drücke dann hier ${keys}.`,
  },
  dropNoFile: {
    title: (names) => `${names} konnte nicht gelesen werden.`,
    hint: 'Speichere den Inhalt zuerst als Datei und lege dann die Datei ab.',
  },
  shelf: {
    title: 'Ablage',
    drop: 'Dateien hier ablegen',
    hint: 'Ihre Links werden kopiert, sobald sie bereit sind.',
    notConnected: 'Nicht verbunden',
    notConnectedHint: 'Verbinde dich im Fenster von Slipway, um hier hochzuladen.',
    notOnTop:
      'Unter Wayland hält nur der Desktop Fenster im Vordergrund: Wähle „Immer im Vordergrund“ im Menü der Titelleiste.',
    last: 'Zuletzt abgelegt',
    more: (n, shown) => (n === 1 ? 'und 1 weitere' : `und ${shown} weitere`),
  },
  pasteNames: {
    pattern: '{kind} {date} um {time}',
    kinds: { picture: 'Bild', text: 'Text', screenshot: 'Bildschirmfoto' },
  },
  dropWait: 'Jetzt nicht',
  dropDont: 'Nicht hochladen',
  dropNothing: 'Jetzt nichts hochzuladen',
  dropAdd: 'Zu Übertragungen hinzufügen',
  dropLinks: 'Links kopieren',
  batchQueued: (n, shown) => (n === 1 ? '1 Datei hinzugefügt' : `${shown} Dateien hinzugefügt`),
  batchAlready: (n, shown) => (n === 1 ? '1 bereits hochgeladen' : `${shown} bereits hochgeladen`),
  batchHeld: (n, shown) => (n === 1 ? '1 braucht deine Freigabe' : `${shown} brauchen deine Freigabe`),
  batchPaused: 'Nichts wird gesendet, bis du sie unter „Übertragungen“ fortsetzt.',
  batchAwaits: (n, shown) =>
    n === 1 ? '1 Datei wartet auf deine Antwort' : `${shown} Dateien warten auf deine Antwort`,
  droppedFolder: {
    title: (name) => `Auch neue Dateien in ${name} hochladen?`,
    hint: 'Was du dort später speicherst, wird nur hochgeladen, wenn der Ordner überwacht wird.',
  },
  batchAwaitsHint: 'Beantworte die offene Frage. Danach fragt Slipway nach diesen Dateien.',
  batchRest: (n, shown, why) =>
    `${shown} weitere ${n === 1 ? 'wurde' : 'wurden'} möglicherweise nicht hinzugefügt. ${why}`,
  trialTitle:
    'Slipway ausprobieren: Links funktionieren nur auf diesem Computer, und beim Beenden wird alles gelöscht.',
  trialConnect: 'Konto verbinden…',
  trialEndText:
    'Die Links funktionieren dann nicht mehr, und die Kopien und was du dabei eingefügt hast, werden gelöscht. Deine eigenen Dateien bleiben, wo sie sind.',
  engineDown: 'Slipway startet die Synchronisierung neu. Nichts geht verloren.',
  engineStopped: 'Die Synchronisierung von Slipway läuft nicht.',
  accountBlockedTitle: 'Der API-Schlüssel wurde abgelehnt.',
  accountBlockedHint: (when) =>
    when === ''
      ? 'Uploads warten, bis der Dienst einen Schlüssel annimmt.'
      : `Uploads warten. Nächster Versuch mit diesem Schlüssel ${when}.`,
  accountBlockedHintEnvironment:
    'Uploads warten. Der Schlüssel stammt aus der Umgebungsvariable SLIPWAY_API_KEY. Ein hier eingegebener Schlüssel gilt, bis Slipway beendet wird. Ändere die Variable, um ihn dauerhaft zu ersetzen.',
  enterKey: 'Neuen Schlüssel eingeben',
  noApiTitle: 'Dein Tarif enthält keinen API-Zugang.',
  noApiHint: 'Uploads warten. Er ist in Pro, Business und Enterprise enthalten.',
  noApiShort: 'Kein API',
  checkAgain: 'Erneut prüfen',
  proxyLoginTitle: (proxy) => `Der Proxy ${proxy} verlangt Benutzername und Passwort.`,
  proxyLoginHint: 'Uploads warten, bis du sie eingibst.',
  proxyLoginDo: 'Anmelden…',
  diskFaults: {
    full: {
      title: 'Das Laufwerk ist voll.',
      hint: (folder) => `Uploads warten, bis in ${folder} Platz für die Daten von Slipway ist.`,
    },
    'read-only': {
      title: 'Slipway kann seine Daten nicht speichern.',
      hint: (folder) => `Uploads warten, bis Slipway in ${folder} schreiben darf.`,
    },
    failing: {
      title: 'Das Laufwerk meldet Fehler.',
      hint: (folder) => `Uploads warten, bis Slipway wieder in ${folder} schreiben kann.`,
    },
    locked: {
      title: 'Ein anderes Programm sperrt die Daten von Slipway.',
      hint: (folder) => `Uploads warten, bis es ${folder} freigibt.`,
    },
  },
  stuckDrops: (name, more, shown) =>
    `Slipway lädt ${name}${more === 0 ? '' : ` und ${shown} weitere`} hoch, sobald es wieder schreiben kann. Prüfe Speicherplatz und Rechte.`,
  nextTry: (when) => (when === '' ? '' : `Nächster Versuch ${when}.`),
  offlineTitle: 'Der Dienst ist nicht erreichbar.',
  offlineHint: (when) =>
    when === ''
      ? 'Slipway versucht es weiter. Nichts geht verloren.'
      : `Nächster Versuch ${when}. Nichts geht verloren.`,
  folderGoneTitle: (name) => `Der Ordner ${name} ist nicht verfügbar.`,
  folderSilentTitle: (name) => `Das Laufwerk des Ordners ${name} reagiert nicht.`,
  folderSilentHint: 'Prüfe Laufwerk und Verbindung. Die Uploads des Ordners warten, bis es wieder reagiert.',
  folderGoneHint:
    'Schließe den Datenträger wieder an oder stelle den Ordner wieder her. Seine Uploads warten so lange.',
  copyOffer: 'Links gespeicherter Dateien kopieren?',
  copyOfferHint: (names) =>
    `Slipway kann den Link jeder Datei kopieren, die du in ${names} speicherst. Das lässt sich in den Einstellungen ändern.`,
  copyOfferDo: 'Links kopieren',
  copyOfferChoose: 'Ordner wählen…',
  copyOfferLater: 'Jetzt nicht',
  secondCopies: (n, shown, names) =>
    n === 1 ? `Zweite Kopie beim Dienst: ${names}.` : `${shown} zweite Kopien beim Dienst: ${names}.`,
  secondCopiesHint: (n) =>
    n === 1
      ? 'Der Upload kam zweimal an. Die Kopie blieb, weil sie einem anderen Gerät oder einer anderen App gehören kann. Dein Link bleibt gültig, wenn du sie löschst.'
      : 'Die Uploads kamen zweimal an. Die Kopien blieben, weil sie einem anderen Gerät oder einer anderen App gehören können. Deine Links bleiben gültig, wenn du sie löschst.',
  secondCopiesDelete: (n) => (n === 1 ? 'Kopie löschen' : 'Kopien löschen'),
  pausedTitle: 'Pausiert.',
  pausedHint: (n, shown) =>
    n === 0
      ? 'Es läuft kein Upload. Neue beginnen, sobald du fortsetzt.'
      : `${n === 1 ? '1 laufender Upload wird' : `${shown} laufende Uploads werden`} noch abgeschlossen. Neue beginnen, sobald du fortsetzt.`,
  closeNotice: 'Meldung schließen',
  showFile: (name) => `${name} zeigen`,
  partNotLoaded: 'Dieser Teil des Fensters konnte nicht geladen werden.',
  partNotLoadedHint: 'Uploads laufen weiter. Hilft das Neuladen nicht, starte Slipway neu.',
  partNotLoadedDo: 'Fenster neu laden',
  deletesIn: (span) => `Wird in ${span} gelöscht`,
  deletesLater: 'Wird gelöscht, sobald der Dienst erreichbar ist',
  deletesBlocked: 'Wird gelöscht, sobald der Dienst Zugang gewährt',
  deletesAt: (clock) => `Löschen geht ${clock} weiter`,
  deletesNow: (n, shown) => (n === 1 ? '1 Datei wird gelöscht' : `${shown} Dateien werden gelöscht`),
  deleteNames: (names, more, shown) =>
    more === 0 ? names.join(', ') : `${names.join(', ')} und ${shown} weitere`,
  keepFiles: (n) => (n === 1 ? 'Datei behalten' : 'Dateien behalten'),
  keepTooLate: (n, shown) =>
    n === 1
      ? '1 Datei kann nicht mehr behalten werden'
      : `${shown} Dateien können nicht mehr behalten werden`,
  keepTooLateHint: 'Die Löschanfrage wurde bereits gesendet.',
  kinds: {
    picture: 'Bild',
    document: 'Dokument',
    video: 'Video',
    audio: 'Audio',
    archive: 'Archiv',
    code: 'Code',
    other: 'Datei',
  },
  direct: 'Abgelegt',
  pasted: 'Eingefügt',
  unknown: 'unbekannt',
  assumedBytesHint: 'In Bytes angenommen: Der Dienst hat seine Einheit noch nicht gezeigt.',
  reasons: rowReasons(reasonWords),
  leftOut,
  failures,
  failuresOf,
  folderRefusals,
  nearLimits,
  noticeTitles,
  noticeHints,
  time: {
    justNow: 'gerade eben',
    ago: (span) => `vor ${span}`,
    units: { second: 's', minute: 'min', hour: 'Std.', day: 'T.' },
    yesterday: 'Gestern',
    yesterdayInside: 'gestern',
    today: 'Heute',
    tomorrowAt: (clock) => `morgen um ${clock}`,
    dayAt: (day, clock) => `am ${day} um ${clock}`,
    todayAt: (clock) => `um ${clock}`,
  },
}
