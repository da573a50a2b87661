// Splits a line of shell syntax, as pages show it, into its simple commands. Pure, and only as complete as
// the pages need: quotes, continuations, comments, pipes and lists, redirections, assignments, and commands
// in `$(…)`.

/**
 * The words of each simple command, without quotes, assignments and redirections. Commands in `$(…)` come
 * first.
 */
export function shellCommands(line: string): string[][] {
  const found: string[][] = []
  let words: string[] = []
  let word: string | null = null
  let isTarget = false
  const endWord = (): void => {
    if (word !== null && !isTarget && !(words.length === 0 && /^\w+=/.test(word))) words.push(word)
    if (word !== null) isTarget = false
    word = null
  }
  const endCommand = (): void => {
    endWord()
    if (words.length > 0) found.push(words)
    words = []
  }
  let quote = ''
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at)
    if (char === '$' && line[at + 1] === '(' && quote !== "'") {
      const end = closing(line, at + 2)
      found.push(...shellCommands(line.slice(at + 2, end)))
      word = `${word ?? ''}$(…)`
      at = end
    } else if (char === '\\' && quote !== "'") {
      at += 1
      if (line[at] !== '\n') word = `${word ?? ''}${line.charAt(at)}`
    } else if (char === quote) quote = ''
    else if (quote === '' && (char === "'" || char === '"')) {
      quote = char
      word ??= ''
    } else if (quote !== '') word = `${word ?? ''}${char}`
    else if (char === '#' && word === null) at = endOfLine(line, at)
    else if (/[\n|&;]/.test(char)) endCommand()
    else if (/[<>]/.test(char)) {
      // The number before a redirection belongs to it.
      if (word !== null && /^\d$/.test(word)) word = null
      endWord()
      isTarget = true
    } else if (/\s/.test(char)) endWord()
    else word = `${word ?? ''}${char}`
  }
  endCommand()
  return found
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end - 1
}

/** The position of the parenthesis that closes the one before `from`. */
function closing(text: string, from: number): number {
  let depth = 1
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1
    if (text[at] === ')') depth -= 1
    if (depth === 0) return at
  }
  return text.length
}
