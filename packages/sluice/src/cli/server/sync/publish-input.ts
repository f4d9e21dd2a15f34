import { readFile } from 'node:fs/promises'
import { isJsonObject, type JsonObject } from '@sluice/core'
import {
  type CaseReport,
  createOfflineRunner,
  OfflineLoadError,
  type OfflineRunner,
  type Project,
  type ProjectTransformation,
  runProject,
} from '@sluice/testing'
import colors from 'picocolors'
import { CliError } from '../../cli-error.ts'
import { createTextReport } from '../../offline/test/text-report.ts'
import type { Compared } from './compare-codes.ts'

/** Maximum number of test events per transformation, as on the server. */
const eventsMax = 200
/** Maximum number of characters of a transformation's test events, as on the server. */
const charsMax = 1_000_000
/** Maximum number of bytes of all test events. With the rest of the request, the server accepts 8 MiB. */
const bytesMax = 7 * 1024 * 1024

/**
 * Runs the cases of the code to publish, or of all transformations when a library is included. Returns, by
 * transformation, the events to publish it with: those of its cases whose transformation does not fail. A case may
 * expect a failure, but a server publishes nothing that fails.
 * @throws CliError when a case fails or code cannot be loaded: the server would refuse it too.
 */
export async function publishInput(
  project: Project,
  changes: readonly Compared[],
): Promise<ReadonlyMap<string, readonly JsonObject[]>> {
  const names = new Set(changes.filter(({ kind }) => kind === 'transformation').map(({ name }) => name))
  const libraries = project.libraries.map(({ importName, code }) => ({ name: importName, code }))
  const runner = await createOfflineRunner()
  const inputs = new Map<string, readonly JsonObject[]>()
  try {
    const published = project.transformations.filter(({ name }) => names.has(name))
    // Any of them may import a library, and the server does not know the expected results.
    const isLibraryChanged = changes.some(({ kind }) => kind === 'library')
    await requirePassing(isLibraryChanged ? project : { ...project, transformations: published }, runner)
    for (const transformation of published) {
      const events = await eventsOf(transformation)
      const { endings } = await runner.run({ ...transformation, libraries }, events)
      const passing = events.filter((_, index) => endings[index]?.outcome !== 'failed')
      inputs.set(transformation.name, fitting(passing, Math.min(charsMax, bytesMax / published.length)))
    }
  } catch (error) {
    throw error instanceof OfflineLoadError ? new CliError(error.message) : error
  } finally {
    await runner.close()
  }
  return inputs
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

async function requirePassing(project: Project, runner: OfflineRunner): Promise<void> {
  const text = createTextReport(process.cwd(), colors.createColors(false))
  const cases: CaseReport[] = []
  const startedAt = performance.now()
  for await (const report of runProject(project, { runner })) if (report.status === 'failed') cases.push(report)
  if (cases.length === 0) return
  const outcome = { cases, libraries: [], tests: [], notRun: [], timeMs: performance.now() - startedAt }
  throw new CliError(`the project's own cases fail, so nothing was pushed:\n${text.end(outcome)}`)
}

async function eventsOf({ cases }: ProjectTransformation): Promise<readonly JsonObject[]> {
  const files = cases.flatMap(({ inputFile }) => inputFile ?? [])
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return texts.flatMap((text) => {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    return (Array.isArray(value) ? value : [value]).filter(isJsonObject)
  })
}
