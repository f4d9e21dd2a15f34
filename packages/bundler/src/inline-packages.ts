import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type OutputChunk, rolldown } from 'rolldown'
import { type Inlined, inlinedIn } from './inlined.ts'
import { licences, licencesFile } from './licences.ts'
import { withNames } from './with-names.ts'

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
