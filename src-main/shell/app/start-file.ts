// The file from which the user starts an AppImage or the portable .exe, according to the variables that both set. An AppImage is mounted,
// and the portable .exe unpacked, at a path that changes with each start. Another program of either kind passes its variables on to the
// programs that it starts, so they are checked. Pure.

interface Started {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  /** Path of the running program. */
  readonly program: string
}

/** Null if the program was started from neither. */
export function startFile({ platform, env, program }: Started): string | null {
  if (platform === 'linux') return isBelow(env['APPDIR'], program) ? env['APPIMAGE'] || null : null
  // The name of the app, in lower case or as it is shown, depending on the options of the build.
  const isOwn = platform === 'win32' && env['PORTABLE_EXECUTABLE_APP_FILENAME']?.toLowerCase() === 'slipway'
  return isOwn ? env['PORTABLE_EXECUTABLE_FILE'] || null : null
}

export function isBelow(folder: string | undefined, program: string): boolean {
  return folder !== undefined && folder !== '' && program.startsWith(`${folder}/`)
}
