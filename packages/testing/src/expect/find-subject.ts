import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCode } from '../project/folder-layout.ts'
import { loadProject } from '../project/load-project.ts'
import { ProjectError } from '../project/project.ts'
import type { Subject } from '../run/offline-runner.ts'

/**
 * The code of a file with all libraries of the project it lies in.
 *
 * @param file a URL (`new URL('../transformations/mask.ts', import.meta.url)`), or a path: as it stands, or below
 * `transformations` of the working folder.
 * @throws ProjectError when it is in none of these places.
 */
export async function findSubject(file: string | URL): Promise<Subject & { readonly file: string }> {
  const path = findFile(file)
  const project = await loadProject(dirname(path)).catch((error: unknown) => {
    // A lone file is in no project, and has no libraries.
    if (error instanceof ProjectError) return undefined
    throw error
  })
  const libraries = (project?.libraries ?? []).map(({ importName, code }) => ({ name: importName, code }))
  const known = project?.transformations.find((transformation) => transformation.file === path)
  const { name, code } = known ?? (await readCode(path))
  return { file: path, name, code, libraries }
}

function findFile(file: string | URL): string {
  const places = file instanceof URL || file.startsWith('file:') ? [fileURLToPath(file)] : placesOf(file)
  const found = places.find((place) => existsSync(place))
  if (found !== undefined) return found
  throw new ProjectError(`${file} is not there; looked for ${places.join(', ')}`)
}

function placesOf(file: string): readonly string[] {
  if (isAbsolute(file)) return [file]
  return [resolve(file), resolve(join('transformations', file)), resolve(join('libraries', file))]
}
