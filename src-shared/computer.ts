// What the window knows about this computer apart from its files: which file managers can show Slipway in
// their menus, whether notifications and autostart are supported, which settings an administrator has fixed,
// and what is known about the login for its proxy.
import { z } from 'zod/mini'

const FILE_MANAGERS = ['explorer', 'finder', 'nautilus', 'nemo', 'dolphin', 'thunar'] as const
/** `managers`: the file managers on this computer that can show "Upload and copy link" in their menus. */
export const FileManagerView = z.object({
  managers: z.array(z.object({ name: z.enum(FILE_MANAGERS), isOn: z.boolean() })),
  /** The file managers whose menus this call failed to change. */
  failed: z.array(z.enum(FILE_MANAGERS)),
})
export type FileManagerView = z.infer<typeof FileManagerView>

/** What this system supports. */
export const SystemSupport = z.object({
  /** Whether the system can show notifications; false, for example, on a Linux desktop without libnotify. */
  notifications: z.boolean(),
  /** Whether Slipway can have the system start it at login; false in a Flatpak or Snap. */
  autostart: z.boolean(),
  /**
   * Whether this is a Wayland session, in which programs can neither reserve keys nor stay on top of other
   * windows.
   */
  wayland: z.boolean(),
})

/**
 * The settings that policy files fix. `address`: the only allowed service; null if any is allowed.
 * `forbidden`: folders from which nothing is uploaded. `fault`: why a policy file can't be used, in English;
 * while it is set, nothing is sent.
 */
export const ManagedSettings = z.object({
  address: z.nullable(z.string()),
  forbidden: z.array(z.string()),
  /** The policy file that can't be used, and why, in English. */
  fault: z.nullable(z.string()),
})
export type ManagedSettings = z.infer<typeof ManagedSettings>
/** Sent when a policy file is written, changed or removed while the window is open. */
export const ManagedEvent = z.object({ kind: z.literal('managed'), managed: ManagedSettings })

/** What is known about the login for the proxy that was used last. Never contains the password. */
export const ProxyLoginView = z.object({
  /**
   * The proxy's origin, such as `http://proxy:3128`; null until a proxy is used. A proxy with a login in its
   * address doesn't count.
   */
  proxy: z.nullable(z.string()),
  name: z.nullable(z.string()),
  /**
   * Where the user name and password are stored; null if there are none. `session`: in memory until Slipway
   * quits.
   */
  kept: z.nullable(z.enum(['keychain', 'session'])),
  /** Whether the proxy required a login that it didn't get, or rejected the one it got. */
  refused: z.boolean(),
})
export type ProxyLoginView = z.infer<typeof ProxyLoginView>
