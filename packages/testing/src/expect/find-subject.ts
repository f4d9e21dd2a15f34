import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { toSubject } from '../cases/to-subject.ts'
import { readCode } from '../project/folder-layout.ts'
import { loadProject } from '../project/load-project.ts'
import { type Project, ProjectError } from '../project/project.ts'
import type { Subject } from '../run/offline-run.ts'
import { baseFolders } from './base-folders.ts'

/**
 * Returns the code of a file with all libraries of its project.
 *
 * @param file a URL (`new URL('../transformations/mask.ts', import.meta.url)`) or a path, looked up directly and below
 * `transformations` and `libraries` of the project that `sluice test` runs, or of the working folder.
 * @throws ProjectError when it is not found.
 */
export async function findSubject(file: string | URL): Promise<Subject & { readonly file: string }> {
  const path = findFile(file)
  const root = dirname(path)
  // A file outside a project has no libraries.
  const alone: Project = { root, layout: 'folders', transformations: [], libraries: [], notRunnable: [] }
  const project = (await loadProject(path)) ?? alone
  const known = project.transformations.find((transformation) => transformation.file === path)
  return { ...toSubject(project, known ?? (await readCode(root, path))), file: path }
}

function findFile(file: string | URL): string {
  const places = file instanceof URL || file.startsWith('file:') ? [fileURLToPath(file)] : placesOf(file)
  const found = places.find((place) => existsSync(place))
  if (found !== undefined) return found
  throw new ProjectError(`${file} is not there; looked for ${places.join(', ')}`)
}

function placesOf(file: string): readonly string[] {
  if (isAbsolute(file)) return [file]
  return baseFolders().flatMap((base) =>
    [file, join('transformations', file), join('libraries', file)].map((path) => resolve(base, path)),
  )
}
