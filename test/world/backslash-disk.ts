// The in-memory disk as the engine sees it on Windows: it accepts paths with either separator and returns
// them with backslashes. Only used by mem-disk.ts. Names and letter case are the file system's
// (file-systems.ts).
import type { MemDisk } from './mem-disk.ts'

const inward = (path: string): string => path.replaceAll('\\', '/')
const outward = (path: string): string => path.replaceAll('/', '\\')

export function withBackslashes(disk: MemDisk): MemDisk {
  /** The given paths that are in the set, in their original spelling. */
  const chosen = async (
    paths: readonly string[],
    ask: (paths: readonly string[]) => Promise<ReadonlySet<string> | null>,
  ) => {
    const found = await ask(paths.map(inward))
    return found === null ? null : new Set(paths.filter((path) => found.has(inward(path))))
  }
  return {
    ...disk,
    write: (path, data) => disk.write(inward(path), data),
    append: (path, data) => disk.append(inward(path), data),
    mkdir: (path) => disk.mkdir(inward(path)),
    rename: (from, to) => disk.rename(inward(from), inward(to)),
    remove: (path) => disk.remove(inward(path)),
    symlink: (target, path) => disk.symlink(inward(target), inward(path)),
    link: (from, to) => disk.link(inward(from), inward(to)),
    setMtime: (path, mtime) => disk.setMtime(inward(path), mtime),
    chmod: (path) => disk.chmod(inward(path)),
    peek: (path) => disk.peek(inward(path)),
    deny: (path, denied) => disk.deny(inward(path), denied),
    seal: (path, sealed) => disk.seal(inward(path), sealed),
    onceRead: (path, call) => disk.onceRead(inward(path), call),
    poke: (path, data, fault) => disk.poke(inward(path), data, fault),
    list: async (dirs) =>
      (await disk.list(dirs.map(inward))).map((list, i) => ({ ...list, dir: dirs[i] ?? list.dir })),
    stat: (paths) => disk.stat(paths.map(inward)),
    resolve: async (path) => {
      const found = await disk.resolve(inward(path))
      return 'code' in found ? found : { ...found, real: outward(found.real) }
    },
    open: (path) => disk.open(inward(path)),
    text: (path) => disk.text(inward(path)),
    knowsWriters: disk.knowsWriters,
    openForWriting: (paths) => chosen(paths, disk.openForWriting),
    mappedForWriting: (paths) => chosen(paths, disk.mappedForWriting),
    watch: {
      start: (options) =>
        disk.watch.start({
          ...options,
          root: inward(options.root),
          own: options.own.map(inward),
          onHint: (hint) => options.onHint('path' in hint ? { ...hint, path: outward(hint.path) } : hint),
        }),
    },
  }
}
