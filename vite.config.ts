// Builds the program: one file, dist/cli.js, that a person can copy, run and read. It holds every dependency but the native keychain
// module, so nothing has to be found at run time except that one. Beside it the app: main process, engine thread, preload script and
// window; and the command line once more, for the executable that packages install.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type EnvironmentOptions, type Plugin } from 'vite'
import { type BuildFor, PINNED } from './test/electron/plan.ts'

const here = import.meta.dirname
/** What the app is built for: the pinned Electron, unless `npm run test:electron` names another one. */
const FOR: BuildFor = {
  ...PINNED,
  ...(JSON.parse(process.env['SLIPWAY_BUILD_FOR'] ?? '{}') as Partial<BuildFor>),
}
const DIST = resolve(here, FOR.dist)
const SHEBANG = '#!/usr/bin/env node\n'

/**
 * An older Node has to get far enough to start the right one, or to say that it is missing. A static import of a built-in module or name
 * that it lacks (`node:sqlite`) would end it while linking, before the first line runs. So the built-ins are fetched by call
 * (`process.getBuiltinModule`, Node 20.16 and later), and what is missing is undefined until somebody uses it.
 */
function builtinsByCall(): Plugin {
  return {
    name: 'slipway:builtins-by-call',
    renderChunk(code) {
      let out = code
      for (const node of this.parse(code).body.toReversed()) {
        if (node.type !== 'ImportDeclaration' || !isBuiltin(node.source.value)) continue
        const call = `process.getBuiltinModule(${JSON.stringify(node.source.value)})`
        const lines: string[] = []
        const names: string[] = []
        for (const one of node.specifiers) {
          if (one.type !== 'ImportSpecifier') lines.push(`const ${one.local.name} = ${call};`)
          else if (one.imported.type !== 'Identifier')
            throw new Error(`Cannot fetch ${code.slice(one.start, one.end)} by call.`)
          else
            names.push(
              one.imported.name === one.local.name
                ? one.local.name
                : `${one.imported.name}: ${one.local.name}`,
            )
        }
        if (names.length > 0) lines.push(`const { ${names.join(', ')} } = ${call} ?? {};`)
        out = out.slice(0, node.start) + lines.join('\n') + out.slice(node.end)
      }
      return out
    },
  }
}

/** Folder of every package that went into any of the bundles, for dist/licences.txt and dist/packages.json. */
const packagesInside = new Set<string>([resolve(here, 'node_modules/@napi-rs/keyring')])

function licenceText(at: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as Readonly<
    Record<string, string>
  >
  const file = readdirSync(at).find((one) => /^licen[cs]e([.-]|$)/i.test(one))
  // A few packages of one line only name theirs.
  if (file === undefined && license === undefined) throw new Error(`${name} comes without a licence.`)
  if (file === undefined) return `${name} ${version}\n\nLicence: ${license}`
  return `${name} ${version}\n\n${readFileSync(join(at, file), 'utf8').trim()}`
}

function nameAndVersion(at: string): string {
  const { name, version } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as Readonly<
    Record<string, string>
  >
  return `${name}@${version}`
}

/** Notes the packages of an environment: code by its modules, fonts by their style sheets. */
function notePackages(): Plugin {
  const packageOf = (id: string): string | undefined =>
    /^.*[\\/]node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0]
  return {
    name: 'slipway:note-packages',
    // A style sheet is in no chunk's list by the end of a build, so every module that was asked for counts.
    buildEnd() {
      for (const id of this.getModuleIds()) {
        const at = packageOf(id.replace(/^\0/, ''))
        if (at !== undefined && existsSync(join(at, 'package.json'))) packagesInside.add(at)
      }
    },
  }
}

/** The component library has its texts in 34 languages, the window has two. Each of the library's lists of languages is cut down to these. */
function onlyOurLanguages(): Plugin {
  return {
    name: 'slipway:only-our-languages',
    transform: {
      filter: { id: /[\\/]react-(?:aria|stately)[^\\/]*[\\/].*[\\/]intlStrings\.m?js$/ },
      handler: (code, id) => {
        const ours = [...code.matchAll(/^import (\S+) from "(\S+(en-US|de-DE)\.mjs)";$/gm)]
        if (ours.length !== 2) throw new Error(`${id} has another form.`)
        const entries = ours.map(([, name, , language]) => `"${language}": ${name}`)
        return {
          code: `${ours.map(([line]) => line).join('\n')}\nexport default { ${entries.join(', ')} }\n`,
          map: null,
        }
      },
    },
  }
}

/** The licences of the packages inside ask for their texts to go along; they stand at the end of the file. */
function licencesAtTheEnd(): Plugin {
  return {
    name: 'slipway:licences',
    renderChunk(code, chunk) {
      const inside = new Set(
        chunk.moduleIds.flatMap(
          (id) => /^.*[\\/]node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0] ?? [],
        ),
      )
      const texts = [...inside].toSorted().map(licenceText)
      const lines = ['Packages inside this file, and their licences', ...texts].join('\n\n').split('\n')
      return `${code}\n${lines.map((line) => `// ${line}`.trimEnd()).join('\n')}\n`
    },
  }
}

