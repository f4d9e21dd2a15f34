import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import {
  inOneForm,
  type NamedVariable,
  type PlacedProblem,
  resolveVariables,
  shown,
  unknownMember,
  WorkspaceFileError,
} from '@sluice/configuration/file'
import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import type { DestinationSource } from '@sluice/destinations'
import type { LoadedDestinations } from '../load-destinations.ts'
import { type Notes, readProject } from '../project/read-project.ts'
import { inOrderOfLines } from './in-order-of-lines.ts'
import { parseText } from './parse-text.ts'
import type { FileText } from './place-finder.ts'

/** A workspace file with what is needed to report on it. */
export interface OpenedWorkspace {
  /** `{workspaces: […]}`, not yet validated: `parseWorkspaces` does that. */
  readonly workspace: JsonObject
  /** Destination types from the modules under `destinationPackages`. */
  readonly destinations: readonly DestinationSource[]
  /** Why the file cannot be used. Empty unless it was read leniently. */
  readonly problems: readonly PlacedProblem[]
  /** Environment variables that the file names. */
  readonly variables: readonly NamedVariable[]
  /** What has no counterpart in Sluice, in a project of RudderStack's rudder-cli. */
  readonly notes: Notes
  /** Returns problems with their places, in the order of these, and with paths as the file has them. */
  located(problems: readonly PlacedProblem[]): Promise<readonly PlacedProblem[]>
}

interface ReadOptions {
  /** Values of `env:NAME`; default `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Returns problems instead of throwing them, and accepts variables that are not set: see `resolveVariables`. */
  readonly lenient?: boolean
  /** Called with the path of each file that the workspace consists of, also when it cannot be read. */
  onFile?(path: string): void
}

/**
 * Opens a workspace file as `readWorkspaceFile` reads it, with places for problems.
 * @throws WorkspaceFileError when the file or one it names cannot be read, or is neither JSON nor YAML.
 */
export async function openWorkspace(path: string, options: ReadOptions = {}): Promise<OpenedWorkspace> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) {
    const { own, resources } = await readProject(path)
    const name = (file: string): string => join(path, file)
    for (const { file } of [...(own ? [own] : []), ...resources]) options.onFile?.(resolve(name(file)))
    return open(resolve(path), name, own, resources, options)
  }
  options.onFile?.(resolve(path))
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new WorkspaceFileError([{ path: '', value: shown(path), allowed: `a file that can be read (${error.code})` }])
  })
  return open(resolve(dirname(path)), (file) => join(dirname(path), file), { file: basename(path), text }, [], options)
}

/**
 * Opens a text as `openWorkspace` opens a file.
 * @param folder base for the files and packages it names; without one, it may name none.
 */
export function openText(text: string, folder?: string, options: ReadOptions = {}): Promise<OpenedWorkspace> {
  return open(folder, (file) => file, { file: 'workspace', text }, [], options)
}

/**
 * @param nameOf returns how problems name a file of the folder.
 * @param own the workspace file; undefined for a project without one.
 */
async function open(
  folder: string | undefined,
  nameOf: (file: string) => string,
  own: FileText | undefined,
  resources: readonly FileText[],
  { env = process.env, lenient = false, onFile }: ReadOptions,
): Promise<OpenedWorkspace> {
  const parsed = own === undefined ? {} : await parseText(own.text, nameOf(own.file))
  if (!isJsonObject(parsed))
    throw new WorkspaceFileError([
      { path: '', value: shown(parsed), allowed: 'a workspace, or an object with a list of workspaces' },
    ])
  const { destinationPackages = [], $schema: _, ...definition } = parsed
  const project = resources.length === 0 ? undefined : await convert(resources, definition, nameOf)
  const located = async (problems: readonly PlacedProblem[]): Promise<readonly PlacedProblem[]> => {
    const { placeFinder } = await import('./place-finder.ts')
    const finders = new Map<string, ReturnType<typeof placeFinder>>()
    const finderOf = (file: string): ReturnType<typeof placeFinder> | undefined => {
      const source = [...(own ? [own] : []), ...resources].find((each) => each.file === file)
      const finder = finders.get(file) ?? (source && placeFinder({ file: nameOf(file), text: source.text }))
      if (finder) finders.set(file, finder)
      return finder
    }
    const isWhole = 'workspaces' in definition
    const placed = problems.map(({ inCode, ...problem }) => {
      if (problem.place) return problem
      const codeFile = inCode && codeFiles.get(codePath(problem.path, inCode.library))
      const path = isWhole ? problem.path : problem.path.replace(/^workspaces\[0\]\.?/, '')
      const origin = project?.originOf(path) ?? (own && { file: own.file, path })
      // Its form is another one, so that paths do not fit.
      if (origin === undefined || inOneFormDiffers(definition)) return problem
      if (inCode && codeFile !== undefined) {
        const { line, column } = inCode
        return { ...problem, path: origin.path, place: { file: codeFile, line, column } }
      }
      const place = finderOf(origin.file)?.(origin.path, problem.value === unknownMember)
      return { ...problem, path: origin.path, ...(place ? { place } : {}) }
    })
    return inOrderOfLines(placed)
  }
  const problems: PlacedProblem[] = []
  /** Files with code, as problems name them, by the path of what has the code, and by that of its workspace and library. */
  const codeFiles = new Map<string, string>()
  const whole = inOneForm(project?.workspace ?? definition)
  const coded = await withCode(whole, '', async (path, file, name) => {
    if (folder === undefined) {
      problems.push({ path: `${path}.file`, value: shown(file), allowed: 'nothing in a text without a file; use code' })
      return ''
    }
    onFile?.(resolve(folder, file))
    const shownFile = isAbsolute(file) ? file : nameOf(file)
    codeFiles.set(path, shownFile)
    if (/\.libraries\[\d+\]$/.test(path)) codeFiles.set(codePath(path, String(name)), shownFile)
    return readFile(resolve(folder, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
      problems.push({ path: `${path}.file`, value: shown(file), allowed: `a file that can be read (${error.code})` })
      return ''
    })
  })
  const { definition: workspace, variables } = resolveVariables(coded, env)
  if (!lenient)
    for (const { path, name } of variables.filter((each) => !each.isSet && !isReadLater(each)))
      problems.push({ path, value: shown(`env:${name}`), allowed: 'the name of an environment variable that is set' })
  if (folder !== undefined && Array.isArray(destinationPackages))
    for (const name of destinationPackages)
      if (typeof name === 'string' && name.startsWith('.')) onFile?.(resolve(folder, name))
  const loaded = await loadPackages(destinationPackages, folder)
  problems.push(...loaded.problems, ...(project?.problems ?? []))
  const found = await located(problems)
  if (found.length > 0 && !lenient) throw new WorkspaceFileError(found)
  return {
    workspace,
    destinations: loaded.destinations,
    problems: found,
    variables,
    notes: project?.notes ?? [],
    located: (others) => located(others.map((problem) => withoutValue(problem, variables))),
  }
}

