import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface InlinedPackage {
  readonly name: string
  readonly version: string
  readonly licence: string
}

/** What packages of ours carry inside of their files, as the lists of licences beside those files say. */
const lists = ['dist/inlined/LICENCES.txt', 'dist/bundle/LICENCES.txt', 'dist/page/LICENCES.txt']

/**
 * Returns the packages that are inside of installed packages of ours, each once, by name and version.
 * @param folder `node_modules` of an installation.
 */
export function inlinedPackages(folder: string): readonly InlinedPackage[] {
  const ours = ['sluice', ...readdirSync(join(folder, '@sluice')).map((name) => `@sluice/${name}`)]
  const files = ours.flatMap((name) => lists.map((list) => join(folder, name, list))).filter(existsSync)
  const found = new Map<string, InlinedPackage>()
  for (const file of files)
    for (const [line, name = '', version = '', licence = ''] of readFileSync(file, 'utf8').matchAll(
      /^(\S+) (\d+\.\d+\.\S+): (\S.*)$/gm,
    ))
      found.set(line, { name, version, licence })
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each)
}
