// Texts of the welcome view and of the connect form.
// The English original, whose type all other languages must match.
import type { FailureCode } from '../../engine-contract.ts'

const files = (n: number, shown: string): string => `${shown} ${n === 1 ? 'file' : 'files'}`

/** Why connecting failed, and what to do. The input stays in the form; nothing is saved. */
const connectFailures: Readonly<Record<FailureCode, { readonly title: string; readonly hint: string }>> = {
  usage: {
    title: 'This address isn’t valid.',
    hint: 'Examples: files.example.com or https://files.example.com/api/v1.',
  },
  'no-key': {
    title: 'Enter your API key.',
    hint: 'You find it on the service’s account page, in the API section.',
  },
  'key-refused': {
    title: 'The API key was refused.',
    hint: 'Copy the whole key again from the account page, API section. Nothing was saved.',
  },
  'no-api': {
    title: 'This account’s plan doesn’t include API access.',
    hint: 'Pro, Business and Enterprise plans do. After changing plans, try again.',
  },
  'no-connection': {
    title: 'Can’t reach this address.',
    hint: 'Check the address and your network, then try again.',
  },
  'not-found': { title: 'No service found at this address.', hint: 'Check the address.' },
  unreadable: { title: 'Couldn’t read the folder.', hint: 'Check that you have permission to read it.' },
  waits: {
    title: 'The service asked to wait.',
    hint: 'Too many requests with this API key. Try again in a minute.',
  },
  disk: { title: 'Couldn’t save the settings.', hint: 'Check free space and permissions, then try again.' },
  'journal-unusable': {
    title: 'Couldn’t read the journal of an account on this computer.',
    hint: 'Nothing was saved. Restart Slipway, which repairs a damaged journal, then connect again.',
  },
  keychain: {
    title: 'Couldn’t save the API key in the keychain.',
    hint: 'Unlock the keychain and try again, or use the key without saving it.',
  },
  clipboard: { title: 'Couldn’t copy to the clipboard.', hint: 'Click Slipway’s window and copy again.' },
  server: {
    title: 'Unexpected response from this address.',
    hint: 'Check the address. If it’s correct, try again later.',
  },
  closing: { title: 'Slipway is restarting its sync engine.', hint: 'Try again in a moment.' },
  defect: { title: 'Internal error.', hint: 'Nothing was saved. See the log for details.' },
}

