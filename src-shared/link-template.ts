// The text that is copied for one or many links, in the style a person chose or by a template of their own. The shell copies it, the window
// previews it. It promises one line's worth of each name and address: what is hostile in them can't steer where it is pasted.
import { formatBytes, formatLink, printable } from './format.ts'
import type { LinkStyle } from './settings.ts'

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

/** `$url $name $stem $ext $size $date`; everything else stays as it is, and what they stand for is not looked through again. */
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

/** One line per file, in their order. A template that has lines of its own keeps them. */
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
