// Lets the user take a picture of a part of the screen with the tool of a Linux desktop, through the portal
// org.freedesktop.portal.Screenshot. The desktop saves the picture and names its file.
import { randomBytes } from 'node:crypto'
import type { Message, Value } from './message.ts'
import { BUS, SessionBus } from './session-bus.ts'

const PORTAL = 'org.freedesktop.portal.Desktop'
const RULE = `type='signal',sender='${PORTAL}',interface='org.freedesktop.portal.Request',member='Response'`
const GONE = `type='signal',sender='${BUS.destination}',interface='${BUS.interface}',member='NameOwnerChanged',arg0='${PORTAL}'`
/** What the user did, as the portal's `Response` says. */
const DONE = 0
const CANCELLED = 1

/** `none`: there is no portal for screenshots. `refused`: it took no picture, for example without permission. */
export type PortalPicture = { readonly uri: string } | 'cancelled' | 'refused' | 'none'

/** Resolves once the user has taken the picture or cancelled, however long that takes. */
export async function takePortalPicture(
  env: Readonly<Record<string, string | undefined>>,
): Promise<PortalPicture> {
  const { promise, resolve } = Promise.withResolvers<PortalPicture>()
  let owner: Value | undefined
  let handle: Value | undefined
  // Any program on the bus can send a signal with any content, and with any file in it.
  const take = (signal: Message): void => {
    if (signal.member === 'Response' && signal.sender === owner && signal.path === handle)
      resolve(pictureOf(signal.body()))
    // A portal that ends takes its question with it.
    if (
      signal.member === 'NameOwnerChanged' &&
      signal.sender === BUS.destination &&
      signal.body()[1] === owner
    )
      resolve('refused')
  }
  const bus = await SessionBus.open(env, take, () => resolve('refused'))
  if (bus === null) return 'none'
  try {
    await bus.listen(RULE)
    await bus.listen(GONE)
    // The portal starts on demand.
    await bus.call({ ...BUS, member: 'StartServiceByName', signature: 'su', args: [PORTAL, 0] })
    owner = (await bus.call({ ...BUS, member: 'GetNameOwner', args: [PORTAL] }))?.[0]
    if (owner === undefined) return 'none'
    bus.request(
      {
        destination: PORTAL,
        path: '/org/freedesktop/portal/desktop',
        interface: 'org.freedesktop.portal.Screenshot',
        member: 'Screenshot',
        signature: 'sa{sv}',
        // Without a parent window: the picture is of other programs' windows.
        args: [
          '',
          [
            ['handle_token', { type: 's', value: `slipway_${randomBytes(8).toString('hex')}` }],
            ['interactive', { type: 'b', value: true }],
            ['modal', { type: 'b', value: false }],
          ],
        ],
      },
      // A portal without a backend for screenshots lacks the interface, and answers with an error.
      (values) => {
        handle = values?.[0]
        if (handle === undefined) resolve('none')
      },
    )
    return await promise
  } finally {
    bus.close()
  }
}

function pictureOf([response, results]: readonly Value[]): PortalPicture {
  if (response === CANCELLED) return 'cancelled'
  const found = Array.isArray(results)
    ? (results as readonly (readonly Value[])[]).find(([key]) => key === 'uri')?.[1]
    : undefined
  return response === DONE && typeof found === 'string' ? { uri: found } : 'refused'
}
