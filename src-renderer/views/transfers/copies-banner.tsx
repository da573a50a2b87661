// The banner that is shown above the list when files have duplicates on the service. Once dismissed, it doesn't show these duplicates again
// until the page is reloaded or another account is shown. The settings still offer to delete them, in the folder's card or under "Uploads".
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
