import { existsSync, readFileSync, statSync } from 'node:fs'
import { packageFolder } from './package-folder.ts'

/** Folder in which the bundler puts the bundled command. */
export const bundleFolder = new URL('dist/bundle/', packageFolder)

/**
 * Returns whether a folder has a bundle of the present build. In the repository, a list tells when each package in the
 * bundle was built: after `tsc -b` without the bundler these times differ, and the command runs from the build itself.
 * The list is not published.
 */
export function bundleIsUsable(folder: URL): boolean {
  if (!existsSync(new URL('main.js', folder))) return false
  const list = new URL('made-from.json', folder)
  if (!existsSync(list)) return true
  const builtAt = Object.entries(JSON.parse(readFileSync(list, 'utf8')) as Readonly<Record<string, number>>)
  return builtAt.every(([file, at]) => statSync(new URL(file, folder), { throwIfNoEntry: false })?.mtimeMs === at)
}
