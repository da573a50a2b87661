// Quotes words for shells: for scripts that Slipway writes, and for commands that it shows to the user to
// copy.

/** Quotes any text as a single word for a POSIX shell. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/**
 * Quotes a word of a shown command if necessary; on Windows in double quotes, which names there can't
 * contain. A leading `~/` stays outside the quotes, so that the shell still expands it.
 */
export function shownWord(word: string, platform: NodeJS.Platform = process.platform): string {
  if (/^(?:~\/)?[\w./:@+,=-]+$/.test(word) || (platform === 'win32' && /^[\w.\\/:@+,=-]+$/.test(word)))
    return word
  if (platform === 'win32') return `"${word}"`
  return word.startsWith('~/') ? `~/${shellWord(word.slice(2))}` : shellWord(word)
}
