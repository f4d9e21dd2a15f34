import { readFile } from 'node:fs/promises'
import { isJsonObject, type JsonObject } from '@sluice/core'
import { createOfflineRunner, OfflineLoadError, type Project, type ProjectTransformation } from '@sluice/testing'
import { CliError } from '../cli-error.ts'
import type { Compared } from './compare.ts'

/** A server tests with so many events of a transformation. */
const eventsMax = 200

/**
 * The events each transformation is to be published with, by its name: those of its cases that do not fail here. A case
 * may want a failure; a server publishes nothing that fails.
 * @throws CliError when code cannot be loaded: the server would refuse it as well.
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
    for (const transformation of project.transformations.filter(({ name }) => names.has(name))) {
      const events = await eventsOf(transformation)
      const { endings } = await runner.run({ ...transformation, libraries }, events)
      const passing = events.filter((_, index) => endings[index]?.outcome !== 'failed')
      inputs.set(transformation.name, passing.slice(0, eventsMax))
    }
  } catch (error) {
    throw error instanceof OfflineLoadError ? new CliError(error.message) : error
  } finally {
    await runner.close()
  }
  return inputs
}

async function eventsOf({ cases }: ProjectTransformation): Promise<readonly JsonObject[]> {
  const files = cases.flatMap(({ inputFile }) => inputFile ?? [])
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return texts.flatMap((text) => {
    const value: unknown = JSON.parse(text)
    return (Array.isArray(value) ? value : [value]).filter(isJsonObject)
  })
}
