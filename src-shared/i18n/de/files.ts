// Wörter der Ansicht `files`.
// German; bound to the English original by its type.
import type { WaitReason } from '../../model.ts'
import type { files as original } from '../en/files.ts'
import type { Widen } from '../widen.ts'

/** Reasons whose sentence begins with "Wartet", as they continue "19 warten …". */
const waitingFor: Partial<Readonly<Record<WaitReason, string>>> = {
  backoff: 'nach einem Fehler',
  account: 'auf einen gültigen API-Schlüssel',
  'not-watched': 'bis ihr Ordner wieder überwacht wird',
}

export const files: Widen<typeof original> = {
  title: 'Dateien',
  detail: (count, bytes) => (bytes === '' ? count : `${count} · ${bytes}`),
  found: (n, shown) => (n === 1 ? '1 Datei passt' : `${shown} Dateien passen`),
  searchHint: 'Namen, Ordner, Links suchen',
  filters: 'Filter',
  filter: {
    all: 'Alle',
    picture: 'Bilder',
    document: 'Dokumente',
    video: 'Videos',
    audio: 'Ton',
    archive: 'Archive',
    code: 'Code',
    week: 'Diese Woche',
    unopened: 'Nie geöffnet',
  },
  columns: { name: 'Name', size: 'Größe', date: 'Hochgeladen', downloads: 'Downloads', link: 'Link' },
  sortedUp: 'aufsteigend sortiert',
  sortedDown: 'absteigend sortiert',
  list: 'Dateien beim Dienst',
  deletingRow: 'Wird gelöscht',
  loadingRow: 'Wird geladen',
  strip: 'Uploads unterwegs',
  uploading: (n, shown) => (n === 1 ? '1 unterwegs' : `${shown} unterwegs`),
  waits: (shown, reason, when, sentence) => {
    const cause = waitingFor[reason]
    if (cause === undefined) return `${shown} warten · ${sentence}`
    return `${shown} warten ${cause}${when === '' ? '' : `, nächster Versuch ${when}`}`
  },
  doneAbout: (time) => `fertig etwa ${time}`,
  sentOf: (sent, size) => `${sent} von ${size}`,
  moreLive: (n, shown) => (n === 1 ? 'und 1 weitere' : `und ${shown} weitere`),
  pasted: 'Eingefügt',
  elsewhere: 'Anderes Gerät',
  originalGone: 'Original fort, Link lebt',
  emptyTitle: 'Hier werden deine Links stehen',
  emptyHint:
    'Eine Datei irgendwo auf dieses Fenster ziehen oder in einen beobachteten Ordner speichern. Der Link ist da, sobald sie oben ist.',
  emptyAction: 'Dateien hochladen',
  nothingTitle: 'Nichts passt',
  nothingHint: 'Kein Name, Ordner oder Link enthält das. Weniger Buchstaben oder einen anderen Filter versuchen.',
  showAll: 'Alle Dateien zeigen',
  asOf: (ago) => `Stand ${ago}`,
  loadFailed: 'Die Liste ließ sich nicht lesen.',
  selected: (n, shown) => (n === 1 ? '1 Datei gewählt' : `${shown} Dateien gewählt`),
  inspector: 'Einzelheiten',
  closeInspector: 'Einzelheiten schließen',
  uploadedAgo: (bytes, ago) => (bytes === '' ? `hochgeladen ${ago}` : `${bytes} · hochgeladen ${ago}`),
  linkLabel: 'Öffentlicher Link',
  linkFormat: 'Form des Links',
  noLink: 'Der Dienst hat den Link noch nicht genannt.',
  downloads: 'Downloads',
  downloadsIn: (_n, shown) => `${shown} in 7 Tagen`,
  downloadsTotal: (n, shown) => (n === 1 ? '1 Download' : `${shown} Downloads`),
  downloadsUnknown: 'Der Dienst sagt es nicht',
  downloadsPlot: (words) => `Downloads der letzten 7 Tage: ${words}`,
  from: 'Herkunft',
  original: 'Original',
  originalSame: 'noch da, unverändert',
  originalChanged: 'seither geändert',
  originalGoneShort: 'verschoben oder gelöscht',
  fileId: 'Datei-ID',
  uploaded: 'Hochgeladen',
  type: 'Art',
  size: 'Größe',
  fingerprint: 'SHA-256',
  stale: 'Letzter bekannter Stand; der Dienst war nicht zu fragen.',
  actions: 'Aktionen',
  askAgain: 'Den Dienst noch einmal fragen',
  totalSize: (bytes) => `${bytes} zusammen`,
  deleteSome: (n, shown) => (n === 1 ? 'Löschen' : `${shown} Dateien löschen`),
  qrHint: 'Eine Kamera darauf halten, um den Link zu öffnen.',
  selectionCleared: 'Die Liste hat sich geändert, darum ist nichts mehr gewählt.',
}
