// Texts of the transfers view in German.
// They have the type of the English original, so that no text is missing.
import type { transfers as original } from '../en/transfers.ts'
import { groupReasons } from '../reasons.ts'
import type { Widen } from '../widen.ts'
import { reasonWords } from './reasons.ts'
import { secretRuleName } from './secret-rules.ts'

const files = (n: number, shown: string): string => `${shown} ${n === 1 ? 'Datei' : 'Dateien'}`

export const transfers: Widen<typeof original> = {
  title: 'Übertragungen',
  search: 'Übertragungen suchen',
  open: (n, shown) => (n === 0 ? 'Keine offenen Übertragungen' : `${shown} offen`),
  left: (span) => `noch etwa ${span}`,
  planSome: (left, limit) => `Noch ${left} von ${limit} ${limit === '1' ? 'Upload' : 'Uploads'} heute.`,
  planNone: (limit) =>
    limit === '1'
      ? 'Der eine Upload für heute ist verbraucht.'
      : `Alle ${limit} Uploads für heute sind verbraucht.`,
  planNow: (n, shown, later, from) =>
    `${files(n, shown)} heute, ${later} ${from === '' ? 'später' : `ab ${from}`}`,
  planLater: (n, shown, from) =>
    `${files(n, shown)} ${n === 1 ? 'wartet' : 'warten'}${from === '' ? '' : `, nächster Versuch ${from}`}`,
  planDone: (n, shown) =>
    n === 1 ? ', fertig innerhalb eines Tages.' : `, fertig innerhalb von ${shown} Tagen.`,
  planMidnight: 'Mitternacht',
  chooseOrder: 'Reihenfolge wählen',
  orderHint: 'Wähle Dateien in der Liste aus und dann „Zuerst hochladen“.',
  orderDone: 'Fertig',
  groups: {
    uploading: 'Wird hochgeladen',
    waiting: 'Wartet',
    paused: 'Pausiert',
    needs: 'Aktion erforderlich',
  },
  groupCount: (shown, more) => (more ? `${shown}+` : shown),
  settling: (n, shown) => (n === 1 ? '1 wird noch geschrieben' : `${shown} werden noch geschrieben`),
  waitingFor: groupReasons(reasonWords),
  list: 'Übertragungen',
  nothingFound: 'Keine Ergebnisse',
  nothingFoundHint: (text) => `Kein Datei- oder Ordnername enthält „${text}“.`,
  inFilesTitle: 'Nicht unter „Übertragungen“',
  inFilesHint: 'Keine Übertragung passt, aber eine Datei unter „Dateien“.',
  showInFiles: 'In Dateien zeigen',
  emptyTitle: 'Keine Übertragungen',
  emptyHint:
    'Dateien, die du hier ablegst oder in einem überwachten Ordner speicherst, erscheinen hier mit ihrem Fortschritt und ihrem Link.',
  progress: (name) => `${name} wird hochgeladen`,
  progressWords: (parts) => parts.join(' · '),
  spanLeft: (span) => `noch ${span}`,
  allSent: 'Gesendet, wartet auf den Link',
  starting: 'Startet',
  ready: 'In der Warteschlange',
  goesNext: 'Als Nächstes',
  goesUpIn: (span) => `Wird in ${span} hochgeladen`,
  uploaded: (clock) => `Hochgeladen ${clock}`,
  found: (clock) => `Bereits hochgeladen, Link gefunden ${clock}`,
  noLink: (clock) => `Hochgeladen ${clock}, Link noch nicht verfügbar`,
  movedTo: (text, folder) => `${text}, jetzt in ${folder}`,
  inBin: (text) => `${text}, jetzt im Papierkorb`,
  ended: {
    deleted: 'Beim Dienst gelöscht',
    gone: 'Nicht mehr beim Dienst',
    deleting: 'Wird gelöscht, bis dahin noch öffentlich',
    kept: 'Nur hier gelöscht, eine andere Datei hat denselben Link',
    replaced: 'Durch eine neuere Version ersetzt',
  },
  endedAgain: {
    deleted: 'Beim Dienst gelöscht. Wird bei einer Änderung erneut hochgeladen.',
    gone: 'Nicht mehr beim Dienst. Wird bei einer Änderung erneut hochgeladen.',
    deleting: 'Wird gelöscht, bis dahin noch öffentlich. Wird bei einer Änderung erneut hochgeladen.',
    kept: 'Nur hier gelöscht, eine andere Datei hat denselben Link. Wird bei einer Änderung erneut hochgeladen.',
  },
  // The engine's details are English, so only what the service itself said is quoted.
  detail: (message) => {
    const said = /The service (?:says|refused|answered \d+): (.+)/s.exec(message)?.[1]
    return said === undefined ? '' : `Antwort des Dienstes: „${said}“`
  },
  leftDetail: (_message, link) => `Veröffentlicht als ${link}. Beim Dienst löschen.`,
  leftOut: 'Nicht hochgeladen',
  leftPublic: 'Vor dem Abbrechen veröffentlicht',
  maybePublic: 'Möglicherweise vor dem Abbrechen veröffentlicht',
  gone: 'Vor dem Hochladen gelöscht',
  needsOther: 'Aktion erforderlich',
  secretRule: secretRuleName,
  evidence: (sentence, evidence) => `${sentence} · ${evidence}`,
  andMore: (n, shown) => (n === 1 ? 'und 1 weitere' : `und ${shown} weitere`),
  foldTitle: files,
  foldClose: 'Einklappen',
  showAll: (n, shown) => (n === 1 ? '1 weitere zeigen' : `${shown} weitere zeigen`),
  showMore: 'Mehr zeigen',
  showFewer: 'Weniger zeigen',
  loading: 'Wird geladen',
  actions: {
    copy: 'Link kopieren',
    open: 'Link öffnen',
    show: 'Im Ordner zeigen',
    'send-first': 'Zuerst hochladen',
    'upload-now': 'Jetzt hochladen',
    pause: 'Upload pausieren',
    resume: 'Upload fortsetzen',
    cancel: 'Upload abbrechen',
    retry: 'Erneut versuchen',
    ignore: 'Nicht hochladen',
    'upload-anyway': 'Trotzdem hochladen…',
    decide: 'Entscheiden…',
    leave: 'Nicht hochladen',
    'try-anyway': 'Trotzdem versuchen…',
    'upload-again': 'Erneut hochladen…',
    look: 'Zu den Dateien',
  },
  review: 'Prüfen',
  moreOn: (name) => `Weitere Aktionen für ${name}`,
  copyAllLinks: 'Alle Links kopieren',
  copyNewest: (n, shown) => (n === 1 ? 'Den neuesten Link kopieren' : `Die neuesten ${shown} Links kopieren`),
  sendFirst: (n, shown) => (n === 1 ? 'Zuerst hochladen' : `${shown} zuerst hochladen`),
  selected: (n, shown) => (n === 1 ? '1 ausgewählt' : `${shown} ausgewählt`),
  clearSelection: 'Auswahl aufheben',
  cancelMany: (n, shown) => (n === 1 ? 'Upload abbrechen' : `${shown} Uploads abbrechen`),
  pauseMany: (n, shown) => (n === 1 ? 'Upload pausieren' : `${shown} Uploads pausieren`),
  resumeMany: (n, shown) => (n === 1 ? 'Upload fortsetzen' : `${shown} Uploads fortsetzen`),
  confirmPauseTitle: (n, shown) => (n === 1 ? 'Diesen Upload pausieren?' : `${shown} Uploads pausieren?`),
  confirmPauseText:
    'Der Dienst kann einen abgebrochenen Upload nicht fortsetzen. Nach der Pause beginnt er von vorn.',
  notFirst: 'Kann nicht an den Anfang der Warteschlange gestellt werden.',
  confirmCancelTitle: (n, shown) => (n === 1 ? 'Diesen Upload abbrechen?' : `${shown} Uploads abbrechen?`),
  confirmCancelSent: (name, sent, size) =>
    `${sent} von ${size} von ${name} sind bereits gesendet. Ein späterer Upload beginnt wieder von vorn.`,
  confirmCancelMany: (n, shown) =>
    `${files(n, shown)} ${n === 1 ? 'wird' : 'werden'} nicht hochgeladen. Die Originale bleiben, wo sie sind.`,
  confirmCancelGo: (n) => (n === 1 ? 'Upload abbrechen' : 'Uploads abbrechen'),
  confirmCancelBack: 'Weiter hochladen',
  cancelTooLate: (n, shown) =>
    n === 1
      ? '1 Upload kann nicht mehr abgebrochen werden'
      : `${shown} Uploads können nicht mehr abgebrochen werden`,
  cancelTooLateHint: (n) =>
    n === 1
      ? 'Die Datei ist bereits hochgeladen und ihr Link öffentlich. Du kannst sie unter „Dateien“ löschen.'
      : 'Die Dateien sind bereits hochgeladen und ihre Links öffentlich. Du kannst sie unter „Dateien“ löschen.',
  nothingToCancel: 'Nichts abzubrechen',
  nothingToCancelHint: 'Die ausgewählten Übertragungen sind bereits beendet.',
  confirmLeaveTitle: (n, shown) => `${files(n, shown)} nicht hochladen?`,
  confirmLeaveText: (n) =>
    n === 1 ? 'Das Original bleibt, wo es ist.' : 'Die Originale bleiben, wo sie sind.',
  confirmMayBePublic: (n, shown) =>
    n === 1
      ? '1 Datei ist vielleicht schon hochgeladen und ihr Link öffentlich. Liegt sie beim Dienst, kannst du sie unter „Dateien“ löschen.'
      : `${files(n, shown)} sind vielleicht schon hochgeladen und ihre Links öffentlich. Liegen sie beim Dienst, kannst du sie unter „Dateien“ löschen.`,
  saidDone: (_n, shown) => `${shown} fertig`,
  saidNeeds: (n, shown) => (n === 1 ? '1: Aktion erforderlich' : `${shown}: Aktion erforderlich`),
  saidWaiting: (_n, shown) => `${shown} neu`,
  sum: {
    seen: (_n, shown) => `Überwachte Ordner: ${shown} gefunden`,
    uploaded: (_n, shown) => `${shown} hochgeladen`,
    waiting: (n, shown) => `${shown} ${n === 1 ? 'wartet' : 'warten'}`,
    held: (_n, shown) => `${shown} zurückgehalten`,
    failed: (_n, shown) => `${shown} fehlgeschlagen`,
    ignored: (_n, shown) => `${shown} ignoriert`,
  },
}
