// The software bill of materials: what npm says of all packages in the lockfile, cut down to those that end
// up in Slipway's packages. Without serial number and time, so that the same sources give the same file.
import { z } from 'zod'

const Component = z.looseObject({
  'bom-ref': z.string(),
  name: z.string(),
  version: z.string(),
  purl: z.string(),
  properties: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
})
const Bom = z.looseObject({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.string(),
  serialNumber: z.string().optional(),
  metadata: z.looseObject({
    timestamp: z.string().optional(),
    component: z.looseObject({ 'bom-ref': z.string(), name: z.string() }),
  }),
  components: z.array(Component),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
})
type Component = z.infer<typeof Component>
export type Bom = z.infer<typeof Bom>

/** What no bundle lists and every package holds: the two programs that run the code. */
const RUNTIMES = ['electron', 'node']

/**
 * @param all what `npm sbom --sbom-format=cyclonedx` printed
 * @param inside `name@version` of the packages that the build bundled (dist/packages.json)
 * @throws if a package that is inside is missing in the list
 */
export function shippedOnly(all: unknown, inside: readonly string[]): Bom {
  const bom = Bom.parse(all)
  const isShipped = (one: Component): boolean =>
    inside.includes(one['bom-ref']) || RUNTIMES.includes(one.name) || one.name.startsWith('@napi-rs/keyring-')
  const components = bom.components.filter(isShipped).map(asShipped)
  const found = new Set(components.map((one) => one['bom-ref']))
  const missing = inside.filter((one) => !found.has(one))
  if (missing.length > 0) throw new Error(`The lockfile doesn't list ${missing.join(', ')}.`)
  const root = bom.metadata.component['bom-ref']
  // npm takes the name of the folder, and calls everything a library.
  const component = { ...bom.metadata.component, name: root.replace(/@[^@]+$/, ''), type: 'application' }
  const refs = new Set([root, ...components.map((one) => one['bom-ref'])])
  const { timestamp: _timestamp, ...metadata } = bom.metadata
  const { serialNumber: _serialNumber, ...rest } = bom
  return {
    ...rest,
    metadata: { ...metadata, component },
    components: components.toSorted((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1)),
    dependencies: bom.dependencies
      .filter((one) => refs.has(one.ref))
      .map((one) => ({ ref: one.ref, dependsOn: one.dependsOn.filter((ref) => refs.has(ref)) })),
  }
}

/**
 * For npm most of it is development: a bundled package needn't be installed with the program. In the packages
 * all of it is required.
 */
function asShipped(one: Component): Component {
  const properties = (one.properties ?? []).filter(({ name }) => name !== 'cdx:npm:package:development')
  return { ...one, scope: 'required', properties }
}
