// Automatic copies: they never replace what the user has copied since, in any format, and report success only
// if it happened. The clipboard is a fake.
import { describe, expect, it } from 'vitest'
import { needsFocus } from '../../../src-main/shell/clipboard/focus-rule.ts'
import { UnaskedCopies } from '../../../src-main/shell/clipboard/unasked-copies.ts'

function room() {
  const clipboard = { content: 'text of mine' as string | null, takes: true, written: [] as string[] }
  const copies = new UnaskedCopies({
    digest: async () => clipboard.content,
    write: async (text) => {
      if (!clipboard.takes) return false
      clipboard.written.push(text)
      clipboard.content = `own ${text}`
      return true
    },
  })
  const late: string[] = []
  const copy = (text: string, mark: string | null) => copies.copy(text, mark, () => late.push(text))
  return { clipboard, copies, copy, late }
}

describe('a copy without a click', () => {
  it('replaces what was on the clipboard when the upload began', async () => {
    const { clipboard, copies, copy } = room()
    expect(await copy('a', await copies.mark())).toBe('copied')
    expect(clipboard.written).toEqual(['a'])
  })

  it.each(['another text', 'a picture', 'three files'])(
    'leaves %s alone that was copied meanwhile',
    async (content) => {
      const { clipboard, copies, copy } = room()
      const mark = await copies.mark()
      clipboard.content = content
      expect(await copy('a', mark)).toBe('changed')
      expect(clipboard.written).toEqual([])
    },
  )

  it('leaves alone what can’t be read', async () => {
    const { clipboard, copies, copy } = room()
    const mark = await copies.mark()
    clipboard.content = null
    expect(await copy('a', mark)).toBe('changed')
    expect(await copy('a', null)).toBe('changed')
  })

  it('writes to an empty clipboard whatever was there before, also after a restart', async () => {
    const { clipboard, copy } = room()
    clipboard.content = ''
    expect(await copy('a', null)).toBe('copied')
  })

  it('after a restart leaves alone what is there', async () => {
    const { copy } = room()
    expect(await copy('a', null)).toBe('changed')
  })

  it('replaces an earlier one, and writes the same once', async () => {
    const { clipboard, copies, copy } = room()
    const mark = await copies.mark()
    expect(await copy('a', mark)).toBe('copied')
    expect(await copy('a\nb', mark)).toBe('copied')
    expect(await copy('a\nb', mark)).toBe('copied')
    expect(clipboard.written).toEqual(['a', 'a\nb'])
  })

  it('leaves alone what was copied by a click', async () => {
    const { clipboard, copies, copy } = room()
    const mark = await copies.mark()
    await copy('a', mark)
    copies.asked()
    clipboard.content = 'own a'
    expect(await copy('b', mark)).toBe('changed')
  })

  it('two at once take each other for no person’s', async () => {
    const { copies, copy } = room()
    const mark = await copies.mark()
    expect(await Promise.all([copy('a', mark), copy('b', mark)])).toEqual(['copied', 'copied'])
  })
})

describe('where the system takes no write without the focus', () => {
  it('it is not said to be copied, and is copied with the focus', async () => {
    const { clipboard, copies, copy, late } = room()
    clipboard.takes = false
    expect(await copy('a', await copies.mark())).toBe('refused')
    clipboard.takes = true
    await copies.focused()
    await copies.focused()
    expect(clipboard.written).toEqual(['a'])
    expect(late).toEqual(['a'])
  })

  it('with the focus leaves alone what was copied meanwhile', async () => {
    const { clipboard, copies, copy, late } = room()
    clipboard.takes = false
    await copy('a', await copies.mark())
    clipboard.takes = true
    clipboard.content = 'mine'
    await copies.focused()
    expect([clipboard.written, late]).toEqual([[], []])
  })

  it('a click comes first', async () => {
    const { clipboard, copies, copy } = room()
    clipboard.takes = false
    await copy('a', await copies.mark())
    clipboard.takes = true
    copies.asked()
    await copies.focused()
    expect(clipboard.written).toEqual([])
  })

  it.each([
    ['linux', { XDG_SESSION_TYPE: 'wayland' }, '', true],
    ['linux', { XDG_SESSION_TYPE: 'wayland' }, 'auto', true],
    ['linux', { XDG_SESSION_TYPE: 'wayland' }, 'x11', false],
    ['linux', { XDG_SESSION_TYPE: 'x11', WAYLAND_DISPLAY: 'wayland-0' }, '', false],
    ['linux', { XDG_SESSION_TYPE: 'x11' }, 'wayland', true],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, '', true],
    ['linux', {}, '', false],
    ['darwin', { XDG_SESSION_TYPE: 'wayland' }, '', false],
    ['win32', {}, 'wayland', false],
  ] as const)('on %s with %j and "%s": %s', (platform, env, ozone, expected) => {
    expect(needsFocus(platform, env, ozone)).toBe(expected)
  })
})
