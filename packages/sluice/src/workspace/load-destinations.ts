import { type Problem, shown } from '@sluice/configuration/file'
import { isJsonObject } from '@sluice/core'
import {
  type DestinationFamily,
  type DestinationSource,
  isDestinationFamily,
  parseDefinition,
} from '@sluice/destinations/kit'
import { nativeDestinations } from './known-destinations.ts'
import { resolveModule } from './resolve-module.ts'

export interface LoadedDestinations {
  /** Valid only when `problems` is empty. */
  readonly destinations: readonly DestinationSource[]
  readonly problems: readonly Problem[]
}

/**
 * Loads destination definitions from modules: files beside the workspace file, or npm packages installed there. The
 * default export of each is a definition, a list of them, or a function that returns a family of definitions for a folder.
 *
 * The modules run in this process with all its permissions: name only modules you trust like Sluice itself.
 *
 * @param folder base for `./file.js` and for finding packages.
 * @param path location of the list in the workspace file, for problems.
 * @returns also the problems: modules that are missing, fail to load, or export something else, and types already
 * taken.
 */
export async function loadDestinations(modules: unknown, folder: string, path: string): Promise<LoadedDestinations> {
  if (!Array.isArray(modules)) {
    const problem = { path, value: shown(modules), allowed: 'a list of files (./x.js) and npm packages' }
    return { destinations: [], problems: [problem] }
  }
  const problems: Problem[] = []
  const taken = new Map(nativeDestinations().map(({ type }) => [type, 'a built-in destination']))
  const loaded: DestinationSource[] = []
  for (const [index, name] of modules.entries()) {
    const at = `${path}[${index}]`
    const exported = await exportedBy(name, folder)
    if (typeof exported === 'string') {
      problems.push({ path: at, value: shown(name), allowed: exported })
      continue
    }
    for (const source of exported) {
      const type = isDestinationFamily(source) ? source.prefix : source.type
      const owner = taken.get(type)
      if (owner === undefined) loaded.push(source)
      else problems.push({ path: at, value: `type ${type}`, allowed: `a type that is not taken (by ${owner})` })
      taken.set(type, owner ?? String(name))
    }
  }
  return { destinations: loaded, problems }
}

/** Returns the definitions of one module, or a description of what was expected. */
async function exportedBy(name: unknown, folder: string): Promise<readonly DestinationSource[] | string> {
  if (typeof name !== 'string' || name === '') return 'a file (./x.js) or an npm package'
  let found: unknown
  try {
    const address = await resolveModule(name, folder)
    if (address === undefined) return 'a file that is there (./x.js), or an npm package that is installed'
    found = defaultOf(await import(address))
  } catch (error) {
    return `a JavaScript module that loads (${error instanceof Error ? `${error.name}: ${error.message}` : error})`
  }
  if (typeof found === 'function') return familyFrom(found as (folder: string) => unknown, folder)
  if (found === undefined) return 'a module with a default export: a destination definition or a list of them'
  const parsed = [found].flat().map(parseDefinition)
  const problems = parsed.flatMap((each) => (each.ok ? [] : [each.problem]))
  if (problems.length > 0)
    return `a default export made by defineDestination, or a list of such (${problems.join('; ')})`
  return parsed.flatMap((each) => (each.ok ? [each.definition] : []))
}

/** The message of an error says what is missing, such as a package to install. */
async function familyFrom(
  create: (folder: string) => unknown,
  folder: string,
): Promise<readonly DestinationFamily[] | string> {
  try {
    const family = await create(folder)
    if (isJsonObject(family) && isDestinationFamily(family as unknown as DestinationFamily))
      return [family as unknown as DestinationFamily]
    return 'a function that returns a family of destinations'
  } catch (error) {
    return `a package that has all it needs; this one does not: ${error instanceof Error ? error.message : error}`
  }
}

/** Unwraps the default export, which is one level deeper in a CommonJS module compiled from an ES module. */
function defaultOf(module: { readonly default?: unknown }): unknown {
  const { default: exported } = module
  return isJsonObject(exported) && '__esModule' in exported ? exported['default'] : exported
}
