// Words of the view `files`.
// The English original; its type binds the others.
import type { WaitReason } from '../../model.ts'

/** Reasons whose sentence begins with "Waiting", as they continue "19 waiting …", and what happens at their time. */
const waitingFor: Partial<Readonly<Record<WaitReason, readonly [words: string, next: string]>>> = {
  'rate-minute': ['for the rate limit', 'resumes'],
  backoff: ['after an error', 'next try'],
  account: ['for a valid API key', 'resumes'],
  'not-watched': ['until their folder is watched again', 'resumes'],
}

export const files = {
  title: 'Files',
  detail: (count: string, bytes: string) => (bytes === '' ? count : `${count} · ${bytes}`),
  found: (n: number, shown: string) => (n === 1 ? '1 file fits' : `${shown} files fit`),
  searchHint: 'Search names, folders, links',
  filters: 'Filters',
  filter: {
    all: 'All',
    picture: 'Pictures',
    document: 'Documents',
    video: 'Video',
    audio: 'Audio',
    archive: 'Archives',
    code: 'Code',
    week: 'This week',
    unopened: 'Never opened',
  },
  columns: { name: 'Name', size: 'Size', date: 'Uploaded', downloads: 'Downloads', link: 'Link' },
  sortedUp: 'sorted upwards',
  sortedDown: 'sorted downwards',
  list: 'Remote files',
  deletingRow: 'Being deleted',
  loadingRow: 'Loading',
  strip: 'Uploads on their way',
  uploading: (n: number, shown: string) => (n === 1 ? '1 uploading' : `${shown} uploading`),
  /** `19 waiting for the rate limit, resumes at 14:03:20`. `sentence` is the reason's own one, which may say "waiting" itself. */
  waits: (shown: string, reason: WaitReason, when: string, sentence: string) => {
    const cause = waitingFor[reason]
    if (cause === undefined) return `${shown} waiting · ${sentence}`
    const [words, next] = cause
    return `${shown} waiting ${words}${when === '' ? '' : `, ${next} ${when}`}`
  },
  doneAbout: (time: string) => `done about ${time}`,
  sentOf: (sent: string, size: string) => `${sent} of ${size}`,
  moreLive: (n: number, shown: string) => (n === 1 ? 'and 1 more' : `and ${shown} more`),
  pasted: 'Pasted',
  elsewhere: 'Other device',
  originalGone: 'original gone, link alive',
  emptyTitle: 'Your links will be here',
  emptyHint: 'Drop a file anywhere on this window, or save one into a watched folder. Its link is ready as soon as it is up.',
  emptyAction: 'Upload files',
  nothingTitle: 'Nothing fits',
  nothingHint: 'No name, folder or link holds this. Try fewer letters or another filter.',
  showAll: 'Show all files',
  asOf: (ago: string) => `as of ${ago}`,
  loadFailed: 'The list could not be read.',
  selected: (n: number, shown: string) => (n === 1 ? '1 file selected' : `${shown} files selected`),
  inspector: 'Details',
  closeInspector: 'Close details',
  uploadedAgo: (bytes: string, ago: string) => (bytes === '' ? `uploaded ${ago}` : `${bytes} · uploaded ${ago}`),
  linkLabel: 'Public link',
  linkFormat: 'Format of the link',
  noLink: 'The service has not told its link yet.',
  downloads: 'Downloads',
  downloadsIn: (_n: number, shown: string) => `${shown} in 7 days`,
  downloadsTotal: (n: number, shown: string) => (n === 1 ? '1 download' : `${shown} downloads`),
  downloadsUnknown: 'The service does not tell',
  downloadsPlot: (words: string) => `Downloads of the last 7 days: ${words}`,
  from: 'From',
  original: 'Original',
  originalSame: 'still there, unchanged',
  originalChanged: 'changed since',
  originalGoneShort: 'moved or deleted',
  fileId: 'File ID',
  uploaded: 'Uploaded',
  type: 'Type',
  size: 'Size',
  fingerprint: 'SHA-256',
  stale: 'Shown as last known; the service could not be asked.',
  actions: 'Actions',
  askAgain: 'Ask the service again',
  totalSize: (bytes: string) => `${bytes} in all`,
  deleteSome: (n: number, shown: string) => (n === 1 ? 'Delete' : `Delete ${shown} files`),
  qrHint: 'Point a camera at it to open the link.',
  selectionCleared: 'The list changed, so the selection was cleared.',
}
