// Somebody puts Slipway's own files, with the secret of the control socket and the journal, into a watched
// folder: as hard links, and as copies under harmless names. They are recognized by what they are.
import { copyFileSync, linkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { inWorld } from '../scenario/cli-process.ts'

it('sends neither hard links to its own files nor copies of them', () =>
  inWorld(async (place, service) => {
    await place.run(['upload', place.write('first.txt', 'first')], { url: service.url })
    const own = (name: string): string => join(place.data, name)
    // As Slipway writes them while it runs, and with more than one account.
    writeFileSync(own('control.key'), '0123456789abcdef'.repeat(4))
    writeFileSync(
      join(place.home, 'list'),
      '{"current":null,"accounts":[{"keychain":"x","marks":[],"folder":""}]}',
    )
    const at = (name: string): string => join(place.folder, name)
    linkSync(own('journal.db'), at('holiday.jpg'))
    linkSync(own('slipway.log'), at('diary.txt'))
    copyFileSync(own('journal.db'), at('recipes.bin'))
    copyFileSync(own('control.key'), at('numbers.txt'))
    copyFileSync(join(place.home, 'list'), at('list.json'))
    place.write('packed.gz', gzipSync(Buffer.from('0123456789abcdef'.repeat(4))))
    const other = new DatabaseSync(at('other.db'))
    other.exec('CREATE TABLE photos (id INTEGER)')
    other.close()
    const { err } = await place.run(['upload', place.folder], { url: service.url })
    expect(
      service.ledger
        .live()
        .map(({ filename }) => filename)
        .toSorted(),
    ).toEqual(['first.txt', 'other.db'])
    expect(err.match(/Slipway's own data/g)).not.toBeNull()
  }))
