import { importedLibraries } from '@sluice/transformations'
import type { Project, ProjectCode } from '../project/project.ts'
import { librariesOf } from '../project/select-cases.ts'
import type { Subject } from '../run/offline-run.ts'

/** Returns the code of a transformation with the libraries it imports, as in production. */
export function toSubject(project: Project, { name, code, file }: ProjectCode): Subject {
  const libraries = importedLibraries(code, librariesOf(project))
  return {
    name,
    code,
    libraries: libraries.map((library) => ({ name: library.name, code: library.code })),
    files: { main: file, libraries: Object.fromEntries(libraries.map((library) => [library.name, library.file])) },
  }
}
