import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isJsonObject } from '@sluice/core'
import { ProjectError } from './project.ts'

/** Names of a transformation or library that its file name does not give. */
export interface CodeNames {
  /** Name, if it differs from the file name. */
  readonly name?: string
  readonly description?: string
  /** Import name of a library, if it is not the camel case of its name. */
  readonly importName?: string
}

/** By file name without extension. */
export interface FolderNames {
  readonly transformations: Readonly<Record<string, CodeNames>>
  readonly libraries: Readonly<Record<string, CodeNames>>
}

const fileName = 'sluice.json'

/**
 * Reads `sluice.json` of a project: names, descriptions and import names that file names do not give. Empty if there is
 * no such file.
 * @throws ProjectError that names the problem.
 */
export async function readFolderNames(root: string): Promise<FolderNames> {
  const file = join(root, fileName)
  const text = await readFile(file, 'utf8').catch(() => '{}')
  const names = parseObject(text, file)
  return { transformations: partOf(names, 'transformations', file), libraries: partOf(names, 'libraries', file) }
}

/** Writes `sluice.json`, keeping its other content. */
export async function writeFolderNames(root: string, names: FolderNames): Promise<void> {
  const file = join(root, fileName)
  const kept = parseObject(await readFile(file, 'utf8').catch(() => '{}'), file)
  await writeFile(file, `${JSON.stringify({ ...kept, ...names }, null, 2)}\n`)
}

function parseObject(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return value
  } catch (error) {
    throw new ProjectError(`${file} is not JSON: ${error instanceof Error ? error.message : error}`)
  }
  throw new ProjectError(`${file} is not a JSON object`)
}

function partOf(names: Readonly<Record<string, unknown>>, key: string, file: string): Record<string, CodeNames> {
  const part = names[key] ?? {}
  if (!isJsonObject(part)) throw new ProjectError(`${file}: ${key} is not an object, by file name`)
  for (const [name, entry] of Object.entries(part)) {
    const isNames = isJsonObject(entry) && Object.values(entry).every((value) => typeof value === 'string')
    if (!isNames)
      throw new ProjectError(`${file}: ${key}.${name} is not an object of texts: name, description, importName`)
  }
  return part as Record<string, CodeNames>
}
