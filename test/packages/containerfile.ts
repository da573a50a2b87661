// Reads from assets/server/Containerfile which files of the repository go into the image and into the stage
// that builds.
import { readTree } from '../tools/tree.ts'

export const CONTAINERFILE = 'assets/server/Containerfile'

/** Paths that COPY takes from the repository, by stage, in the file's order. */
function copiedByStage(): string[][] {
  const stages = readTree(CONTAINERFILE)
    .split(/^FROM /m)
    .slice(1)
  return stages.map((stage) =>
    [...stage.matchAll(/^COPY (.*)$/gm)].flatMap(([, words = '']) =>
      words.includes('--from=')
        ? []
        : words
            .split(' ')
            .filter((word) => !word.startsWith('--'))
            .slice(0, -1),
    ),
  )
}

export function copiedFiles(): string[] {
  return copiedByStage().flat()
}

/** What the first stage has beside the installed packages: everything that a build needs. */
export function buildSources(): string[] {
  return copiedByStage()[0] ?? []
}
