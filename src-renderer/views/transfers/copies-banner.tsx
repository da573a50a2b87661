// The banner above the list where files have second copies on the service. Dismissed, it stays away until the window is loaded again; the
// folder's card in the settings still offers to delete them.
import type { ReactNode } from 'react'
import { SecondCopies } from '../../components/second-copies.tsx'
import { keepSecondCopies, useKeptCopies, useSecondCopies } from '../../hooks/use-second-copies.ts'

export function CopiesBanner(): ReactNode {
  const all = useSecondCopies()
  const kept = useKeptCopies()
  const copies = all.filter((one) => !kept.has(one.fileId))
  if (copies.length === 0) return null
  return (
    <div className="transfers-banner">
      <SecondCopies copies={copies} onClose={() => keepSecondCopies(copies)} />
    </div>
  )
}
