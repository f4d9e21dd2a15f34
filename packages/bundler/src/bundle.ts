import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type InputOptions, type OutputChunk, type OutputOptions, rolldown } from 'rolldown'
import { licences, licencesFile } from './licences.ts'
import { outsidePackages } from './outside-packages.ts'
import { ownLocations } from './own-locations.ts'
import { wholePackages } from './whole-packages.ts'
import { withNames } from './with-names.ts'

const outside = outsidePackages(
  new Set([
    // Optional: the user installs it.
    '@opentelemetry/api',
    // Loaded by the first request, and large.
    'undici',
  ]),
)

/**
 * Bundles the built command into `packages/sluice/dist/bundle`: a few files in place of 1,500, which take most of the time
 * of a start. Only `bin/sluice.js` uses them, and only while they are of the present build.
 * @param root folder of the repository, where `tsc -b` has run.
 */
export async function bundle(root: string): Promise<void> {
  const packages = join(root, 'packages')
  const target = join(packages, 'sluice/dist/bundle')
  // Replaces the earlier bundle only when it is complete.
  const folder = join(packages, 'sluice/dist/bundle-in-progress')
  rmSync(folder, { recursive: true, force: true })
  const builtAt = modificationTimes(root, target)
  const modules = new Set<string>()
  for (const input of inputs(packages)) {
    const build = await rolldown(input)
    const { output } = await build.write({ dir: folder, ...splitting })
    for (const chunk of output.filter((each): each is OutputChunk => each.type === 'chunk'))
      for (const file of Object.keys(chunk.modules)) modules.add(file)
    await build.close()
  }
  writeFileSync(join(folder, licencesFile), licences(modules))
  writeFileSync(join(folder, 'made-from.json'), `${JSON.stringify(builtAt, null, 2)}\n`)
  rmSync(target, { recursive: true, force: true })
  renameSync(folder, target)
}

const splitting: OutputOptions = {
  minify: withNames,
  chunkFileNames: '[name]-[hash].js',
  codeSplitting: {
    groups: [
      {
        // In one file what the command loads in any case, rather than in one for each set of its subcommands.
        name: 'start',
        tags: ['$initial'],
        // Main files stay by themselves: they wait for the work to end, and a file that imports one would wait too.
        test: /(?<!\/cli\/main|\/worker-main|\/store-thread|\/client-main|\/query-main|\/work-main)\.m?js$/,
      },
    ],
  },
}

/** The command, with a file for each part that only some of its commands load, and the main files of its threads and processes. */
function inputs(packages: string): readonly InputOptions[] {
  const plugins = [wholePackages, outside, ownLocations()]
  return [
    {
      platform: 'node',
      input: { main: join(packages, 'sluice/dist/cli/main.js') },
      plugins,
    },
    // Not with the others, so that each is a file by itself.
    { platform: 'node', input: { 'worker-main': join(packages, 'sandbox/dist/pool/worker-main.js') }, plugins },
    {
      platform: 'node',
      input: { 'store-thread': join(packages, 'storage/dist/sqlite/thread/store-thread.js') },
      plugins,
    },
    { platform: 'node', input: { 'client-main': join(packages, 'delivery/dist/clients/client-main.js') }, plugins },
    {
      platform: 'node',
      input: { 'query-main': join(packages, 'warehouse/dist/engines/duckdb/query/query-main.js') },
      plugins,
    },
    { platform: 'node', input: { 'work-main': join(packages, 'warehouse/dist/destinations/work-main.js') }, plugins },
  ]
}

/** Returns when the packages, the bundler and the list of dependencies changed last, by path from the bundle. */
function modificationTimes(root: string, target: string): Readonly<Record<string, number>> {
  const packages = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name))
  const builds = packages.map((folder) => join(folder, 'dist/.tsbuildinfo'))
  const times = [...builds, join(root, 'pnpm-lock.yaml')].flatMap((file) => {
    const found = statSync(file, { throwIfNoEntry: false })
    return found ? [[relative(target, file), found.mtimeMs] as const] : []
  })
  return Object.fromEntries(times)
}
