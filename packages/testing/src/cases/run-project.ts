import {
  type Project,
  type ProjectCase,
  ProjectError,
  type ProjectLibrary,
  type ProjectTransformation,
} from '../project/project.ts'
import { librariesOf } from '../project/select-cases.ts'
import { OfflineLoadError } from '../run/offline-run.ts'
import type { OfflineRunner } from '../run/offline-runner.ts'
import type { CaseReport } from './case-report.ts'
import { type CodePlace, placeOf } from './code-place.ts'
import { type CaseSetup, runCase } from './run-case.ts'

/** Runs all cases of a project, one after another; stop iterating to stop. An invalid file fails its case. */
export async function* runProject(project: Project, setup: CaseSetup): AsyncGenerator<CaseReport> {
  for (const transformation of project.transformations)
    for (const each of transformation.cases)
      yield await runCase(project, transformation, each, setup).catch((error) =>
        brokenCase(transformation, each, error),
      )
}

function brokenCase({ name, file }: ProjectTransformation, each: ProjectCase, error: unknown): CaseReport {
  if (!(error instanceof ProjectError)) throw error
  return {
    transformation: name,
    file,
    name: each.name,
    inputFile: each.inputFile,
    status: 'failed',
    events: 0,
    timeMs: 0,
    log: [],
    problems: [{ kind: 'file', message: error.message }],
    written: [],
    unpinned: [],
  }
}

/** Result of loading a library, which is its test. */
export interface LibraryReport {
  readonly name: string
  readonly file: string
  readonly error?: { readonly message: string; readonly place?: CodePlace }
}

/**
 * Loads the libraries of a project, each by a transformation that only imports it. Source:
 * packages/docs/api/transformations.md#publish (as in publishing).
 */
export async function checkLibraries(
  project: Project,
  runner: OfflineRunner,
  checked: readonly ProjectLibrary[] = project.libraries,
): Promise<readonly LibraryReport[]> {
  const libraries = librariesOf(project)
  const reports: LibraryReport[] = []
  for (const { name, file } of libraries) {
    if (!checked.some((each) => each.file === file)) continue
    const code = `import ${JSON.stringify(name)}\nexport const transformEvent = (event) => event`
    const subject = { name: 'test', code, libraries: libraries.map((each) => ({ name: each.name, code: each.code })) }
    try {
      await runner.run(subject, [])
      reports.push({ name, file })
    } catch (error) {
      if (!(error instanceof OfflineLoadError)) throw error
      const place = placeOf(error.message, subject, project.libraries)
      reports.push({ name, file, error: { message: error.message, place } })
    }
  }
  return reports
}
