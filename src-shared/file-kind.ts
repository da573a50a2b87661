// The kind of a file, by its extension, for icons and for the filter of the list. A name proves nothing about
// the content, so the kind must not decide whether a file is opened, run or refused.
import type { FileKind } from './model.ts'

const EXTENSIONS: Readonly<Record<Exclude<FileKind, 'other'>, string>> = {
  picture:
    'apng avif bmp cr2 cr3 dng gif heic heif ico jfif jpeg jpg jxl nef png psd raf svg tif tiff webp xcf',
  document:
    'csv doc docx epub key log md numbers odp ods odt pages pdf ppt pptx ps rtf tex text tsv txt xls xlsm xlsx',
  video: '3gp avi flv m2ts m4v mkv mov mp4 mpeg mpg mts ogv webm wmv',
  audio: 'aac aif aiff amr flac m4a mid midi mp3 oga ogg opus wav wma',
  archive: '7z apk bz2 cab deb dmg gz img iso jar lz4 msi pkg rar rpm tar tbz2 tgz txz xz zip zst',
  code: 'c cc cpp cs css diff go h hpp html ini java js json jsx kt lua m mjs patch php pl py rb rs sh sql swift toml ts tsx vue xml yaml yml',
}

const KIND_OF: ReadonlyMap<string, FileKind> = new Map(
  Object.entries(EXTENSIONS).flatMap(([kind, list]) =>
    list.split(' ').map((extension) => [extension, kind as FileKind] as const),
  ),
)

/** Returns `other` for null and for names without a known extension. */
export function fileKind(name: string | null): FileKind {
  const dot = name?.lastIndexOf('.') ?? -1
  if (name === null || dot < 0) return 'other'
  return KIND_OF.get(name.slice(dot + 1).toLowerCase()) ?? 'other'
}
