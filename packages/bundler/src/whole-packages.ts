import type { Plugin } from 'rolldown'
import { inlinedIn, inlinedPrefix } from './inlined.ts'
import { packageFolderOf } from './outside-packages.ts'

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
