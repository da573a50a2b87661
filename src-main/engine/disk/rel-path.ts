// Converts between absolute paths in the system's form and paths relative to a folder, which use '/' on every
// system. Also splits paths and lists the directories above them. Pure string operations.
import { dirname, sep as ownSep } from 'node:path'

/**
 * The absolute path of an entry. `dir` is relative and uses '/'; '' for the root. `sep`: separator of the
 * system that the path belongs to. The root of a drive keeps its separator, because `E:` alone means the
 * working directory on E.
 */
export function absolute(root: string, dir: string, name: string, sep = ownSep): string {
  const inner = dir === '' || name === '' ? dir + name : `${dir}/${name}`
  if (inner === '') return root
  return (root.endsWith(sep) ? root : root + sep) + (sep === '/' ? inner : inner.replaceAll('/', sep))
}

/** The part of `path` below `root`, separated by '/'; '' for the root itself, null if it isn't inside. */
export function below(root: string, path: string, sep = ownSep): string | null {
  const base = root.endsWith(sep) ? root : root + sep
  if (path === root || path + sep === base) return ''
  if (!path.startsWith(base)) return null
  const rest = path.slice(base.length)
  return sep === '/' ? rest : rest.replaceAll(sep, '/')
}

/**
 * Yields the directories above an absolute path, nearest first, up to but not including `root` or the root of
 * the file system.
 */
export function* parentsOf(path: string, root: string | null = null): Generator<string> {
  for (let at = dirname(path); at !== root && dirname(at) !== at; at = dirname(at)) yield at
}

/** The relative path of an entry in a relative directory. */
export function child(dir: string, name: string): string {
  return dir === '' ? name : `${dir}/${name}`
}

/** Splits a relative path into directory and name. */
export function split(rel: string): { readonly dir: string; readonly name: string } {
  const at = rel.lastIndexOf('/')
  return at < 0 ? { dir: '', name: rel } : { dir: rel.slice(0, at), name: rel.slice(at + 1) }
}

/** Whether the set contains a directory above `rel`; `rel` itself doesn't count. */
export function hasAncestor(rel: string, set: ReadonlySet<string>): boolean {
  for (let at = rel.lastIndexOf('/'); at > 0; at = rel.lastIndexOf('/', at - 1))
    if (set.has(rel.slice(0, at))) return true
  return false
}
