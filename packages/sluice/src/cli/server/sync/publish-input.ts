import type { JsonObject } from '@sluice/core'
import {
  type CaseReport,
  checkLibraries,
  createOfflineRunner,
  type LibraryReport,
  OfflineLoadError,
  type OfflineRunner,
  type Project,
  type ProjectTransformation,
  runEventsOf,
  runProject,
} from '@sluice/testing'
import colors from 'picocolors'
import { CliError } from '../../cli-error.ts'
import { failedTestsText } from '../../offline/test/failed-tests-text.ts'
import { findProjects } from '../../offline/test/find-projects.ts'
import { runVitest } from '../../offline/test/run-vitest.ts'
import { hasPassed, type TestOutcome } from '../../offline/test/test-outcome.ts'
import { createTextReport } from '../../offline/test/text-report.ts'
import type { Compared } from './compare-codes.ts'

/** Maximum number of test events per transformation, as on the server. */
const eventsMax = 200
/** Maximum number of characters of a transformation's test events, as on the server. */
const charsMax = 1_000_000
/** Maximum number of bytes of all test events. With the rest of the request, the server accepts 8 MiB. */
const bytesMax = 7 * 1024 * 1024

/** Result of the tests before a push. */
export interface PublishInput {
  /** By transformation, the events to publish it with. */
  readonly events: ReadonlyMap<string, readonly JsonObject[]>
  /** The last line of the tests; absent when they were left out. */
  readonly summary?: string
}

/**
 * Runs the cases of the code to publish, or of all transformations when a library is included, and the test files of
 * the project. Returns the events to publish each transformation with: those of its cases whose transformation does not
 * fail. A case may expect a failure, but a server publishes nothing that fails.
 * @param skipTests only collects the events.
 * @throws CliError when a test fails or cannot be run, or code cannot be loaded: the server would refuse it too.
 */
export async function publishInput(
  project: Project,
  changes: readonly Compared[],
  skipTests: boolean,
): Promise<PublishInput> {
  const names = new Set(changes.filter(({ kind }) => kind === 'transformation').map(({ name }) => name))
  const runner = await createOfflineRunner()
  const events = new Map<string, readonly JsonObject[]>()
  try {
    const isPublished = ({ name }: ProjectTransformation): boolean => names.has(name)
    // Any of them may import a library, and the server does not know the expected results.
    const isLibraryChanged = changes.some(({ kind }) => kind === 'library')
    const summary = skipTests
      ? undefined
      : await requirePassing(project, runner, (each) => isLibraryChanged || isPublished(each))
    const published = project.transformations.filter(isPublished)
    for (const transformation of published) {
      const passing = await passingEvents(project, transformation, runner)
      events.set(transformation.name, fitting(passing, Math.min(charsMax, bytesMax / published.length)))
    }
    return { events, summary }
  } catch (error) {
    throw error instanceof OfflineLoadError ? new CliError(error.message) : error
  } finally {
    await runner.close()
  }
}

/** Returns the events of a transformation's own cases that it does not fail, under their conditions. */
async function passingEvents(
  project: Project,
  transformation: ProjectTransformation,
  runner: OfflineRunner,
): Promise<readonly JsonObject[]> {
  const passing: JsonObject[] = []
  for (const each of transformation.cases.filter(({ inputFile }) => inputFile !== undefined)) {
    const { events, endings, loadError } = await runEventsOf(project, transformation, each, { runner })
    if (loadError !== undefined) throw new OfflineLoadError(loadError)
    for (const [index, event] of events.entries()) if (endings[index]?.outcome !== 'failed') passing.push(event)
  }
  return passing
}

/** Returns as many events, from the first on, as fit into `bytes` of JSON text. */
function fitting(events: readonly JsonObject[], bytes: number): readonly JsonObject[] {
  const taken: JsonObject[] = []
  let left = bytes - 2
  for (const event of events.slice(0, eventsMax)) {
    left -= Buffer.byteLength(JSON.stringify(event)) + 1
    if (left < 0) break
    taken.push(event)
  }
  return taken
}

/** Runs what `sluice test` runs, and returns its last line. */
async function requirePassing(
  { root }: Project,
  runner: OfflineRunner,
  isTested: (transformation: ProjectTransformation) => boolean,
): Promise<string> {
  const { projects, vitestFiles } = await findProjects([root], undefined)
  const text = createTextReport(process.cwd(), colors.createColors(false))
  const startedAt = performance.now()
  const cases: CaseReport[] = []
  const libraries: LibraryReport[] = []
  for (const { project } of projects) {
    libraries.push(...(await checkLibraries(project, runner)))
    const tested = { ...project, transformations: project.transformations.filter(isTested) }
    for await (const report of runProject(tested, { runner })) cases.push(report)
  }
  const setup = { bail: false, update: false, record: false, sandbox: {}, quiet: true }
  const ran = await runVitest(vitestFiles, setup)
  // Vitest sets it when a test fails; the error below decides.
  process.exitCode = undefined
  const outcome: TestOutcome = { cases, libraries, ...ran, timeMs: performance.now() - startedAt }
  const report = text.end(outcome)
  if (hasPassed(outcome)) return report.trim()
  throw new CliError(
    `the project's own tests fail, so nothing was pushed (--no-test leaves them out):\n${failedTestsText(ran.tests)}${report}`,
  )
}
