// The text that is copied for one or many links, in a chosen style or by the user's own template. The shell copies it, the window previews it.
// Control characters in names and addresses are escaped, so that they can't break a line or act where the text is pasted.
import { formatBytes, formatLink, printable } from './format.ts'
import type { LinkStyle } from './settings.ts'

/** What a copied link may contain of a file. */
export interface LinkFile {
  readonly name: string
  readonly url: string
  /** Null: not known. */
  readonly bytes: number | null
  /** When it was uploaded; null: not known. */
  readonly at: number | null
}

function localDay(at: number): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return '?'
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** Replaces `$url $name $stem $ext $size $date` in one pass, so a value that contains one of them is not expanded again. */
function expand(template: string, file: LinkFile): string {
  const name = printable(file.name)
  const dot = name.lastIndexOf('.')
  // `.profile` is a stem without an extension.
  const cut = dot > 0 ? dot : name.length
  return template.replaceAll(/\$(url|name|stem|ext|size|date)/g, (whole, key: string) => {
    switch (key) {
      case 'url':
        return printable(file.url)
      case 'name':
        return name
      case 'stem':
        return name.slice(0, cut)
      case 'ext':
        return name.slice(cut + 1)
      case 'size':
        return formatBytes(file.bytes)
      case 'date':
        return file.at === null ? '?' : localDay(file.at)
      default:
        return whole
    }
  })
}

/** One line per file, in their order; several where the template has several. */
export function linkText({
  style,
  template,
  files,
}: {
  readonly style: LinkStyle
  readonly template: string
  readonly files: readonly LinkFile[]
}): string {
  return files.map((file) => (style === 'template' ? expand(template, file) : formatLink(style, file))).join('\n')
}
