import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type OutputChunk, type Plugin, rolldown } from 'rolldown'
import { licences, licencesFile } from './licences.ts'
import { packageFolderOf } from './outside-packages.ts'
import { withNames } from './with-names.ts'

/** Begins the names of inlined packages, as in `import PQueue from '#inlined/p-queue'`. */
const inlinedPrefix = '#inlined/'

/**
 * Writes the packages that ours carry inside of them, each as one file in `dist/inlined`, with their licences beside them.
 *
 * Some packages bring more packages, or many files that Sluice does not need. Such a one is a development dependency, and
 * `imports` of the manifest lead to the package in the checkout and to the file of it in a release.
 * @param root folder of the repository.
 */
export async function inlinePackages(root: string): Promise<void> {
  for (const name of readdirSync(join(root, 'packages'))) {
    const folder = join(root, 'packages', name)
    const inlined = inlinedIn(folder)
    const target = join(folder, 'dist/inlined')
    if (inlined.length === 0 || isCurrent(target, inlined, join(root, 'pnpm-lock.yaml'))) continue
    rmSync(target, { recursive: true, force: true })
    const modules = new Set<string>()
    for (const each of inlined) for (const file of await inline(folder, each, target)) modules.add(file)
    writeFileSync(join(target, licencesFile), licences(modules))
  }
}

/** Takes the packages themselves into another bundle, in place of one copy for each of ours. */
export const wholePackages: Plugin = {
  name: 'whole packages',
  resolveId(id, importer) {
    if (!id.startsWith(inlinedPrefix) || importer === undefined) return null
    const folder = packageFolderOf(importer)
    const found = inlinedIn(folder).find(({ file }) => file === `${id.slice(inlinedPrefix.length)}.js`)
    if (found === undefined) throw new Error(`${importer} imports ${id}, which is not among the imports of its package`)
    return this.resolve(found.specifier, importer)
  },
}

interface Inlined {
  /** What is imported of the package, such as `handlebars/dist/cjs/handlebars.js`. */
  readonly specifier: string
  /** Name of the file. */
  readonly file: string
}

/** Returns what a package of ours has inlined, by its manifest. */
function inlinedIn(folder: string): readonly Inlined[] {
  if (!existsSync(join(folder, 'package.json'))) return []
  const { imports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    imports?: Readonly<Record<string, { readonly source: string; readonly default: string }>>
  }
  return Object.entries(imports)
    .filter(([name]) => name.startsWith(inlinedPrefix))
    .map(([, { source, default: path }]) => ({ specifier: source, file: path.split('/').at(-1) ?? '' }))
}

/** Whether the files are there, and no version has changed since. */
function isCurrent(target: string, inlined: readonly Inlined[], lockfile: string): boolean {
  const made = statSync(join(target, licencesFile), { throwIfNoEntry: false })
  return (
    made !== undefined &&
    made.mtimeMs > statSync(lockfile).mtimeMs &&
    inlined.every(({ file }) => existsSync(join(target, file)))
  )
}

/** Returns the modules that are in the file. */
async function inline(folder: string, { specifier, file }: Inlined, target: string): Promise<readonly string[]> {
  const start = join(folder, 'start-of-inlined.js')
  const build = await rolldown({
    input: start,
    // It runs wherever the package does.
    platform: 'neutral',
    // As Node finds them, because Node tells the names.
    resolve: { mainFields: ['main'], conditionNames: ['browser', 'import', 'default'] },
    plugins: [
      {
        name: 'start',
        resolveId: (id) => (id === start ? id : undefined),
        async load(id) {
          if (id !== start) return undefined
          const main = await this.resolve(specifier, start)
          if (main === null) throw new Error(`${folder} has not installed ${specifier}`)
          const names = Object.keys((await import(pathToFileURL(main.id).href)) as object)
          return `export { ${names.filter((name) => name !== 'module.exports')} } from '${specifier}'`
        },
      },
    ],
  })
  const { output } = await build.write({ file: join(target, file), format: 'es', minify: withNames })
  await build.close()
  return output
    .filter((each): each is OutputChunk => each.type === 'chunk')
    .flatMap(({ modules }) => Object.keys(modules))
}
