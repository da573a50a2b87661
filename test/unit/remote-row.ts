// An ordinary row of the catalog, as the engine passes it to a window.
// Tests override the fields that matter to them.
import type { RemoteRow } from '../../src-shared/model.ts'

export function remoteRow(fileId: number, changes: Partial<RemoteRow> = {}): RemoteRow {
  return {
    fileId,
    filename: `file-${fileId}.jpg`,
    size: 1,
    bytes: 1000,
    uploadDate: null,
    uploadedAt: null,
    downloadCount: 0,
    publicLink: `https://files.example.com/d/${fileId}`,
    localPath: null,
    sha256: null,
    kind: 'picture',
    transferId: null,
    source: null,
    original: null,
    pulse: [],
    ...changes,
  }
}
