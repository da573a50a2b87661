// Texts of the transfers view.
// The English original, whose type all other languages must match.
import { groupReasons } from '../reasons.ts'
import { reasonWords } from './reasons.ts'

const files = (n: number, shown: string): string => `${shown} ${n === 1 ? 'file' : 'files'}`

export const transfers = {
  title: 'Transfers',
  search: 'Search transfers',
  open: (n: number, shown: string) => (n === 0 ? 'No open transfers' : `${shown} open`),
  left: (span: string) => `about ${span} left`,
  planSome: (left: string, limit: string) =>
    `${left} of ${limit} daily ${limit === '1' ? 'upload' : 'uploads'} left.`,
  planNone: (limit: string) =>
    limit === '1' ? 'Your 1 daily upload is used.' : `All ${limit} daily uploads used.`,
  planNow: (n: number, shown: string, later: string, from: string) =>
    `${files(n, shown)} today, ${later} ${from === '' ? 'later' : `from ${from}`}`,
  planLater: (n: number, shown: string, from: string) =>
    `${files(n, shown)} waiting${from === '' ? '' : `, next try ${from}`}`,
  planDone: (n: number, shown: string) => (n === 1 ? ', done within a day.' : `, done within ${shown} days.`),
  planMidnight: 'midnight',
  chooseOrder: 'Choose order',
  orderHint: 'Select files in the list, then choose “Upload first”.',
  orderDone: 'Done',
  groups: {
    uploading: 'Uploading',
    waiting: 'Waiting',
    paused: 'Paused',
    needs: 'Needs attention',
  },
  groupCount: (shown: string, more: boolean) => (more ? `${shown}+` : shown),
  settling: (n: number, shown: string) =>
    n === 1 ? '1 still being written' : `${shown} still being written`,
  /** Follows the heading "Waiting" and its count. */
  waitingFor: groupReasons(reasonWords),
  list: 'Transfers',
  nothingFound: 'No results',
  nothingFoundHint: (text: string) => `No file or folder name contains “${text}”.`,
  inFilesTitle: 'Not in Transfers',
  inFilesHint: 'No transfer matches, but a file in Files does.',
  showInFiles: 'Show in Files',
  emptyTitle: 'No transfers',
  emptyHint:
    'Files you drop here, or save in a watched folder, appear here with their progress and their link.',
  progress: (name: string) => `Uploading ${name}`,
  progressWords: (parts: readonly string[]) => parts.join(' · '),
  spanLeft: (span: string) => `${span} left`,
  allSent: 'Sent, waiting for the link',
  starting: 'Starting',
  ready: 'Queued',
  goesNext: 'Up next',
  goesUpIn: (span: string) => `Goes up in ${span}`,
  uploaded: (clock: string) => `Uploaded ${clock}`,
  found: (clock: string) => `Already uploaded, link found ${clock}`,
  noLink: (clock: string) => `Uploaded ${clock}, link not available yet`,
  /** `text` is one of the three above, `folder` the name of the folder where the file is now. */
  movedTo: (text: string, folder: string) => `${text}, now in ${folder}`,
  inBin: (text: string) => `${text}, now in the bin`,
  ended: {
    deleted: 'Deleted from the service',
    gone: 'No longer on the service',
    deleting: 'Being deleted, still public until then',
    kept: 'Deleted here only, another file has the same link',
    replaced: 'Replaced by a newer version',
  },
  /** For files in a watched folder whose changes are uploaded. */
  endedAgain: {
    deleted: 'Deleted from the service. Uploaded again if it changes.',
    gone: 'No longer on the service. Uploaded again if it changes.',
    deleting: 'Being deleted, still public until then. Uploaded again if it changes.',
    kept: 'Deleted here only, another file has the same link. Uploaded again if it changes.',
  },
  /** Details beyond the row's reason, from the engine's message; may be empty. */
  detail: (message: string) => message,
  /** Like `detail`, for a message that names the link of a file that only the user can delete. */
  leftDetail: (message: string, _link: string) => message,
  leftOut: 'Not uploaded',
  leftPublic: 'Published before it was cancelled',
  maybePublic: 'May have been published before it was cancelled',
  gone: 'Deleted before it was uploaded',
  needsOther: 'Needs attention',
  secretRule: (rule: string) => rule,
  evidence: (sentence: string, evidence: string) => `${sentence} · ${evidence}`,
  andMore: (n: number, shown: string) => (n === 1 ? 'and 1 more' : `and ${shown} more`),
  foldTitle: files,
  foldClose: 'Collapse',
  showAll: (n: number, shown: string) => (n === 1 ? 'Show 1 more' : `Show ${shown} more`),
  showMore: 'Show more',
  showFewer: 'Show fewer',
  loading: 'Loading',
  actions: {
    copy: 'Copy link',
    open: 'Open link',
    show: 'Show in folder',
    'send-first': 'Upload first',
    'upload-now': 'Upload now',
    pause: 'Pause upload',
    resume: 'Resume upload',
    cancel: 'Cancel upload',
    retry: 'Try again',
    ignore: 'Don’t upload',
    'upload-anyway': 'Upload anyway…',
    decide: 'Decide…',
    leave: 'Don’t upload',
    'try-anyway': 'Try anyway…',
    'upload-again': 'Upload again…',
    look: 'Go to Files',
  },
  review: 'Review',
  moreOn: (name: string) => `More actions for ${name}`,
  copyAllLinks: 'Copy all links',
  copyNewest: (n: number, shown: string) =>
    n === 1 ? 'Copy the newest link' : `Copy the newest ${shown} links`,
  sendFirst: (n: number, shown: string) => (n === 1 ? 'Upload first' : `Upload ${shown} first`),
  selected: (n: number, shown: string) => (n === 1 ? '1 selected' : `${shown} selected`),
  clearSelection: 'Clear selection',
  cancelMany: (n: number, shown: string) => (n === 1 ? 'Cancel upload' : `Cancel ${shown} uploads`),
  pauseMany: (n: number, shown: string) => (n === 1 ? 'Pause upload' : `Pause ${shown} uploads`),
  resumeMany: (n: number, shown: string) => (n === 1 ? 'Resume upload' : `Resume ${shown} uploads`),
  confirmPauseTitle: (n: number, shown: string) =>
    n === 1 ? 'Pause this upload?' : `Pause ${shown} uploads?`,
  confirmPauseText:
    'The service can’t continue an upload that was stopped. After you resume, it starts over.',
  notFirst: 'Couldn’t move it to the front of the queue.',
  confirmCancelTitle: (n: number, shown: string) =>
    n === 1 ? 'Cancel this upload?' : `Cancel ${shown} uploads?`,
  confirmCancelSent: (name: string, sent: string, size: string) =>
    `${sent} of ${size} of ${name} is already sent. To upload it later, you would have to start over.`,
  confirmCancelMany: (n: number, shown: string) =>
    `${files(n, shown)} won’t be uploaded. The originals stay where they are.`,
  confirmCancelGo: (n: number): string => (n === 1 ? 'Cancel upload' : 'Cancel uploads'),
  confirmCancelBack: 'Keep uploading',
  cancelTooLate: (n: number, shown: string) =>
    n === 1 ? 'Too late to cancel 1 upload' : `Too late to cancel ${shown} uploads`,
  cancelTooLateHint: (n: number): string =>
    n === 1
      ? 'The file is already uploaded and its link is public. You can delete it in Files.'
      : 'The files are already uploaded and their links are public. You can delete them in Files.',
  nothingToCancel: 'Nothing to cancel',
  nothingToCancelHint: 'The selected transfers have already ended.',
  confirmLeaveTitle: (n: number, shown: string) => `Don’t upload ${files(n, shown)}?`,
  confirmLeaveText: (n: number): string =>
    n === 1 ? 'The original stays where it is.' : 'The originals stay where they are.',
  confirmMayBePublic: (n: number, shown: string): string =>
    n === 1
      ? '1 file may already be uploaded and its link public. If it’s on the service, you can delete it in Files.'
      : `${files(n, shown)} may already be uploaded and their links public. If they’re on the service, you can delete them in Files.`,
  saidDone: (_n: number, shown: string) => `${shown} done`,
  saidNeeds: (n: number, shown: string) => (n === 1 ? '1 needs attention' : `${shown} need attention`),
  saidWaiting: (_n: number, shown: string) => `${shown} new`,
  sum: {
    seen: (_n: number, shown: string) => `Watched folders: ${shown} found`,
    uploaded: (_n: number, shown: string) => `${shown} uploaded`,
    waiting: (_n: number, shown: string) => `${shown} waiting`,
    held: (_n: number, shown: string) => `${shown} held`,
    failed: (_n: number, shown: string) => `${shown} failed`,
    ignored: (_n: number, shown: string) => `${shown} ignored`,
  },
}
