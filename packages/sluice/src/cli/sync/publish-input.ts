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
import { CliError } from '../cli-error.ts'
import { createTextReport } from '../test/text-report.ts'
import type { Compared } from './compare.ts'

/** A server tests with so many events of a transformation, … */
const eventsMax = 200
/** … which have so many characters at most, … */
const charsMax = 1_000_000
/** … and takes so many bytes for all of them; it is 8 MiB with the rest of the request. */
const bytesMax = 7 * 1024 * 1024

/**
 * Runs the cases of what is to be published, of all transformations when a library is among it, and tells the events each transformation is to be published with, by its name:
 * those of its cases that do not fail here. A case may want a failure; a server publishes nothing that fails.
 * @throws CliError when a case fails, or code cannot be loaded: the server would refuse it as well.
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
    // Any of them may import a library, and a server that tests them again does not know what is to come out.
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

/** As many events, from the first on, as fit into so many bytes of JSON text. */
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