export const welcome = {
  title: 'Welcome',
  // The no-break space favours a line break between the sentences.
  promise: 'Save a file. Its\u00a0link is ready.',
  promiseText:
    'Drop files here, or save them in a folder you choose. Slipway uploads them, keeps their public links at hand, and stays within your plan’s limits.',
  keyPlace: 'Your API key is saved in the system keychain and nowhere else.',
  steps: 'Steps',
  step: (n: string, name: string) => `${n} ${name}`,
  dropHint: (paste: string) =>
    `You can already drop files here or paste with ${paste}. They’re uploaded after this step.`,
  kept: (n: number, shown: string) =>
    n === 1 ? '1 item is uploaded after this step' : `${shown} items are uploaded after this step`,
  keptMore: (n: number, shown: string) => (n === 1 ? 'and 1 more' : `and ${shown} more`),
  discardKept: 'Discard',
  stepNames: { connect: 'Connect', folder: 'Choose a folder' },
  tryIt: 'Try it without an account',
  trialFirst: (button: string) =>
    `You’re trying Slipway without an account. To connect yours, choose “${button}” in the banner above.`,
  tryStarting: 'Starting',
  tryHint: 'With a service on this computer. Links work only here, until you quit.',
  connectTitle: 'Connect to the service',
  folderTitle: 'Choose a folder',
  address: 'Service address',
  key: 'API key',
  keyHint: 'From the service’s account page. Pro, Business and Enterprise plans include API access.',
  showKey: 'Show key',
  hideKey: 'Hide key',
  plainHttp: 'Send the key without encryption',
  plainHttpTitle: 'This address isn’t encrypted.',
  plainHttpHint:
    'Anyone on the network could read your API key and your files. Use https unless the whole network is yours.',
  connect: 'Connect',
  connecting: 'Connecting',
  connected: (host: string, plan: string | null) =>
    plan === null ? `Connected to ${host}` : `Connected to ${host}, ${plan} plan`,
  /** `n`: the number of requests per minute. */
  requests: (n: number, minute: string, day: string) =>
    `${minute} ${n === 1 ? 'request' : 'requests'} per minute, ${day} per day`,
  requestsMinute: (n: number, shown: string) => `${shown} ${n === 1 ? 'request' : 'requests'} per minute`,
  requestsDay: (n: number, shown: string) => `${shown} ${n === 1 ? 'request' : 'requests'} per day`,
  requestsUnknown: 'request limit unknown',
  uploads: (n: number, shown: string) => `${shown} ${n === 1 ? 'upload' : 'uploads'} per day`,
  uploadsUnknown: 'no known daily upload limit',
  filesUpTo: (size: string) => `files up to ${size}`,
  filesUpToUnit: (size: string) => `files up to about ${size}`,
  filesAny: 'files of any size',
  filesUnknown: 'file size limit unknown',
  stored: (n: number, shown: string) => `${files(n, shown)} stored`,
  learns: 'Slipway starts cautiously and learns unknown limits as it works.',
  goOn: 'Continue',
  withoutSaving: 'Use without saving the key',
  untilQuit: 'Use until Slipway quits',
  keychainTitle: 'The API key can’t be saved on this system.',
  keychainHint:
    'The keychain is missing or locked. You can use the key without saving it, and enter it again next time.',
  connectFailures,
  serviceTrouble: {
    title: 'The service has a problem.',
    hint: 'The address may be correct. Try again later. Nothing was saved.',
  },
  proxySettings: 'Proxy settings…',
  proxyLogin: {
    title: 'The proxy requires a user name and password.',
    hint: 'Enter them in the proxy settings, then try again.',
  },
  keyFaults: {
    characters: {
      title: 'This key contains spaces or other characters that can’t be part of an API key.',
      hint: 'Copy the whole key again from the account page, API section. Nothing was sent.',
    },
    'too-long': {
      title: 'This text is too long to be an API key.',
      hint: 'Copy only the key from the account page, API section. Nothing was sent.',
    },
  },
  proofOver: 'The connection check expired. Connect again.',
  saving: 'Saving the key',
  folderText: 'Files you save in it are uploaded automatically. They stay where they are.',
  choose: 'Choose folder…',
  chooseOther: 'Choose another…',
  counting: 'Counting files',
  skip: 'Skip for now',
  skipHint: 'You can add folders at any time.',
  folderEmpty: 'Empty',
  /** `bytes`: size of the files to upload; empty if there are none. */
  folderHolds: (n: number, shown: string, bytes: string) =>
    bytes === '' ? files(n, shown) : `${files(n, shown)}, ${bytes} to upload`,
  forecastAll: 'Uploads now.',
  forecastSoon: (span: string) => `Uploads within ${span}.`,
  forecastSplit: (now: string, days: number, shown: string) =>
    `${now} today, the rest within ${days === 1 ? 'a day' : `${shown} days`} on your plan.`,
  forecastSplitOpen: (now: string, later: string) => `${now} now, ${later} later.`,
  forecastLater: (days: number, shown: string) =>
    `Done within ${days === 1 ? 'a day' : `${shown} days`} on your plan.`,
  forecastNone: 'Couldn’t count the files. Slipway counts them as it uploads.',
  forecastAlready: (n: number, shown: string) =>
    n === 1 ? '1 is already uploaded' : `${shown} are already uploaded`,
  forecastHeld: (n: number, shown: string) =>
    n === 1
      ? '1 looks like a secret and needs your approval'
      : `${shown} look like secrets and need your approval`,
  forecastFailed: (n: number, shown: string) => (n === 1 ? '1 can’t be read' : `${shown} can’t be read`),
  forecastTooBig: (n: number, shown: string) =>
    n === 1 ? '1 exceeds your plan’s file size limit' : `${shown} exceed your plan’s file size limit`,
  forecastIgnored: (n: number, shown: string) =>
    n === 1 ? '1 is ignored by a rule' : `${shown} are ignored by rules`,
}
