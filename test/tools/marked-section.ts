// Generated parts of Markdown pages: the lines between `<!-- NAME: begin -->` and `<!-- NAME: end -->`. Pure.

/**
 * Returns the text with `content` between the two markers; null unless each marker occurs exactly once, in
 * order.
 */
export function replaceSection(text: string, name: string, content: string): string | null {
  const [open, close] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`]
  const begin = text.indexOf(open)
  const end = text.indexOf(close)
  if (begin < 0 || end < begin || text.indexOf(open, begin + 1) >= 0 || text.indexOf(close, end + 1) >= 0)
    return null
  return `${text.slice(0, begin + open.length)}\n${content}${text.slice(end)}`
}