/**
 * The installed executable can't resolve a package by name, so its keychain module is found by
 * src-main/platform/account/installed-keyring.ts.
 */
function keychainBesideTheProgram(): Plugin {
  return {
    name: 'slipway:keychain-beside-the-program',
    applyToEnvironment: ({ name }) => name === 'program',
    enforce: 'pre',
    resolveId: (id, importer) =>
      id === '@napi-rs/keyring' && importer !== undefined
        ? resolve(here, 'src-main/platform/account/installed-keyring.ts')
        : null,
  }
}

/** The main process loads the network part of updates when it first needs it: a file of its own beside main.js (inMain('updates', …)). */
function updatesOnDemand(): Plugin {
  return {
    name: 'slipway:updates-on-demand',
    applyToEnvironment: ({ name }) => name === 'main',
    enforce: 'pre',
    resolveId: (id) => (id === './network.ts' ? { id: './updates.js', external: true } : null),
  }
}

/** What an older Electron lacks: a module that each part of the app loads first, and modules in the place of Node's. */
function forOlderElectron(): Plugin {
  return {
    name: 'slipway:for-older-electron',
    applyToEnvironment: ({ name }) => ['main', 'engine', 'updates', 'preload', 'client'].includes(name),
    enforce: 'pre',
    resolveId(id, importer) {
      const instead = FOR.modules[id]
      return instead === undefined || importer === instead ? null : instead
    },
    transform(code, id) {
      // The window's entry is a page, which loads this.
      const isEntry =
        this.environment.name === 'client'
          ? id.endsWith('/src-renderer/main.tsx')
          : this.getModuleInfo(id)?.isEntry === true
      const first = FOR.first[this.environment.name] ?? []
      if (!isEntry || first.length === 0) return null
      return { code: `${first.map((one) => `import ${JSON.stringify(one)}\n`).join('')}${code}`, map: null }
    },
  }
}

/** One first line and the run bit, so the file starts by its name right after the build. */
function executable(): Plugin {
  return {
    name: 'slipway:executable',
    renderChunk: { order: 'post', handler: (code) => SHEBANG + code.replace(/^#!.*\n/, '') },
    async writeBundle({ dir }, bundle) {
      for (const file of Object.keys(bundle)) await chmod(join(dir ?? here, file), 0o755)
    },
  }
}

/**
 * A single non-ASCII character makes V8 store the source of the whole file with two bytes per character: 5.5 MB instead of 2.8. So the few
 * in string literals and regular expressions are written as escapes.
 */
function asciiOnly(): Plugin {
  const escape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return {
    name: 'slipway:ascii-only',
    // Runs last, because any later step that prints the code would write the characters unescaped.
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk') chunk.code = chunk.code.replaceAll(/[\u0080-\uffff]/g, escape)
    },
  }
}

/** The code of the worker threads; null until it is built. */
let workerCode: string | null = null

/** Every program contains the code of its worker threads as text (src-main/platform/worker/worker-code.ts). */
function workerCodeInside(): Plugin {
  return {
    name: 'slipway:worker-code-inside',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const [only] = Object.values(bundle)
        if (this.environment.name === 'worker' && only?.type === 'chunk') workerCode = only.code
      },
    },
    load: {
      filter: { id: /[\\/]worker-code\.ts$/ },
      handler: () => {
        if (workerCode === null) throw new Error('The environment "worker" must be built first.')
        return `export const WORKER_CODE = ${JSON.stringify(workerCode)}\n`
      },
    },
  }
}

/** For Node inside Electron: everything is bundled but the native keychain module and what Electron brings. */
function inMain(name: string, input: string, { node, format } = FOR): EnvironmentOptions {
  return {
    consumer: 'server',
    resolve: {
      noExternal: true,
      external: ['@napi-rs/keyring', 'electron'],
      conditions: ['node', 'module', 'import', 'default'],
    },
    build: {
      ssr: true,
      outDir: resolve(DIST, 'main'),
      emptyOutDir: false,
      copyPublicDir: false,
      target: `node${node}`,
      minify: false,
      sourcemap: false,
      rolldownOptions: {
        input: resolve(here, input),
        external: ['electron', '@napi-rs/keyring'],
        plugins: [licencesAtTheEnd(), asciiOnly()],
        output: { format, entryFileNames: `${name}.js`, codeSplitting: false },
      },
    },
  }
}

/**
 * The files of the window's code: what the first frame needs, two views, and everything else. The texts of each language (src-shared/i18n)
 * are separate without a group. A file for each part would let each view load less, but all together would be 17 KB larger (gzip).
 */
const WINDOW_FILES = [
  { name: 'first', tags: ['$initial' as const], priority: 2 },
  { name: 'usage', test: /[\\/]views[\\/]usage[\\/]/, priority: 1 },
  { name: 'transfers', test: /[\\/]views[\\/]transfers[\\/]/, priority: 1 },
  { name: 'later', test: /^(?!.*[\\/]i18n[\\/])/ },
]

