import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isJsonObject } from '@sluice/core'
import { ProjectError } from './project.ts'

/** What a file name does not say of a transformation or library. */
export interface CodeNames {
  /** Where it is another than that of the file. */
  readonly name?: string
  readonly description?: string
  /** Of a library, where it is not the camel case of the name. */
  readonly importName?: string
}

/** By file name without its ending. */
export interface FolderNames {
  readonly transformations: Readonly<Record<string, CodeNames>>
  readonly libraries: Readonly<Record<string, CodeNames>>
}

const fileName = 'sluice.json'

/**
 * Reads `sluice.json` of a project: names, descriptions and import names that file names do not say. Without it, there
 * are none.
 * @throws ProjectError that names what is wrong.
 */
export async function readFolderNames(root: string): Promise<FolderNames> {
  const file = join(root, fileName)
  const text = await readFile(file, 'utf8').catch(() => '{}')
  const names = parseObject(text, file)
  return { transformations: partOf(names, 'transformations', file), libraries: partOf(names, 'libraries', file) }
}

/** Writes `sluice.json`, leaving alone what else is in it. */
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
