import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Begins the names of inlined packages, as in `import PQueue from '#inlined/p-queue'`. */
export const inlinedPrefix = '#inlined/'

/** A package that one of ours carries inside of it. */
export interface Inlined {
  /** What is imported of the package, such as `handlebars/dist/cjs/handlebars.js`. */
  readonly specifier: string
  /** Name of the file. */
  readonly file: string
}

/** Returns what a package of ours has inlined, by its manifest. */
export function inlinedIn(folder: string): readonly Inlined[] {
  if (!existsSync(join(folder, 'package.json'))) return []
  const { imports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    imports?: Readonly<Record<string, { readonly source: string; readonly default: string }>>
  }
  return Object.entries(imports)
    .filter(([name]) => name.startsWith(inlinedPrefix))
    .map(([, { source, default: path }]) => ({ specifier: source, file: path.split('/').at(-1) ?? '' }))
}