export default defineConfig({
  root: resolve(here, 'src-renderer'),
  base: './',
  logLevel: 'warn',
  plugins: [
    react(),
    onlyOurLanguages(),
    keychainBesideTheProgram(),
    updatesOnDemand(),
    forOlderElectron(),
    workerCodeInside(),
    notePackages(),
  ],
  environments: {
    // One script, which the programs contain as text. It is written nowhere.
    worker: {
      consumer: 'server',
      resolve: { noExternal: true, conditions: ['node', 'module', 'import', 'default'] },
      build: {
        ssr: true,
        write: false,
        copyPublicDir: false,
        target: 'node24',
        minify: false,
        sourcemap: false,
        rolldownOptions: {
          input: resolve(here, 'src-main/platform/worker/worker-main.ts'),
          plugins: [licencesAtTheEnd(), asciiOnly()],
          output: { format: 'cjs', entryFileNames: 'worker.cjs', codeSplitting: false },
        },
      },
    },
    cli: {
      consumer: 'server',
      resolve: {
        noExternal: true,
        external: ['@napi-rs/keyring'],
        conditions: ['node', 'module', 'import', 'default'],
      },
      build: {
        ssr: true,
        outDir: DIST,
        emptyOutDir: true,
        copyPublicDir: false,
        // Only the syntax: what runs is Node 24, but Node 20 has to be able to read the file to get there.
        target: 'node20',
        minify: false,
        sourcemap: false,
        rolldownOptions: {
          input: resolve(here, 'src-main/cli/main.ts'),
          plugins: [builtinsByCall(), licencesAtTheEnd(), executable(), asciiOnly()],
          output: { format: 'es', entryFileNames: 'cli.js', codeSplitting: false },
        },
      },
    },
    // The same program for the executable that packages install (assets/packaging/program.ts), which takes CommonJS only.
    program: {
      consumer: 'server',
      resolve: { noExternal: true, conditions: ['node', 'module', 'import', 'default'] },
      build: {
        ssr: true,
        outDir: resolve(DIST, 'program'),
        emptyOutDir: true,
        copyPublicDir: false,
        target: 'node24',
        minify: false,
        sourcemap: false,
        rolldownOptions: {
          input: resolve(here, 'src-main/cli/installed.ts'),
          plugins: [licencesAtTheEnd(), asciiOnly()],
          output: { format: 'cjs', entryFileNames: 'slipway.cjs', codeSplitting: false },
        },
      },
    },
    main: inMain('main', 'src-main/shell/main.ts'),
    engine: inMain('engine', 'src-main/shell/engine/thread.ts'),
    keychain: inMain('keychain', 'src-main/shell/accounts/keychain-process.ts'),
    // Only a thread loads it, which runs in Node 24 in any case.
    trial: inMain('trial', 'src-main/shell/trial/service-thread.ts', PINNED),
    updates: inMain('updates', 'src-main/shell/updates/network.ts'),
    preload: {
      consumer: 'server',
      resolve: { noExternal: true, external: ['electron'] },
      build: {
        ssr: true,
        outDir: resolve(DIST, 'preload'),
        emptyOutDir: true,
        copyPublicDir: false,
        target: `chrome${FOR.chrome}`,
        minify: false,
        sourcemap: false,
        rolldownOptions: {
          input: resolve(here, 'src-main/shell/preload.ts'),
          external: ['electron'],
          // A sandboxed preload script is one CommonJS file.
          output: { format: 'cjs', entryFileNames: 'preload.cjs', codeSplitting: false },
        },
      },
    },
    client: {
      build: {
        outDir: resolve(DIST, 'renderer'),
        emptyOutDir: true,
        copyPublicDir: false,
        target: `chrome${FOR.chrome}`,
        modulePreload: { polyfill: false },
        chunkSizeWarningLimit: 1200,
        // A strict CSP allows no data: addresses, so nothing may be inlined.
        assetsInlineLimit: 0,
        rolldownOptions: {
          // Reading a property or a global is never done for its effect here. Without these, unused constants of libraries remain.
          treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
          output: { codeSplitting: { groups: WINDOW_FILES } },
        },
      },
    },
  },
  builder: {
    // One configuration for all, so that the packages of every environment come together.
    sharedConfigBuild: true,
    sharedPlugins: true,
    buildApp: async (builder) => {
      // In this order: the programs contain the worker's code, and the first of them empties the folder of all.
      for (const name of [
        'worker',
        'cli',
        'program',
        'main',
        'engine',
        'keychain',
        'trial',
        'updates',
        'preload',
        'client',
      ]) {
        const environment = builder.environments[name]
        if (environment === undefined) throw new Error(`There is no environment named ${name}.`)
        await builder.build(environment)
      }
      const own = `Slipway\n\n${readFileSync(resolve(here, 'LICENSE'), 'utf8').trim()}`
      const texts = [own, ...[...packagesInside].toSorted().map(licenceText)]
      await writeFile(resolve(DIST, 'licences.txt'), `${texts.join(`\n\n${'-'.repeat(79)}\n\n`)}\n`)
      // For the bill of materials of a release.
      await writeFile(
        resolve(DIST, 'packages.json'),
        JSON.stringify([...packagesInside].map(nameAndVersion).toSorted()),
      )
    },
  },
})
