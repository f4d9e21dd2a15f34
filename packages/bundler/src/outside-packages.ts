import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'rolldown'

/** Modules that exist only in the bundle begin with this, so that no other plugin looks for a file. */
const prefix = '\0outside:'

/**
 * Leaves packages outside of the bundle.
 *
 * They are found from the package of ours that declares them, because a package manager may hide the dependencies of
 * other packages from `sluice`.
 */
export function outsidePackages(names: ReadonlySet<string>): Plugin {
  return {
    name: 'outside packages',
    resolveId: {
      order: 'pre',
      handler: (id, importer) => (importer !== undefined && names.has(id) ? `${prefix}${id}\0${importer}` : null),
    },
    async load(given) {
      if (!given.startsWith(prefix)) return null
      const [id = '', importer = ''] = given.slice(prefix.length).split('\0')
      const owner = packageOf(importer)
      const file = createRequire(importer).resolve(id)
      const names = Object.keys((await import(file)) as object).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name))
      return outsideModule(owner, id, names)
    },
  }
}

/** Returns a module that exports what a package exports, which is loaded when the module is. */
function outsideModule(owner: string, id: string, names: readonly string[]): string {
  const named = names.filter((name) => name !== 'default' && name !== 'module.exports')
  return `import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
const file = ${requireOf(owner)}.resolve(${JSON.stringify(id)})
const loaded = await import(pathToFileURL(file).href)
${names.includes('default') ? 'export default loaded.default' : ''}
export const { ${named.join(', ')} } = loaded
`
}

/** Returns the expression for a `require` that finds what a package of ours finds. */
export function requireOf(owner: string): string {
  return `createRequire(createRequire(import.meta.url).resolve(${JSON.stringify(owner)}))`
}

/** Returns the name of the package that a file belongs to. */
export function packageOf(file: string): string {
  return manifestIn(packageFolderOf(file)).name ?? ''
}

/** Returns the folder of the package that a file belongs to. */
export function packageFolderOf(file: string): string {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    if (manifestIn(folder).name !== undefined) return folder
  throw new Error(`${file} belongs to no package`)
}

function manifestIn(folder: string): { readonly name?: string } {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: string }
  } catch {
    return {}
  }
}
