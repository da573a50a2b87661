// The tile before a file: an icon and a colour for its kind.
// The icon differs too, so that colour is never the only distinction.
import { File, FileArchive, FileCode, FileHeadphone, FileImage, FilePlay, FileText, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { FileKind } from '../../src-shared/model.ts'
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

export function KindTile({ kind }: { readonly kind: FileKind }): ReactNode {
  const Icon = ICONS[kind]
  return (
    <span className={`kind-tile kind-${kind}`} aria-hidden="true">
      <Icon className="icon" />
    </span>
  )
}
