// `npm run check`, words. Refuses text files that mention a path of the author's machine, an unapproved host
// or unfinished work; old phrases (old-words.ts) in the texts on screen; and more old words in the comments
// of src-* than are still allowed. In the lockfile, refuses only the addresses that packages were downloaded
// from.
import { wordFaults } from './house.ts'
import { countComments, OLD_WORDS, type Room, screenFaults } from './old-words.ts'
import { readTree, treeFiles } from './tree.ts'

const LOCKFILE = 'package-lock.json'
const BINARY = /\.(png|ico|icns|woff2|gz|zip)$/
/** Licences of others, word for word. */
const LICENCES = 'assets/licences/'
const ROOMS: readonly Room[] = ['src-shared', 'src-renderer', 'src-main']
/** Listing more places wouldn't make a message clearer. */
const PLACES_SHOWN = 20

const faults: string[] = []
for (const file of treeFiles()) {
  if (BINARY.test(file) || file.startsWith(LICENCES)) continue
  if (file === LOCKFILE) {
    if (readTree(file).includes('"resolved":'))
      faults.push(`${file}: has "resolved" fields; run npm install with the project's .npmrc`)
    continue
  }
  for (const fault of wordFaults(readTree(file))) faults.push(`${file}:${fault}`)
  const [, language] = /^src-shared\/i18n\/(en|de)\//.exec(file) ?? []
  if (language === 'en' || language === 'de')
    for (const fault of screenFaults(language, readTree(file))) faults.push(`${file}:${fault}`)
}
for (const room of ROOMS) {
  const files = treeFiles().filter((file) => file.startsWith(`${room}/`) && /\.(?:[cm]?tsx?|css)$/.test(file))
  for (const { word, places, allowed } of countComments(
    room,
    new Map(files.map((file) => [file, readTree(file)])),
  )) {
    const { instead } = OLD_WORDS[word]
    if (places.length > allowed)
      faults.push(
        `${room}: ${places.length} comment lines use the old word "${word}", ${allowed} are allowed; write instead: ${instead}\n  ${places.slice(-PLACES_SHOWN).join('\n  ')}`,
      )
    else if (places.length < allowed)
      console.log(
        `${room}: the old word "${word}" is down to ${places.length}; lower its number in test/tools/old-words.ts`,
      )
  }
}
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1
