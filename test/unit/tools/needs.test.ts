// What tests need from the system: one table, from which everything that installs packages takes its list,
// and marks that are read again as they were written.
import { expect, it } from 'vitest'
import { lacks, NEEDS, type Need, needsIn, packagesOf, relevantNeeds, remedy } from '../../tools/needs.ts'
import { readTree } from '../../tools/tree.ts'

it.each([
  ['.ci/run', /for package in ([^;]+); do/],
  ['.devcontainer/devcontainer.json', /apt-get install -y --no-install-recommends ([^&]+) &&/],
  ['.github/CONTRIBUTING.md', /`apt install ([^`]+)`/],
])('%s installs every package that a test needs, and no other', (file, list) => {
  const [, packages = ''] = list.exec(readTree(file)) ?? []
  expect(packages.replaceAll('\\', ' ').trim().split(/\s+/)).toEqual(packagesOf())
})

it('every need says what brings it', () => {
  for (const need of relevantNeeds(true))
    expect([need, remedy([need], true)]).toEqual([need, expect.stringMatching(/\w{3}/)])
})

it('packages of several needs are brought by one command', () => {
  const needs: Need[] = ['keyring', 'mounting', 'zsh']
  const mounting = NEEDS.mounting.otherwise
  expect(remedy(needs, true)).toBe(`apt install dbus gnome-keyring libsecret-tools mount zsh; ${mounting}`)
  expect(remedy(needs, false)).toBe(
    `install what Debian calls dbus, gnome-keyring, libsecret-tools, mount, zsh; ${mounting}`,
  )
  expect(remedy(['root'], true)).toBe(NEEDS.root.otherwise)
})

it('what only the long tests need is not missed by the short ones', () => {
  expect(relevantNeeds(true)).toContain('packagers')
  expect(relevantNeeds(false)).not.toContain('packagers')
  expect(relevantNeeds(false)).toContain('keyring')
})

it.each<[Need[]]>([[['keyring']], [['binutils', 'dpkg', 'packagers']]])(
  '%j is read in a title again',
  (needs) => {
    expect(needsIn(`packages for Linux (${lacks(needs)}) becomes the same bytes again`)).toEqual(needs)
  },
)

it.each(['says that a key lacks a letter', 'a folder that lacks nothing', 'no reason'])(
  'no need is read in %j',
  (title) => {
    expect(needsIn(title)).toEqual([])
  },
)
