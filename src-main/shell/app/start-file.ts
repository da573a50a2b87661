// Finds the file from which the user started an AppImage or the portable .exe, using environment variables
// that these set. An AppImage is mounted, and the portable .exe unpacked, at a path that changes with each
// start. The variables are checked, because a program inherits them from any other AppImage or portable .exe
// that starts it. Also finds the start script of the other Linux packages.
import { existsSync } from 'node:fs'

interface Started {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  /** Path of the running program. */
  readonly program: string
}

/** Returns the path of the AppImage or portable .exe; null if the program was started from neither. */
export function startFile({ platform, env, program }: Started): string | null {
  if (platform === 'linux') return isBelow(env['APPDIR'], program) ? env['APPIMAGE'] || null : null
  // The variable contains the app's name, in lower case or as displayed, depending on the build options.
  const isOwn = platform === 'win32' && env['PORTABLE_EXECUTABLE_APP_FILENAME']?.toLowerCase() === 'slipway'
  return isOwn ? env['PORTABLE_EXECUTABLE_FILE'] || null : null
}

/**
 * Returns the path by which other programs start the app: in Linux packages, that of a script beside the
 * program (assets/linux/start-app.sh). `program` is the path of the running program.
 */
export function startPath(program: string): string {
  const script = program.replace(/\.bin$/, '')
  return script !== program && existsSync(script) ? script : program
}

/**
 * Whether the program is part of a Snap. A program that a Snap starts inherits SNAP, so the variable must
 * also match the program's path.
 */
export function isInSnap(env: Started['env'], program: string): boolean {
  return isBelow(env['SNAP'], program)
}

export function isBelow(folder: string | undefined, program: string): boolean {
  return folder !== undefined && folder !== '' && program.startsWith(`${folder}/`)
}
