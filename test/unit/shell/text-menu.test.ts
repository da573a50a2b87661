// The context menu of text fields and selected text: which entries it has, and that they are in the language
// that is set when it opens. Electron's menu is replaced by one that records its entries.
import { EventEmitter } from 'node:events'
import { expect, it, vi } from 'vitest'
import { addTextMenu } from '../../../src-main/shell/app/menu.ts'
import { shell as german } from '../../../src-shared/i18n/de/shell.ts'
import { shell as english, type ShellTexts } from '../../../src-shared/i18n/en/shell.ts'

const menus = vi.hoisted(() => [] as (string | undefined)[][])
vi.mock('electron', () => ({
  Menu: {
    buildFromTemplate: (items: readonly { readonly label?: string }[]) => ({
      popup: () => menus.push(items.map(({ label }) => label)),
    }),
  },
}))

it('is in the language that is set when it opens', () => {
  const page = new EventEmitter()
  let texts: ShellTexts = english
  addTextMenu(page as unknown as Parameters<typeof addTextMenu>[0], () => texts)
  const click = (isEditable: boolean, selectionText: string): void =>
    void page.emit('context-menu', {}, { isEditable, selectionText, editFlags: {} })
  click(true, '')
  click(false, ' ')
  texts = german
  click(false, 'a word')
  click(true, 'a word')
  const words = ({ menu }: ShellTexts) => [menu.cut, menu.copy, menu.paste, undefined, menu.selectAll]
  expect(menus).toEqual([words(english), [german.menu.copy], words(german)])
})
