// Facts about what the main process offers beside windows: menus, tray, notices, pictures, clipboard, dialogs,
// shortcuts, power, processes.
import { join } from 'node:path'
import { expect, fact, from, LAB } from './fact.ts'

/** Two pixels by two. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAEUlEQVR4nGNocFD4D8IMMAYAQLQHfcG590wAAAAASUVORK5CYII='

fact('a menu checks its template', async ({ app }) => {
  const got = await app.evaluate(({ Menu }) =>
    [
      [{}],
      'x' as never,
      [{ label: 'x', type: 'submenu' as const }],
      [{ label: 'x', type: 'odd' as never }],
    ].map((template) => lab.attempt(() => Menu.buildFromTemplate(template))),
  )
  expect(got).toEqual([
    'TypeError: Invalid template for MenuItem: must have at least one of label, role or type',
    'TypeError: Invalid template for Menu: Menu template must be an array',
    'Error: Invalid submenu',
    'Error: Unknown menu item type: odd',
  ])
})

fact(
  'menu items do their clicks; checkboxes toggle before theirs, one radio of a group is checked',
  async ({ app }) => {
    const got = await app.evaluate(({ Menu }) => {
      const clicks: unknown[] = []
      const menu = Menu.buildFromTemplate([
        {
          label: 'File',
          submenu: [{ id: 'add', label: 'Add', click: () => clicks.push('add') }, { role: 'quit' }],
        },
        { id: 'pause', type: 'checkbox', label: 'Pause', click: (item) => clicks.push(item.checked) },
        { id: 'one', type: 'radio', label: 'One', checked: true },
        { id: 'two', type: 'radio', label: 'Two' },
      ])
      Menu.setApplicationMenu(menu)
      const item = (id: string) => Menu.getApplicationMenu()?.getMenuItemById(id)
      for (const id of ['add', 'pause', 'pause', 'two']) item(id)?.click()
      return [clicks, item('one')?.checked, item('two')?.checked, menu.items[0]?.submenu?.items[1]?.label]
    })
    expect(got).toEqual([['add', true, false], false, true, 'Quit'])
  },
)

fact('a menu item keeps its accelerator, state and id', async ({ app }) => {
  const got = await app.evaluate(({ Menu }) => {
    const [item] = Menu.buildFromTemplate([
      { id: 'a', label: 'A', accelerator: 'CmdOrCtrl+A', enabled: false, visible: false },
    ]).items
    return [item?.id, item?.label, item?.accelerator, item?.enabled, item?.visible, item?.type, item?.checked]
  })
  expect(got).toEqual(['a', 'A', 'CmdOrCtrl+A', false, false, 'normal', false])
})

fact('a tray needs a picture that can be read, and is destroyed once', async ({ app }) => {
  const got = await app.evaluate(({ nativeImage, Tray, Menu }, png) => {
    const icon = nativeImage.createFromDataURL(`data:image/png;base64,${png}`)
    const tray = new Tray(icon)
    tray.setToolTip('Lab')
    tray.setContextMenu(Menu.buildFromTemplate([{ label: 'Quit' }]))
    const before = tray.isDestroyed()
    tray.destroy()
    return [
      lab.attempt(() => new Tray('nowhere.png')),
      before,
      tray.isDestroyed(),
      lab.attempt(() => tray.setToolTip('x')),
    ]
  }, PNG)
  expect(got).toEqual([
    "Error: Failed to load image from path 'nowhere.png'",
    false,
    true,
    'Error: Tray is destroyed',
  ])
})

fact(
  'a notification has what it was made with, and says that it is shown or that nothing can show it',
  async ({ app }) => {
    const got = await app.evaluate(async ({ Notification }) => {
      const one = new Notification({ title: 'Done', body: 'a.txt', silent: true })
      const seen = lab.follow(one, ['show', 'failed', 'close'])
      one.show()
      await lab.until(() => seen.length > 0)
      one.close()
      return [Notification.isSupported(), one.title, one.body, one.silent, seen[0]]
    })
    expect(got).toEqual([true, 'Done', 'a.txt', true, expect.stringMatching(/^(?:show|failed)$/)])
  },
)

fact('pictures: size, emptiness, PNG, scaling', async ({ app }) => {
  const got = await app.evaluate(({ nativeImage }, png) => {
    const image = nativeImage.createFromDataURL(`data:image/png;base64,${png}`)
    const broken = nativeImage.createFromBuffer(Buffer.from('no picture'))
    const again = nativeImage.createFromBuffer(image.toPNG())
    return {
      size: image.getSize(),
      again: again.getSize(),
      scaled: image.resize({ width: 8, height: 4 }).getSize(),
      byWidth: image.resize({ width: 8 }).getSize(),
      url: image.toDataURL().startsWith('data:image/png;base64,'),
      empty: [image, broken, nativeImage.createEmpty(), nativeImage.createFromPath('/nowhere.png')].map(
        (one) => one.isEmpty(),
      ),
      emptySize: broken.getSize(),
      aspect: image.getAspectRatio(),
    }
  }, PNG)
  expect(got).toEqual({
    size: { width: 2, height: 2 },
    again: { width: 2, height: 2 },
    scaled: { width: 8, height: 4 },
    byWidth: { width: 8, height: 8 },
    url: true,
    empty: [false, true, true, true],
    emptySize: { width: 0, height: 0 },
    aspect: 1,
  })
})

fact('the clipboard holds text and pictures under the types of the web', from(44), async ({ app }) => {
  const got = await app.evaluate(async ({ clipboard, ClipboardItem }) => {
    await clipboard.writeText('https://files.example.com/a')
    const text = await clipboard.readText()
    await clipboard.write([
      new ClipboardItem({
        'text/plain': 'a',
        'text/html': '<a>a</a>',
        'image/png': new Blob([new Uint8Array([1, 2])], { type: 'image/png' }),
      }),
    ])
    const [item] = await clipboard.read()
    const html = await (await item?.getType('text/html'))?.text()
    const has = [await clipboard.has('image/png'), await clipboard.has('image/jpeg')]
    clipboard.clear()
    return { text, html, has, after: await clipboard.readText() }
  })
  expect(got).toEqual({
    text: 'https://files.example.com/a',
    html: '<a>a</a>',
    has: [true, false],
    after: '',
  })
})

fact('a message box that its signal ends answers with cancelId', async ({ app }) => {
  const got = await app.evaluate(async ({ dialog }) => {
    const stop = new AbortController()
    const answer = dialog.showMessageBox({
      message: 'Go on?',
      buttons: ['Yes', 'No'],
      cancelId: 1,
      signal: stop.signal,
    })
    setTimeout(() => stop.abort(), 50)
    return (await answer).response
  })
  expect(got).toBe(1)
})

fact('a global shortcut is registered once, and a key that doesn’t exist throws', async ({ app }) => {
  const got = await app.evaluate(({ globalShortcut }) => {
    const keys = 'CommandOrControl+Shift+F9'
    const first = globalShortcut.register(keys, () => undefined)
    const isRegistered = globalShortcut.isRegistered(keys)
    const second = globalShortcut.register(keys, () => undefined)
    globalShortcut.unregister(keys)
    return [
      first,
      isRegistered,
      second,
      globalShortcut.isRegistered(keys),
      lab.attempt(() => globalShortcut.register('Ctrl+Nothing!', () => undefined)),
    ]
  })
  expect(got).toEqual([
    true,
    true,
    false,
    false,
    'TypeError: Error processing argument at index 0, conversion failure from Ctrl+Nothing!',
  ])
})

fact('a power save blocker starts and stops', async ({ app }) => {
  const got = await app.evaluate(({ powerSaveBlocker, powerMonitor }) => {
    const id = powerSaveBlocker.start('prevent-app-suspension')
    const isStarted = powerSaveBlocker.isStarted(id)
    powerSaveBlocker.stop(id)
    return [isStarted, powerSaveBlocker.isStarted(id), typeof powerMonitor.getSystemIdleTime()]
  })
  expect(got).toEqual([true, false, 'number'])
})

fact('the screen has a primary display with a work area', async ({ app }) => {
  const got = await app.evaluate(({ screen }) => {
    const display = screen.getPrimaryDisplay()
    return [
      screen
        .getAllDisplays()
        .map((one) => one.id)
        .includes(display.id),
      display.scaleFactor,
      display.workArea.width <= display.bounds.width,
      screen.getDisplayMatching({ x: 0, y: 0, width: 1, height: 1 }).id === display.id,
    ]
  })
  expect(got).toEqual([true, 1, true, true])
})

fact('a utility process answers messages and says how it ended', async ({ app }) => {
  const got = await app.evaluate(
    async ({ utilityProcess }, child) => {
      const one = utilityProcess.fork(child)
      const seen = lab.follow(one, ['spawn', 'message', 'exit'])
      one.postMessage({ big: 2n })
      const answer = await new Promise<unknown[]>((done) => one.once('message', done))
      const hadPid = typeof one.pid
      one.postMessage(7)
      const code = await new Promise((done) => one.once('exit', done))
      return [
        seen,
        answer[0],
        String((answer[1] as { big: bigint }).big),
        hadPid,
        code,
        one.pid ?? null,
        one.kill(),
      ]
    },
    join(LAB, 'child.cjs'),
  )
  expect(got).toEqual([['spawn', 'message', 'exit'], 'utility', '2', 'number', 7, null, false])
})

fact('a utility process is killed, also one that does nothing', async ({ app }) => {
  const got = await app.evaluate(
    async ({ utilityProcess }, child) => {
      const one = utilityProcess.fork(child)
      await new Promise((done) => one.once('spawn', () => done(null)))
      const killed = one.kill()
      await new Promise((done) => one.once('exit', done))
      return killed
    },
    join(LAB, 'child.cjs'),
  )
  expect(got).toBe(true)
})

fact('sending what can’t be cloned to a utility process throws', async ({ app }) => {
  const got = await app.evaluate(
    async ({ utilityProcess }, child) => {
      const one = utilityProcess.fork(child)
      await new Promise((done) => one.once('spawn', () => done(null)))
      const thrown = lab.attempt(() => one.postMessage(() => 1))
      one.kill()
      return thrown
    },
    join(LAB, 'child.cjs'),
  )
  expect(got).toBe('Error: An object could not be cloned.')
})

fact('the session answers which proxy an address takes', async ({ app }) => {
  const got = await app.evaluate(({ session }) =>
    session.defaultSession.resolveProxy('https://files.example.com/'),
  )
  expect(got).toBe('DIRECT')
})
