// Which tests have a long share, by what they import, and that those of the repository are found.
import { describe, expect, it } from 'vitest'
import { longFiles } from '../tools/long.ts'

function among(sources: Readonly<Record<string, string>>): ReturnType<typeof longFiles> {
  return longFiles(Object.keys(sources), (file) => sources[file] ?? '')
}

describe('the long share', () => {
  it('has the files that are named so, and those that take a count from share.ts, directly or through a helper', () => {
    const files = among({
      'test/tools/share.ts': '',
      'test/scenario/chaos.long.test.ts': '',
      'test/scenario/chaos.test.ts': "import { it } from 'vitest'\n",
      'test/scenario/once.test.ts': "import { IS_LONG } from '../tools/share.ts'\n",
      'test/fuzz/fuzz.ts': "import {\n  share,\n} from '../tools/share.ts'\n",
      'test/fuzz/client.test.ts': "import { fuzz } from './fuzz.ts'\n",
      'test/e2e/hostile.spec.ts': "import { share } from '../tools/share.ts'\n",
      'test/e2e/lab.long.spec.ts': '',
      'test/e2e/rows.spec.ts': "import { open } from './share.ts'\n",
    })
    expect(files).toEqual({
      tests: ['test/fuzz/client.test.ts', 'test/scenario/chaos.long.test.ts', 'test/scenario/once.test.ts'],
      specs: ['test/e2e/hostile.spec.ts', 'test/e2e/lab.long.spec.ts'],
    })
  })

  it('of the repository has chaos, gestures, dialects and fuzzers', () => {
    const { tests } = longFiles()
    for (const file of [
      'scenario/chaos.long',
      'scenario/gestures.long',
      'scenario/watch-once',
      'fuzz/client',
      'fuzz/parsers',
    ])
      expect(tests).toContain(`test/${file}.test.ts`)
  })
})
