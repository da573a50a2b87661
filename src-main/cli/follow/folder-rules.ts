// The rules of a watched folder that the command line can set, and how they are written as options.
import type { Folder } from '../../../src-shared/model.ts'

export type FolderRules = Pick<Folder, 'existing' | 'onChange' | 'ignore'>

export function rulesOf({ existing, onChange, ignore }: FolderRules): FolderRules {
  return { existing, onChange, ignore: [...ignore] }
}

/** The rules as command line options. */
export function rulesText({ existing, onChange, ignore }: FolderRules): string {
  return [`--existing ${existing}`, `--on-change ${onChange}`, ...ignore.map((pattern) => `--ignore '${pattern}'`)].join(' ')
}
