// The tile in front of a file name: an icon and a colour for the file's type, or a thumbnail if the file is a
// picture on this computer. The icons differ as well as the colours, so that colour is never the only
// distinction.
import {
  File,
  FileArchive,
  FileCode,
  FileHeadphone,
  FileImage,
  FilePlay,
  FileText,
  type LucideIcon,
} from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { FileKind } from '../../src-shared/model.ts'
import { keptThumbnail, requestThumbnail } from '../lib/thumbnails.ts'
import { useApp } from '../state/store.ts'
import './kind-tile.css'

const ICONS: Readonly<Record<FileKind, LucideIcon>> = {
  picture: FileImage,
  document: FileText,
  video: FilePlay,
  audio: FileHeadphone,
  archive: FileArchive,
  code: FileCode,
  other: File,
}

/**
 * `transferId`: the transfer whose original on this computer provides the thumbnail; null if there is no
 * original or it is gone.
 */
export function KindTile({
  kind,
  transferId = null,
}: {
  readonly kind: FileKind
  readonly transferId?: number | null
}): ReactNode {
  const Icon = ICONS[kind]
  return (
    <span className={`kind-tile kind-${kind}`} aria-hidden="true">
      <Icon className="icon" />
      {kind === 'picture' && transferId !== null ? <Picture transferId={transferId} /> : null}
    </span>
  )
}

/** The URL includes the account, because every account numbers its transfers independently. */
function Picture({ transferId }: { readonly transferId: number }): ReactNode {
  const account = useApp((state) => state.connection?.accountId ?? '')
  const address = `./thumbnail/${transferId}?account=${encodeURIComponent(account)}`
  return <Thumbnail key={address} address={address} />
}

/** Covers the icon. If there is no thumbnail, the icon stays visible. */
function Thumbnail({ address }: { readonly address: string }): ReactNode {
  const [bitmap, setBitmap] = useState(() => keptThumbnail(address))
  useEffect(() => requestThumbnail(address, setBitmap), [address])
  if (bitmap === null) return null
  return (
    <canvas
      className="kind-thumbnail"
      width={bitmap.width}
      height={bitmap.height}
      ref={(canvas) => canvas?.getContext('2d')?.drawImage(bitmap, 0, 0)}
    />
  )
}
