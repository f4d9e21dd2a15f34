import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import type { DestinationSource } from '@sluice/destinations'
import type { LoadedDestinations } from './load-destinations.ts'
import { type Problem, shown, WorkspaceFileError } from './problem.ts'
import { fromRudderConfig, isRudderConfig } from './rudder-config.ts'

/** Contents of a workspace file, as `createSluice` takes them. */
export interface WorkspaceFile {
  /** Not yet validated: `parseWorkspaces` does that. */
  readonly workspace: JsonObject
  /** Destination types from the modules under `destinationPackages`. */
  readonly destinations: readonly DestinationSource[]
}

/**
 * Reads a workspace file, JSON or YAML, in one of three forms: `{workspaces: […]}`, a single workspace, or
 * RudderStack's `workspaceConfig.json`. Reads code from the files it names (`file`, relative to the workspace file),
 * and loads the modules of `destinationPackages`: see `loadDestinations` for the trust they need.
 *
 * @throws WorkspaceFileError when the file or one it names cannot be read, or is neither JSON nor YAML.
 */
export async function readWorkspaceFile(path: string): Promise<WorkspaceFile> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new WorkspaceFileError([{ path: '', value: shown(path), allowed: `a file that can be read (${error.code})` }])
  })
  return readWorkspaceText(text, resolve(dirname(path)))
}

/** The same for text. @param folder base for the files and packages it names. */
export async function readWorkspaceText(text: string, folder: string): Promise<WorkspaceFile> {
  const parsed = await parseText(text)
  if (!isJsonObject(parsed))
    throw new WorkspaceFileError([
      { path: '', value: shown(parsed), allowed: 'a workspace, or an object with a list of workspaces' },
    ])
  const { destinationPackages = [], ...definition } = parsed
  const problems: Problem[] = []
  const workspace = await withCode(inOneForm(definition), folder, '', problems)
  const loaded = await loadPackages(destinationPackages, folder)
  problems.push(...loaded.problems)
  if (problems.length > 0) throw new WorkspaceFileError(problems)
  return { workspace, destinations: loaded.destinations }
}

/** Converts every accepted form of a definition into the one that is validated. */
export function inOneForm(definition: JsonObject): JsonObject
export function inOneForm(definition: unknown): unknown
export function inOneForm(definition: unknown): unknown {
  if (isRudderConfig(definition)) return fromRudderConfig(definition)
  return isJsonObject(definition) && !('workspaces' in definition) ? { workspaces: [definition] } : definition
}

async function parseText(text: string): Promise<unknown> {
  // Loaded when needed, like all that reading a file needs beyond the names this package exports.
  const { parse: parseYaml } = await import('yaml')
  try {
    // YAML 1.2 includes JSON. The expansion of aliases is limited.
    return parseYaml(text, { maxAliasCount: 100 })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new WorkspaceFileError([
      { path: '', value: 'text that cannot be parsed', allowed: `JSON or YAML (${reason})` },
    ])
  }
}

/** Loads destination packages. Without any, the built-in destinations they are compared with need not be loaded. */
async function loadPackages(modules: unknown, folder: string): Promise<LoadedDestinations> {
  if (Array.isArray(modules) && modules.length === 0) return { destinations: [], problems: [] }
  const { loadDestinations } = await import('./load-destinations.ts')
  return loadDestinations(modules, folder, 'destinationPackages')
}

/** Replaces `file` by `code` wherever a transformation or library names one. */
async function withCode(value: JsonObject, folder: string, path: string, problems: Problem[]): Promise<JsonObject> {
  const holdsCode = /(\.transformation|\.libraries\[\d+\])$/.test(path)
  const { file, ...rest } = value
  if (holdsCode && typeof file === 'string' && rest['code'] === undefined) {
    const code = await readFile(resolve(folder, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
      problems.push({ path: `${path}.file`, value: shown(file), allowed: `a file that can be read (${error.code})` })
      return ''
    })
    return { ...rest, code }
  }
  const inside = async (member: JsonValue | undefined, at: string): Promise<JsonValue | undefined> => {
    if (Array.isArray(member))
      return Promise.all(member.map(async (item, i) => (await inside(item, `${at}[${i}]`)) ?? null))
    return isJsonObject(member) ? withCode(member, folder, at, problems) : member
  }
  const entries = Object.entries(value).map(async ([key, member]) => {
    const at = path === '' ? key : `${path}.${key}`
    return [key, key === 'settings' ? member : await inside(member, at)] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}
