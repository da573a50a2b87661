// The German sentences about why a file waits, is held or failed. `counted` continues "19 warten". Every
// reason whose `what` starts with "Wartet" needs it.
import type { ReasonWords } from '../reasons.ts'
import type { Texts } from '../texts.ts'

export const reasonWords: ReasonWords = {
  waiting: {
    'rate-minute': { what: 'Anfragelimit erreicht', next: 'weiter' },
    'rate-day': { what: 'Tageslimit für Anfragen erreicht', next: 'weiter' },
    'server-pause': { what: 'Der Dienst bittet um eine Pause', next: 'weiter' },
    'daily-uploads': { what: 'Tageslimit für Uploads erreicht', next: 'nächster Versuch' },
    limit: { what: 'Der Dienst hat den Upload abgelehnt', next: 'nächster Versuch' },
    'storage-full': { what: 'Der Speicher deines Tarifs ist voll', next: 'nächster Versuch' },
    backoff: { what: 'Wartet nach einem Fehler', counted: 'nach einem Fehler', next: 'nächster Versuch' },
    offline: { what: 'Keine Verbindung', next: 'nächster Versuch' },
    account: { what: 'Wartet auf API-Zugang', counted: 'auf API-Zugang', next: null },
    paused: { what: 'Pausiert', next: null },
    settling: { what: 'Wird noch geschrieben', many: 'Dateien werden noch geschrieben', next: null },
    changing: { what: 'Ändert sich zu oft', many: 'Dateien ändern sich zu oft', next: 'nächster Upload' },
    grace: {
      what: 'Kann noch abgebrochen werden',
      many: 'Neue Dateien können noch abgebrochen werden',
      next: 'Start',
    },
    'folder-away': {
      what: 'Der Ordner ist nicht verfügbar',
      many: 'Ein Ordner ist nicht verfügbar',
      next: 'nächste Prüfung',
    },
    'drive-silent': {
      what: 'Das Laufwerk reagiert nicht',
      many: 'Ein Laufwerk reagiert nicht',
      next: 'nächste Prüfung',
    },
    'not-watched': {
      what: 'Wartet, bis der Ordner wieder überwacht wird',
      many: 'Wartet, bis ein Ordner wieder überwacht wird',
      counted: 'bis ihr Ordner wieder überwacht wird',
      next: null,
    },
    'folder-paused': { what: 'Der Ordner pausiert', many: 'Ein Ordner pausiert', next: null },
    checking: {
      what: 'Prüft, ob der Upload angekommen ist',
      many: 'Prüft, welche Uploads angekommen sind',
      next: 'nächste Prüfung',
    },
    comparing: { what: 'Vergleich mit Dateien beim Dienst', next: 'nächste Prüfung' },
    'earlier-upload': {
      what: 'Wartet auf das Ergebnis eines früheren Uploads',
      counted: 'auf das Ergebnis eines früheren Uploads',
      next: 'nächste Prüfung',
    },
    'answers-lost': { what: 'Der Dienst bestätigt keine Uploads', next: 'nächster Versuch' },
    foreign: { what: 'Unerwartete Antworten von der Adresse des Dienstes', next: 'nächste Prüfung' },
    unavailable: { what: 'Der Dienst ist nicht verfügbar', next: 'nächster Versuch' },
    redirected: {
      what: 'Der Dienst antwortet mit einer Weiterleitung, der Slipway nicht folgen kann',
      next: 'nächster Versuch',
    },
    'uploads-refused': { what: 'Der Dienst lehnt jeden Upload ab', next: 'nächster Versuch' },
    disk: { what: 'Schreiben auf den Datenträger nicht möglich', next: null },
    policy: { what: 'Die Richtlinie deiner Organisation lässt sich nicht verwenden', next: null },
  },
  held: {
    secret: 'vermutlich Zugangsdaten',
    unsearched: 'konnte nicht innerhalb von 2 s auf Zugangsdaten durchsucht werden',
    'too-big': 'überschreitet die maximale Dateigröße',
    ambiguous: 'ist vielleicht schon hochgeladen',
    unconfirmed: 'wurde vom Dienst nie bestätigt',
    emptied: 'ist leer, die bisherige Version nicht',
    changed: 'hat sich seit dem Upload geändert',
  },
  failed: {
    unreadable: { clause: 'die Datei konnte nicht gelesen werden', predicate: 'konnte nicht gelesen werden' },
    'bad-request': {
      clause: 'der Dienst hat den Upload nicht verstanden',
      predicate: 'der Dienst hat den Upload nicht verstanden',
    },
    refused: { clause: 'der Dienst hat die Datei abgelehnt', predicate: 'der Dienst hat sie abgelehnt' },
    'keeps-changing': {
      clause: 'die Datei änderte sich beim Lesen ständig',
      predicate: 'änderte sich beim Lesen ständig',
    },
    'not-a-file': { clause: 'das ist keine Datei', predicate: 'ist keine Datei' },
    missing: { clause: 'die Datei existiert nicht', predicate: 'existiert nicht' },
  },
  heldFor: (predicate) => `Zurückgehalten: ${predicate}`,
  countWaiting: (n, shown) => `${shown} ${n === 1 ? 'wartet' : 'warten'}`,
}

export const leftOut: Texts['leftOut'] = {
  rule: (rule) => `Ignoriert durch die Regel ${rule}`,
  group: (files, rule) => `Ignoriert: ${files} (${rule})`,
  larger: (size) => `Ignoriert: größer als ${size}`,
  reasons: {
    'was here before': 'War schon im Ordner, bevor er überwacht wurde',
    'was in a folder that is no longer watched': 'War in einem Ordner, der nicht mehr überwacht wird',
    'watched as a separate folder': 'Wird als eigener Ordner überwacht',
    'not of a chosen type': 'Ignoriert: keiner der gewählten Typen',
    "Slipway's own data": 'Slipways eigene Daten werden nie hochgeladen',
    'forbidden by your organization': 'Deine Organisation erlaubt keine Uploads aus diesem Ordner',
    'change-ignored': 'Seit dem Upload geändert, Änderungen werden ignoriert',
    cancelled: 'Upload abgebrochen',
    'maybe-published': 'Abgebrochen, vielleicht vorher veröffentlicht',
  },
}
