// The tile before a file: an icon and a colour for its kind, or a small picture of a picture that is on this computer.
// The icon differs too, so that colour is never the only distinction.
import { File, FileArchive, FileCode, FileHeadphone, FileImage, FilePlay, FileText, type LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { FileKind } from '../../src-shared/model.ts'
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

/** `transferId`: of the file on this computer; null: it came from elsewhere. */
export function KindTile({ kind, transferId = null }: { readonly kind: FileKind; readonly transferId?: number | null }): ReactNode {
  const Icon = ICONS[kind]
  return (
    <span className={`kind-tile kind-${kind}`} aria-hidden="true">
      <Icon className="icon" />
      {kind === 'picture' && transferId !== null ? <Picture transferId={transferId} /> : null}
    </span>
  )
}

/** Transfers are numbered by each account for itself. */
function Picture({ transferId }: { readonly transferId: number }): ReactNode {
  const account = useApp((state) => state.connection?.accountId ?? '')
  const address = `./thumbnail/${transferId}?account=${encodeURIComponent(account)}`
  return <Thumbnail key={address} address={address} />
}

/** Lies over the icon once it is there. The shell makes it small; where it can't, the icon stays. */
function Thumbnail({ address }: { readonly address: string }): ReactNode {
  const [state, setState] = useState<'loading' | 'shown' | 'none'>('loading')
  if (state === 'none') return null
  return (
    <img
      className={state === 'shown' ? 'kind-thumbnail kind-thumbnail-shown' : 'kind-thumbnail'}
      src={address}
      alt=""
      decoding="async"
      draggable={false}
      onLoad={() => setState('shown')}
      onError={() => setState('none')}
    />
  )
}
