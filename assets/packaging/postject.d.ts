// Types of postject's one function, which the package doesn't bring.
// Written from its documentation.
declare module 'postject' {
  export function inject(
    filename: string,
    resourceName: string,
    resourceData: Buffer,
    options?: {
      readonly machoSegmentName?: string
      readonly overwrite?: boolean
      readonly sentinelFuse?: string
    },
  ): Promise<void>
}
