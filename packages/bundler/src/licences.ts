import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the licences of the packages whose code is in the bundle, each with its name, version and text, by name.
 * Those of inlined packages are taken from the file beside them.
 * @param files modules in the bundle.
 */
export function licences(files: Iterable<string>): string {
  const folders = new Set([...files].flatMap((file) => /^\/?[^\0]*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []))
  const inlined = new Set([...files].flatMap((file) => /^\/?[^\0]*\/dist\/inlined(?=\/)/.exec(file) ?? []))
  const texts = [
    ...[...folders].map(licenceIn),
    ...[...inlined].flatMap((folder) => readFileSync(join(folder, licencesFile), 'utf8').split(separator)),
  ]
  return [...new Set(texts)].sort().join(separator)
}

/** Name of the file beside what a package of ours has inlined. */
export const licencesFile = 'LICENCES.txt'
const separator = `\n${'-'.repeat(80)}\n\n`

function licenceIn(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice)/i.test(file))
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return `${name} ${version}: ${license}\n\n${texts.map((text) => `${text}\n`).join('\n')}`
}
