import { readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { isAbsolute, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isJsonObject } from '@sluice/core'

/**
 * Finds a module named by a file (`./x.js`, `/x.js`) or by an npm package that is installed at or above `folder`.
 *
 * The URL of a file changes when the file does, so that a changed file is loaded again; its own imports are not.
 * Packages stay as first loaded, as always in Node.
 *
 * @returns undefined when there is no such module.
 */
export async function resolveModule(name: string, folder: string): Promise<string | undefined> {
  if (/^\.{1,2}\//.test(name) || isAbsolute(name)) return fileAddress(resolve(folder, name))
  const require = createRequire(join(folder, 'workspace'))
  for (const modules of require.resolve.paths(name) ?? []) {
    const entry = await importEntry(join(modules, name))
    if (entry !== undefined) return pathToFileURL(entry).href
  }
  try {
    return pathToFileURL(require.resolve(name)).href
  } catch {
    return undefined
  }
}

async function fileAddress(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() ? `${pathToFileURL(path).href}?changed=${found.mtimeMs}` : undefined
}

/** Returns what a package exports for `import`. `require.resolve` would not find a package with only that condition. */
async function importEntry(packageFolder: string): Promise<string | undefined> {
  const text = await readFile(join(packageFolder, 'package.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const manifest: unknown = JSON.parse(text)
  const exported = isJsonObject(manifest) ? targetOf(manifest['exports']) : undefined
  return exported === undefined ? undefined : join(packageFolder, exported)
}

const conditions: ReadonlySet<string> = new Set(['.', 'node', 'import', 'default'])

/** Source: Node.js docs, conditional exports: the first matching condition applies. */
function targetOf(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports
  if (!isJsonObject(exports)) return undefined
  for (const [condition, target] of Object.entries(exports)) {
    const found = conditions.has(condition) ? targetOf(target) : undefined
    if (found !== undefined) return found
  }
  return undefined
}
