// The English sentences about why a file waits, is held or failed; ../reasons.ts combines their parts.
// `counted` continues "19 waiting". Every reason whose `what` starts with "Waiting" needs it.
import type { ReasonWords } from '../reasons.ts'

export const reasonWords: ReasonWords = {
  waiting: {
    'rate-minute': { what: 'Waiting for the rate limit', counted: 'for the rate limit', next: 'resumes' },
    'rate-day': { what: 'Daily request limit reached', next: 'resumes' },
    'server-pause': { what: 'The service asked to wait', next: 'resumes' },
    'daily-uploads': { what: 'Daily upload limit reached', next: 'next try' },
    limit: { what: 'The service refused the upload', next: 'next try' },
    'storage-full': { what: 'Your plan’s storage is full', next: 'next try' },
    backoff: { what: 'Waiting after an error', counted: 'after an error', next: 'next try' },
    offline: { what: 'No connection', next: 'next try' },
    account: { what: 'Waiting for API access', counted: 'for API access', next: null },
    paused: { what: 'Paused', next: null },
    settling: { what: 'Still being written', many: 'Files are still being written', next: null },
    changing: { what: 'Changes too often', many: 'Files change too often', next: 'next upload' },
    grace: {
      what: 'Can still be cancelled',
      many: 'New files can still be cancelled',
      next: 'goes up',
    },
    'folder-away': {
      what: 'The folder is not available',
      many: 'A folder is not available',
      next: 'next check',
    },
    'drive-silent': {
      what: 'The drive isn’t responding',
      many: 'A drive isn’t responding',
      next: 'next check',
    },
    'not-watched': {
      what: 'Waiting until its folder is watched again',
      many: 'Waiting until a folder is watched again',
      counted: 'until a folder is watched again',
      next: null,
    },
    'folder-paused': { what: 'Its folder is paused', many: 'A folder is paused', next: null },
    checking: {
      what: 'Checking whether the upload arrived',
      many: 'Checking which uploads arrived',
      next: 'next check',
    },
    comparing: { what: 'Comparing with files on the service', next: 'next check' },
    'earlier-upload': {
      what: 'Waiting for the outcome of an earlier upload',
      counted: 'for the outcome of an earlier upload',
      next: 'next check',
    },
    'answers-lost': { what: 'The service doesn’t confirm uploads', next: 'next try' },
    foreign: { what: 'Unexpected answers from the service’s address', next: 'next check' },
    unavailable: { what: 'The service is unavailable', next: 'next try' },
    redirected: { what: 'The service answers with a redirect that can’t be followed', next: 'next try' },
    'uploads-refused': { what: 'The service refuses every upload', next: 'next try' },
    disk: { what: 'Couldn’t write to disk', next: null },
    policy: { what: 'Your organization’s policy can’t be used', next: null },
  },
  held: {
    secret: 'looks like a secret',
    unsearched: 'couldn’t be searched for secrets within 2 s',
    'too-big': 'exceeds the file size limit',
    ambiguous: 'may already be uploaded',
    unconfirmed: 'was never confirmed by the service',
    emptied: 'is empty, unlike the version it replaces',
    changed: 'has changed since its upload',
  },
  failed: {
    unreadable: { clause: 'the file could not be read', predicate: 'could not be read' },
    'bad-request': {
      clause: 'the service did not understand the upload',
      predicate: 'the service did not understand the upload',
    },
    refused: { clause: 'the service refused the file', predicate: 'the service refused it' },
    'keeps-changing': {
      clause: 'the file kept changing while it was being read',
      predicate: 'kept changing while it was being read',
    },
    'not-a-file': { clause: 'this is not a file', predicate: 'is not a file' },
    missing: { clause: 'the file does not exist', predicate: 'does not exist' },
  },
  heldFor: (predicate) => `Held: ${predicate}`,
  countWaiting: (_n, shown) => `${shown} waiting`,
}

/** Why a file of a watched folder isn't uploaded, although it isn't among the transfers. */
export const leftOut = {
  rule: (rule: string) => `Ignored by the rule ${rule}`,
  group: (files: string, rule: string) => `Ignored: ${files} (${rule})`,
  larger: (size: string) => `Ignored: larger than ${size}`,
  /** By the engine's reason. */
  reasons: {
    'was here before': 'Was in the folder before it was watched',
    'was in a folder that is no longer watched': 'Was in a folder that is no longer watched',
    'watched as a separate folder': 'Watched as a separate folder',
    'not of a chosen type': 'Ignored: not one of the chosen types',
    "Slipway's own data": 'Slipway’s own data is never uploaded',
    'forbidden by your organization': 'Your organization doesn’t allow uploads from this folder',
    'change-ignored': 'Changed since its upload, changes are ignored',
    cancelled: 'Upload cancelled',
    'maybe-published': 'Cancelled, may have been published before',
  } as Readonly<Record<string, string>>,
}
