import type { ParsedWorkspaces } from '@sluice/configuration'
import { type PlacedProblem, WorkspaceFileError } from '@sluice/configuration/file'
import { isJsonObject, type JsonObject, systemClock, systemRandom, type Workspace } from '@sluice/core'
import type { DestinationRegistry } from '@sluice/destinations'
import { gateListNames } from '@sluice/destinations/kit'
import { createSandbox } from '@sluice/sandbox'
import { createTransformationPrograms } from '@sluice/transformations'
import { codeProblems } from '../../../workspace/code-problems.ts'
import { definitionProblems } from '../../../workspace/definition-problems.ts'
import { registryWith } from '../../../workspace/known-destinations.ts'
import { refusedAddressText } from '../../../workspace/refused-address-notices.ts'
import { refusedAddresses } from '../../../workspace/refused-addresses.ts'
import { inOrderOfLines } from '../../../workspace/text/in-order-of-lines.ts'
import { type OpenedWorkspace, openWorkspace } from '../../../workspace/text/open-workspace.ts'
import { trustMarksOf, WorkspaceSandbox } from '../../../workspace/workspace-sandbox.ts'

/** Something that works and may be a mistake. */
export interface Note {
  /** `workspace.yaml:3:5`, '' without a place. */
  readonly at: string
  readonly path: string
  readonly text: string
}

export interface CheckedWorkspace {
  readonly problems: readonly PlacedProblem[]
  readonly notes: readonly Note[]
  /** Names of variables that are not set here, in order. What depends on their values was not checked. */
  readonly unset: readonly string[]
  /** Absent when the file could not be read. */
  readonly opened?: OpenedWorkspace
  /** Valid only without problems. */
  readonly workspaces: readonly Workspace[]
  readonly registry: DestinationRegistry
}

/**
 * Reads a workspace file or folder and checks it as `serve` does, code included. Variables that are not set are no
 * problem, because a check often runs where secrets are not.
 *
 * @param options.code whether to load code, which takes most of the time.
 * @param options.lenient true returns settings that a type does not have as notes in any case.
 * @param options.allowAddresses non-public addresses that destinations may use; others get a note. Default: none gets one.
 */
export async function checkWorkspace(
  path: string,
  {
    code: withCode = true,
    lenient = false,
    allowAddresses,
  }: { readonly code?: boolean; readonly lenient?: boolean; readonly allowAddresses?: readonly string[] } = {},
): Promise<CheckedWorkspace> {
  let opened: OpenedWorkspace
  try {
    opened = await openWorkspace(path, { lenient: true })
  } catch (error) {
    if (!(error instanceof WorkspaceFileError)) throw error
    return { problems: error.problems, notes: [], unset: [], workspaces: [], registry: registryWith([]) }
  }
  const registry = registryWith(opened.destinations)
  const context = { destinations: registry, env: process.env }
  const found = definitionProblems(lenient ? allLenient(opened.workspace) : opened.workspace, context)
  const { parsed, accepted } = found
  const isUnset = new Set(opened.variables.flatMap((each) => (each.isSet ? [] : [each.path])))
  const problems = found.problems.filter(({ path: at }) => !isUnset.has(at) || isGateList(at))
  const code = withCode ? await problemsOfCode(parsed) : []
  return {
    problems: inOrderOfLines([...opened.problems, ...(await opened.located([...problems, ...code]))]),
    notes: [
      ...opened.notes.map(({ file, path: at, text }) => ({ at: file, path: at, text })),
      ...(await located(accepted, 'it has no effect; allowed: ')),
      ...(await located(refused(), '')),
    ],
    unset: [...new Set(opened.variables.flatMap(({ isSet, name }) => (isSet ? [] : [name])))],
    opened,
    workspaces: parsed.workspaces,
    registry,
  }

  /** Non-public addresses of destinations that no option allows. */
  function refused(): readonly PlacedProblem[] {
    if (allowAddresses === undefined) return []
    return destinationsOf(opened.workspace).flatMap(({ path: at, settings, isEnabled }) =>
      isEnabled
        ? refusedAddresses(settings, allowAddresses).map(({ path: member, host, range }) => ({
            path: `${at}.settings.${member}`,
            value: host,
            allowed: `${host}: ${refusedAddressText(range)}`,
          }))
        : [],
    )
  }

  async function located(found: readonly PlacedProblem[], before: string): Promise<readonly Note[]> {
    return (await opened.located(found)).map(({ path: at, allowed, place }) => ({
      at: place ? `${place.file}:${place.line}:${place.column}` : '',
      path: at,
      text: `${before}${allowed}`,
    }))
  }
}

function allLenient(definition: JsonObject): JsonObject {
  const workspaces = Array.isArray(definition['workspaces']) ? definition['workspaces'] : []
  return {
    ...definition,
    workspaces: workspaces.map((each) => (isJsonObject(each) ? { ...each, lenient: true } : each)),
  }
}

async function problemsOfCode({
  transformations,
  workspaces,
}: ParsedWorkspaces): Promise<Awaited<ReturnType<typeof codeProblems>>> {
  if (transformations.length === 0) return []
  const options = { clock: systemClock, random: systemRandom }
  const sandbox = new WorkspaceSandbox({
    create: (code) => createSandbox({ ...options, code }),
    trusts: () => false,
  })
  sandbox.marks = trustMarksOf(workspaces)
  const programs = createTransformationPrograms({ sandbox })
  try {
    return await codeProblems(transformations, programs)
  } finally {
    await programs.close()
    await sandbox.close()
  }
}

/** Whether a path is a gate that no variable can give: its value is a text. */
function isGateList(path: string): boolean {
  return gateListNames.some((name) => path.endsWith(`.settings.${name}`))
}

interface GivenDestination {
  readonly path: string
  readonly type: string
  readonly settings: JsonObject
  readonly isEnabled: boolean
}

/** Returns the destinations of a definition as they were written, as far as they are well-formed. */
function destinationsOf(definition: JsonObject): readonly GivenDestination[] {
  const workspaces = Array.isArray(definition['workspaces']) ? definition['workspaces'] : []
  return workspaces.flatMap((workspace: unknown, w) => {
    const listed = isJsonObject(workspace) ? workspace['destinations'] : undefined
    if (!Array.isArray(listed)) return []
    return listed.flatMap((destination: unknown, d) => {
      if (!isJsonObject(destination)) return []
      const { type, settings, enabled } = destination
      const path = `workspaces[${w}].destinations[${d}]`
      return isJsonObject(settings) ? [{ path, type: String(type), settings, isEnabled: enabled !== false }] : []
    })
  })
}
