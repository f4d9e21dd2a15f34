import { dirname, resolve } from 'node:path'
import { filesBelow, isFolder, readProjectFile } from './project-files.ts'

const testFile = /\.(?:test|spec)\.m?[jt]s$/

/**
 * Finds the vitest files at or below paths that import this package, absolute and sorted. Other test files are ignored.
 */
export async function findVitestFiles(paths: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>()
  for (const path of paths.map((each) => resolve(each))) {
    const folder = await isFolder(path)
    for (const file of folder ? await filesBelow(path) : [path]) {
      if (!testFile.test(file)) continue
      const text = await readProjectFile(dirname(file), file)
      if (text !== undefined && /@sluice\/testing\b/.test(text)) found.add(file)
    }
  }
  return [...found].sort()
}
