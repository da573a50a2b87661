// The logo, a hull on a slipway, in the colours of the theme.
import type { ReactNode } from 'react'

export function Mark({ size = 22 }: { readonly size?: number }): ReactNode {
  return (
    <svg className="mark" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M2.5 20.5 21.5 10v10.5z" fill="var(--accent)" opacity="0.28" />
      <path d="M1.5 18.6 22 7.2" stroke="var(--accent)" strokeWidth="1.6" strokeLinecap="round" />
      <path
        d="M7.2 11.8c3.4-.4 6-1.7 8.2-4.6l6.4-.9-3 3.4-8.6 4.8c-1.6-.3-2.5-1.200-3-2.700z"
        fill="var(--accent)"
      />
    </svg>
  )
}
