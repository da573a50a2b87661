// Words of the view `transfers`. German; bound to the English original by its type.
// It holds words only; which of them is said is decided in the view.
import type { transfers as original } from '../en/transfers.ts'
import type { Widen } from '../widen.ts'
import { secretRuleName } from './secret-rules.ts'

const files = (n: number, shown: string): string => `${shown} ${n === 1 ? 'Datei' : 'Dateien'}`
const days = (n: number, shown: string): string => (n === 1 ? 'einem Tag' : `${shown} Tagen`)

export const transfers: Widen<typeof original> = {
  title: 'Übertragungen',
  search: 'Übertragungen suchen',
  open: (n, shown) => (n === 0 ? 'Nichts offen' : `${shown} offen`),
  left: (span) => `noch etwa ${span}`,
  planSome: (left, limit) => `Uploads am Tag: ${left} von ${limit} sind heute noch frei.`,
  planNone: (limit) => `Uploads am Tag: alle ${limit} von heute sind verbraucht.`,
  planNow: (n, shown, later, from) =>
    `${files(n, shown)} ${n === 1 ? 'geht' : 'gehen'} jetzt, ${later} ${from === '' ? 'später' : `ab ${from}`}`,
  planLater: (n, shown, from) => `${files(n, shown)} ${n === 1 ? 'wartet' : 'warten'}${from === '' ? '' : `, die nächste geht ${from}`}`,
  planDone: (n, shown) => `, alles ist in ${days(n, shown)} fertig.`,
  planMidnight: 'Mitternacht',
  groups: { uploading: 'Unterwegs', waiting: 'Wartet', needs: 'Braucht dich', today: 'Heute fertig', history: 'Früher' },
  groupCount: (shown, more) => (more ? `${shown}+` : shown),
  settling: (n, shown) => (n === 1 ? '1 wird noch geschrieben' : `${shown} werden noch geschrieben`),
  list: 'Übertragungen',
  nothingFound: 'Nichts passt',
  nothingFoundHint: (text) => `Keine Übertragung hat „${text}“ im Namen oder im Ordner.`,
  emptyTitle: 'Nichts unterwegs',
  emptyHint:
    'Was hier abgelegt oder in einem beobachteten Ordner gespeichert wird, steht hier mit Fortschritt, Grund zum Warten und seinem Link.',
  progress: (name) => `Upload von ${name}`,
  progressWords: (parts) => parts.join(' · '),
  spanLeft: (span) => `noch ${span}`,
  allSent: 'Alles gesendet, wartet auf den Link',
  starting: 'Beginnt',
  ready: 'Bereit, wartet auf ihren Platz',
  goesNext: 'Ist als Nächste dran',
  uploaded: (clock) => `Hochgeladen ${clock}`,
  found: (clock) => `War schon oben, Link gefunden ${clock}`,
  noLink: (clock) => `Hochgeladen ${clock}, der Link ist noch nicht bekannt`,
  ended: {
    deleted: 'Auf dem Dienst gelöscht. Sie wird wieder hochgeladen, wenn sie sich ändert.',
    gone: 'Nicht mehr auf dem Dienst. Sie wird wieder hochgeladen, wenn sie sich ändert.',
    replaced: 'Durch eine neuere Version ersetzt',
  },
  // The engine's details are English; what the service said itself is quoted as it came.
  detail: (message) => {
    const said = message.split('The service says: ')[1]
    return said === undefined ? '' : `Der Dienst sagt: „${said}“`
  },
  leftOut: 'Hier gelassen, nicht hochgeladen',
  gone: 'Vor dem Hochladen gelöscht',
  needsOther: 'Braucht einen Blick',
  secretRule: secretRuleName,
  evidence: (sentence, evidence) => `${sentence} · ${evidence}`,
  andMore: (n, shown) => (n === 1 ? 'und 1 weitere' : `und ${shown} weitere`),
  foldTitle: files,
  foldOpen: 'Einzeln zeigen',
  foldClose: 'Zusammenfassen',
  showAll: (n, shown) => (n === 1 ? '1 weitere zeigen' : `${shown} weitere zeigen`),
  showMore: 'Mehr zeigen',
  showFewer: 'Weniger zeigen',
  loading: 'Wird gelesen',
  actions: {
    copy: 'Link kopieren',
    open: 'Link öffnen',
    show: 'Im Ordner zeigen',
    'send-first': 'Zuerst senden',
    cancel: 'Abbrechen',
    retry: 'Noch einmal',
    ignore: 'Übergehen',
    'upload-anyway': 'Trotzdem hochladen…',
    leave: 'Hier lassen',
    'try-anyway': 'Trotzdem versuchen',
    'upload-again': 'Erneut hochladen',
    look: 'In Dateien nachsehen',
  },
  review: 'Prüfen',
  actionOn: (action, name) => `${action}: ${name}`,
  moreOn: (name) => `Mehr zu ${name}`,
  copyAllLinks: 'Alle Links kopieren',
  copyNewest: (shown) => `Die neuesten ${shown} Links kopieren`,
  sendFirst: (n, shown) => (n === 1 ? 'Zuerst senden' : `${shown} zuerst senden`),
  selected: (n, shown) => (n === 1 ? '1 ausgewählt' : `${shown} ausgewählt`),
  clearSelection: 'Auswahl aufheben',
  cancelMany: (n, shown) => (n === 1 ? 'Abbrechen' : `${shown} abbrechen`),
  notFirst: 'Sie geht, sobald ihre eigene Zeit gekommen ist.',
  confirmCancelTitle: (n, shown) => (n === 1 ? 'Diesen Upload abbrechen' : `${shown} Übertragungen abbrechen`),
  confirmCancelSent: (name, sent, size) => `${sent} von ${size} von ${name} sind gesendet. Sie müssten noch einmal gesendet werden.`,
  confirmCancelMany: (n, shown) =>
    `${files(n, shown)} ${n === 1 ? 'wird' : 'werden'} nicht hochgeladen. Auf diesem Rechner bleibt alles, wo es ist.`,
  confirmCancelGo: 'Abbrechen',
  confirmCancelBack: 'Weiter hochladen',
  saidDone: (_n, shown) => `${shown} fertig`,
  saidNeeds: (n, shown) => (n === 1 ? '1 braucht dich' : `${shown} brauchen dich`),
  saidWaiting: (_n, shown) => `${shown} neu`,
  sum: {
    seen: (shown) => `${shown} gesehen`,
    uploaded: (shown) => `${shown} hochgeladen`,
    waiting: (shown) => `${shown} warten`,
    held: (shown) => `${shown} zurückgehalten`,
    failed: (shown) => `${shown} gescheitert`,
    ignored: (shown) => `${shown} durch Regeln ausgelassen`,
  },
}
