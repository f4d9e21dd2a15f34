import { importedLibraries } from '@sluice/transformations'
import type { Project, ProjectCode } from '../project/project.ts'
import { librariesOf } from '../project/select-cases.ts'
import type { Subject } from '../run/offline-runner.ts'

/** What is run of a transformation: its code with the libraries it imports, as production would. */
export function toSubject(project: Project, { name, code, file }: ProjectCode): Subject {
  const libraries = importedLibraries(code, librariesOf(project))
  return {
    name,
    code,
    libraries: libraries.map((library) => ({ name: library.name, code: library.code })),
    files: { main: file, libraries: Object.fromEntries(libraries.map((library) => [library.name, library.file])) },
  }
}
