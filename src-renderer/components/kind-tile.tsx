// The tile before a file: its kind as an icon with its own tint.
// The kind has a name as well, so colour never carries it alone.
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
