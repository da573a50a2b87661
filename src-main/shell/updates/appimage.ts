// Replaces the running AppImage. The new file is copied beside the old one, verified there, and then renamed
// over it. The old file is kept under another name, so that it can be restored until the new version has
// proved stable. There is always a complete AppImage under the original name.

import { constants, existsSync } from 'node:fs'
import { copyFile, link, open, rename, rm } from 'node:fs/promises'
import type { UpdateDisk } from './update-disk.ts'
import { programFolderError, UpdateError } from './update-error.ts'

const NEW = '.update'
const PREVIOUS = '.previous'

/**
 * Copies the downloaded package beside `appImage` and verifies the copy. Leaves nothing behind on failure.
 */
export async function placeBeside(
  appImage: string,
  from: string,
  sha512: string,
  disk: Pick<UpdateDisk, 'sha512'>,
): Promise<void> {
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
    if ((await disk.sha512(beside)) !== sha512)
      throw new UpdateError('damaged', 'The copy beside the AppImage differs.')
  } catch (error) {
    await rm(beside, { force: true })
    throw programFolderError(error)
  }
}

/** Renames the new AppImage over the old one. Resolves to the path under which the old one is kept. */
export async function swap(appImage: string): Promise<string> {
  const previous = `${appImage}${PREVIOUS}`
  try {
    await rm(previous, { force: true })
    // Some file systems don't support hard links.
    await link(appImage, previous).catch(() => copyFile(appImage, previous, constants.COPYFILE_FICLONE))
    await rename(`${appImage}${NEW}`, appImage)
  } catch (error) {
    await rm(`${appImage}${NEW}`, { force: true })
    await rm(previous, { force: true })
    throw programFolderError(error)
  }
  return previous
}

/**
 * Renames the previous AppImage over the new one. Rejects with an UpdateError on failure, for example if no
 * previous one is kept.
 */
export async function putBack(appImage: string): Promise<void> {
  try {
    await rename(`${appImage}${PREVIOUS}`, appImage)
  } catch (error) {
    throw programFolderError(error)
  }
}

export function hasPrevious(appImage: string): boolean {
  return existsSync(`${appImage}${PREVIOUS}`)
}

export async function removePrevious(appImage: string): Promise<void> {
  await rm(`${appImage}${PREVIOUS}`, { force: true })
}

/** Removes what an interrupted update left beside the AppImage. */
export async function removeUnfinished(appImage: string): Promise<void> {
  await rm(`${appImage}${NEW}`, { force: true })
}