/** Shows the name of a variable instead of its value, which may be a secret. */
function withoutValue(problem: PlacedProblem, variables: readonly NamedVariable[]): PlacedProblem {
  const variable = variables.find(({ path }) => path === problem.path)
  return variable ? { ...problem, value: shown(`env:${variable.name}`) } : problem
}

/** Whether `parseWorkspaces` reads the variable, and reports it. */
function isReadLater({ path }: NamedVariable): boolean {
  return /^workspaces\[\d+\]\.(accessTokens|credentials)\b/.test(path)
}

/** Whether a definition has the form of RudderStack's `workspaceConfig.json`. */
function inOneFormDiffers(definition: JsonObject): boolean {
  const sources = definition['sources']
  return Array.isArray(sources) && sources.some((source) => isJsonObject(source) && 'destinations' in source)
}

async function convert(resources: readonly FileText[], own: JsonObject, nameOf: (file: string) => string) {
  const { convertProject } = await import('../project/convert-project.ts')
  return convertProject(resources, own, nameOf)
}

/** Loads destination packages. Without any, the built-in destinations they are compared with need not be loaded. */
async function loadPackages(modules: unknown, folder: string | undefined): Promise<LoadedDestinations> {
  if (Array.isArray(modules) && modules.length === 0) return { destinations: [], problems: [] }
  if (folder === undefined) {
    const allowed = 'nothing in a text without a file; import the definitions, and pass them as destinations'
    return { destinations: [], problems: [{ path: 'destinationPackages', value: shown(modules), allowed }] }
  }
  const { loadDestinations } = await import('../load-destinations.ts')
  return loadDestinations(modules, folder, 'destinationPackages')
}

/** Returns where code is known from: a path, or the workspace of a path and the name of one of its libraries. */
function codePath(path: string, library: string | undefined): string {
  if (library === undefined) return path
  return `${/^workspaces\[\d+\]/.exec(path)?.[0] ?? 'workspaces[0]'} ${library}`
}

/**
 * Replaces `file` by `code` wherever a transformation or library names one.
 * @param read returns the code of a file that the part at `path` names.
 */
async function withCode(
  value: JsonObject,
  path: string,
  read: (path: string, file: string, name: JsonValue | undefined) => Promise<string>,
): Promise<JsonObject> {
  const holdsCode = /(\.transformation|\.libraries\[\d+\])$/.test(path)
  const { file, ...rest } = value
  if (holdsCode && typeof file === 'string' && rest['code'] === undefined)
    return { ...rest, code: await read(path, file, rest['name']) }
  const inside = async (member: JsonValue | undefined, at: string): Promise<JsonValue | undefined> => {
    if (Array.isArray(member))
      return Promise.all(member.map(async (item, i) => (await inside(item, `${at}[${i}]`)) ?? null))
    return isJsonObject(member) ? withCode(member, at, read) : member
  }
  const entries = Object.entries(value).map(async ([key, member]) => {
    const at = path === '' ? key : `${path}.${key}`
    return [key, key === 'settings' ? member : await inside(member, at)] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}
