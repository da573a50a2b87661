// Texts of the files view in German.
// They have the type of the English original, so that no text is missing.
import type { files as original } from '../en/files.ts'
import { countedReason } from '../reasons.ts'
import type { Widen } from '../widen.ts'
import { reasonWords } from './reasons.ts'

export const files: Widen<typeof original> = {
  title: 'Dateien',
  detail: (count, bytes) => (bytes === '' ? count : `${count} · ${bytes}`),
  found: (n, shown) => (n === 1 ? '1 Treffer' : `${shown} Treffer`),
  reading: (n, read, total) => {
    const ofFiles = n === 1 ? 'Datei' : 'Dateien'
    return total === '' ? `bisher ${read} ${ofFiles} gelesen` : `${read} von ${total} ${ofFiles} gelesen`
  },
  searchHint: 'Name, Ordner oder Link',
  clearFolder: (name) => `Nur Dateien aus ${name}. Alle Dateien zeigen`,
  filters: 'Filter',
  filter: {
    all: 'Alle',
    picture: 'Bilder',
    document: 'Dokumente',
    video: 'Videos',
    audio: 'Audio',
    archive: 'Archive',
    code: 'Code',
    unopened: 'Ohne Downloads',
  },
  date: 'Hochgeladen am',
  dates: {
    any: 'Beliebige Zeit',
    today: 'Heute',
    week: 'Letzte 7 Tage',
    month: 'Letzte 30 Tage',
    range: 'Zeitraum',
  },
  dateEnds: { from: 'Von', to: 'Bis' },
  columns: { name: 'Name', size: 'Größe', date: 'Hochgeladen', downloads: 'Downloads', link: 'Link' },
  list: 'Dateien beim Dienst',
  newAbove: (_n, shown) => `${shown} neu`,
  deletingRow: 'Wird gelöscht',
  loadingRow: 'Wird geladen',
  strip: 'Aktuelle Uploads',
  uploading: (n, shown) => (n === 1 ? '1 wird hochgeladen' : `${shown} werden hochgeladen`),
  goUp: (n, shown, span) =>
    n === 1
      ? `1 neue Datei wird in ${span} hochgeladen`
      : `${shown} neue Dateien, die nächste wird in ${span} hochgeladen`,
  waits: (n, shown, reason, when) => countedReason(reasonWords, { n, shown }, reason, when),
  doneAbout: (time) => `fertig gegen ${time}`,
  sentOf: (sent, size) => `${sent} von ${size}`,
  moreLive: (n, shown) => (n === 1 ? 'und 1 weitere' : `und ${shown} weitere`),
  elsewhere: 'Anderes Gerät',
  originalGone: 'Original fehlt, Link bleibt',
  emptyTitle: 'Hier erscheinen deine Links',
  emptyHint:
    'Ziehe eine Datei in dieses Fenster oder speichere sie in einem überwachten Ordner. Der Link ist da, sobald sie hochgeladen ist.',
  nothingTitle: 'Keine Ergebnisse',
  nothingHint:
    'Kein Name, Ordner oder Link passt. Versuche einen kürzeren Suchbegriff oder einen anderen Filter.',
  folderTitle: (name) => `Noch keine Dateien aus ${name}`,
  folderHint:
    'Sie erscheinen hier, sobald sie hochgeladen sind. „Übertragungen“ zeigt, was wartet oder zurückgehalten wird.',
  showAll: 'Alle Dateien zeigen',
  notReadTitle: 'Noch nicht gefunden',
  notReadHint: (read) => `Die Liste ist nicht vollständig: ${read}. Was noch fehlt, könnte passen.`,
  notUploadedTitle: 'Noch nicht hochgeladen',
  notUploadedHint: 'Keine hochgeladene Datei passt, aber eine unter „Übertragungen“.',
  openMatches: (n, shown) =>
    n === 1 ? '1 Treffer unter „Übertragungen“' : `${shown} Treffer unter „Übertragungen“`,
  showOpen: 'In Übertragungen zeigen',
  asOf: (ago) => `Stand ${ago}`,
  loadFailed: 'Die Liste konnte nicht geladen werden.',
  selected: (n, shown) => (n === 1 ? '1 Datei ausgewählt' : `${shown} Dateien ausgewählt`),
  inspector: 'Details',
  closeInspector: 'Details schließen',
  uploadedAgo: (bytes, ago) => (bytes === '' ? `hochgeladen ${ago}` : `${bytes} · hochgeladen ${ago}`),
  linkLabel: 'Öffentlicher Link',
  linkFormat: 'Linkformat',
  noLink: 'Link noch nicht verfügbar.',
  downloads: 'Downloads',
  downloadsIn: (_n, shown) => `${shown} in 7 Tagen`,
  downloadsTotal: (n, shown) => (n === 1 ? '1 Download' : `${shown} Downloads`),
  downloadsUnknown: 'Noch nicht bekannt',
  downloadsPlot: (words) => `Downloads der letzten 7 Tage: ${words}`,
  from: 'Herkunft',
  original: 'Original',
  originalSame: 'unverändert',
  originalChanged: 'seit dem Upload geändert',
  originalGoneShort: 'verschoben oder gelöscht',
  originalMoved: (path) => `verschoben nach ${path}`,
  originalInBin: 'im Papierkorb',
  fileId: 'Datei-ID',
  uploaded: 'Hochgeladen',
  type: 'Art',
  size: 'Größe',
  fingerprint: 'SHA-256',
  stale: 'Aktualisieren nicht möglich. Gespeicherte Daten werden angezeigt.',
  actions: 'Aktionen',
  askAgain: 'Details aktualisieren',
  totalSize: (bytes) => `${bytes} insgesamt`,
  openOne: 'Wähle eine einzelne Datei aus, um ihren Link zu öffnen.',
  deleteSome: (n, shown) => (n === 1 ? 'Löschen' : `${shown} Dateien löschen`),
  qrHint: 'Scanne den Code mit einer Kamera, um den Link zu öffnen.',
  qrCopy: 'Bild kopieren',
  qrSave: 'Als PNG speichern…',
}
