// Replaces the AppImage that is running. The new one is copied beside it and checked there, then takes its name in one step; the old one stays
// under another name until the new one has stayed up, and can be put back. At every moment a whole AppImage has the name.

import { constants, existsSync } from 'node:fs'
import { copyFile, link, open, rename, rm } from 'node:fs/promises'
import type { UpdateDisk } from './update-disk.ts'
import { UpdateError } from './update-error.ts'

const NEW = '.update'
const PREVIOUS = '.previous'

/** Copies the downloaded package beside `appImage`, and checks the copy. Leaves nothing behind if that fails. */
export async function placeBeside(appImage: string, from: string, sha512: string, disk: Pick<UpdateDisk, 'sha512'>): Promise<void> {
  const beside = `${appImage}${NEW}`
  try {
    await copyFile(from, beside)
    const handle = await open(beside, 'r+')
    try {
      await handle.chmod(0o755)
      await handle.sync()
    } finally {
      await handle.close()
    }
    if ((await disk.sha512(beside)) !== sha512) throw new UpdateError('damaged', 'The copy beside the AppImage differs.')
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}

/** Gives the new AppImage the name. Returns the path of the old one. */
export async function swap(appImage: string): Promise<string> {
  const previous = `${appImage}${PREVIOUS}`
  try {
    await rm(previous, { force: true })
    // Some file systems have no second names for a file.
    await link(appImage, previous).catch(() => copyFile(appImage, previous, constants.COPYFILE_FICLONE))
    await rename(`${appImage}${NEW}`, appImage)
  } catch (error) {
    await rm(`${appImage}${NEW}`, { force: true })
    await rm(previous, { force: true })
    throw error
  }
  return previous
}

/** Gives the old AppImage its name back. */
export async function putBack(appImage: string): Promise<void> {
  await rename(`${appImage}${PREVIOUS}`, appImage)
}

export function hasPrevious(appImage: string): boolean {
  return existsSync(`${appImage}${PREVIOUS}`)
}

export async function removePrevious(appImage: string): Promise<void> {
  await rm(`${appImage}${PREVIOUS}`, { force: true })
}

/** Removes what an update that was killed left beside the AppImage. */
export async function removeUnfinished(appImage: string): Promise<void> {
  await rm(`${appImage}${NEW}`, { force: true })
}
