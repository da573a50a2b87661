// Which folders the window asks about: those from an earlier version, at the first start with the setting,
// and never again. The handlers' tests cover the effects of the answer.
import { expect, it } from 'vitest'
import { CopyOffer } from '../../../src-main/shell/intake/watched-link-copies.ts'
import { AppSettings, type SettingsPatch } from '../../../src-shared/settings.ts'
import { folder } from './world.ts'

const SHARE = folder('/home/ada/Share')
const PHOTOS = folder('/home/ada/Photos', 'away', 2)
const WORK = folder('/home/ada/Work', 'watching', 3)

function started(stored: Readonly<Record<string, unknown>>) {
  let settings = AppSettings.parse(stored)
  const change = (patch: SettingsPatch): AppSettings => {
    settings = AppSettings.parse({ ...settings, ...patch })
    return settings
  }
  return { offer: new CopyOffer({ read: () => settings, change }), asked: () => settings.copyAsk }
}

it('asks about folders that were watched before the setting existed', () => {
  const { offer, asked } = started({ welcomed: true })
  expect(offer.take({}, [SHARE, PHOTOS])).toMatchObject({ copyAsk: [SHARE.path, PHOTOS.path] })
  expect(asked()).toEqual([SHARE.path, PHOTOS.path])
})

it('asks about no folder whose links are copied, and remembers that there was none', () => {
  const { offer, asked } = started({ copyFolders: [SHARE.path] })
  offer.take({}, [SHARE])
  expect(asked()).toEqual([])
})

it('asks about every account’s folders once, also where its engine begins again', () => {
  const { offer, asked } = started({})
  const [first, second] = [{}, {}]
  offer.take(first, [SHARE])
  offer.take(second, [WORK])
  expect(asked()).toEqual([SHARE.path, WORK.path])
  // The second folder was added since then, with its own setting.
  expect(offer.take(first, [SHARE, PHOTOS])).toBeNull()
  expect(asked()).toEqual([SHARE.path, WORK.path])
})

it('asks about none at a later start', () => {
  const { offer, asked } = started({ copyAsk: [] })
  expect(offer.take({}, [SHARE])).toBeNull()
  expect(asked()).toEqual([])
})
