import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { problemText } from '@sluice/configuration/file'
import type { Workspace } from '@sluice/core'
import { createSecretMask, type SecretMask } from '@sluice/destinations/kit'
import { type DiffedWay, type DiffSide, findSubject, type OfflineDestination, ProjectError } from '@sluice/testing'
import { CliError } from '../../cli-error.ts'
import type { DestinationFlags } from '../../flags/destination-flags.ts'
import { checkWorkspace } from '../configure/check-workspace.ts'
import { offlineDestination } from '../offline-destination.ts'

/** What is compared, and what hides the secrets of its settings. */
interface Diffed {
  readonly ways: readonly DiffedWay[]
  readonly masks: readonly SecretMask[]
}

const workspaceEndings = new Set(['.yaml', '.yml', '.json'])

/**
 * Returns what two files say about the way of events.
 * @param flags the destination that outputs of transformations are mapped for; for workspaces, the source whose
 * destinations are compared.
 * @throws CliError naming the file that is wrong.
 */
export async function diffedWays(
  before: string,
  after: string,
  flags: DestinationFlags & { readonly source?: string },
): Promise<Diffed> {
  const { source: sourceId } = flags
  const [isBefore, isAfter] = await Promise.all([isWorkspace(before), isWorkspace(after)])
  if (isBefore !== isAfter) {
    const [file, other] = isBefore ? [before, after] : [after, before]
    throw new CliError(`${file} is a workspace and ${other} a transformation; compare two of the same kind`)
  }
  if (isBefore && flags.destination !== undefined)
    throw new CliError('--destination is for transformations; destinations of workspaces are in their files')
  if (!isBefore && sourceId !== undefined) throw new CliError('--source is for workspaces')
  if (isBefore) return waysOfWorkspaces(await openSide(before, sourceId), await openSide(after, sourceId))
  const destination = await offlineDestination(flags)
  const masks = destination === undefined ? [] : [createSecretMask(destination.definition, destination.settings)]
  const side = async (file: string): Promise<DiffSide> => ({ subject: await subjectOf(file), destination })
  return {
    ways: [{ destination: destination?.definition.type, before: await side(before), after: await side(after) }],
    masks,
  }
}

async function isWorkspace(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`${path} cannot be read (${error.code})`)
  })
  return found.isDirectory() || workspaceEndings.has(extname(path))
}

async function subjectOf(file: string) {
  return findSubject(file).catch((error: unknown) => {
    throw error instanceof ProjectError ? new CliError(error.message) : error
  })
}

/** A side of each destination, by the name that the report has for it. */
type Sides = ReadonlyMap<string, DiffSide & { readonly destination: OfflineDestination }>

async function openSide(path: string, sourceId: string | undefined): Promise<Sides> {
  const { problems, workspaces, registry } = await checkWorkspace(path)
  if (problems.length > 0)
    throw new CliError(`${path}:\n${problems.map((each) => `  ${problemText(each)}`).join('\n')}`)
  if (sourceId !== undefined && !workspaces.some(({ sources }) => sources.some(({ id }) => id === sourceId)))
    throw new CliError(`--source ${sourceId}: ${path} has no such source`)
  const sides = new Map<string, DiffSide & { readonly destination: OfflineDestination }>()
  for (const workspace of workspaces)
    for (const { id, type, enabled, settings, transformation } of workspace.destinations) {
      const definition = registry.get(type)
      if (!enabled || definition === undefined || !isConnected(workspace, id, sourceId)) continue
      const name = workspaces.length === 1 ? id : `${workspace.id}/${id}`
      sides.set(name, { subject: transformation, destination: { definition, settings } })
    }
  return sides
}

function isConnected({ connections }: Workspace, destinationId: string, sourceId: string | undefined): boolean {
  return connections.some(
    (each) => each.destinationId === destinationId && (sourceId === undefined || each.sourceId === sourceId),
  )
}

function waysOfWorkspaces(before: Sides, after: Sides): Diffed {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort()
  const ways = names.map((name) => ({ destination: name, before: before.get(name), after: after.get(name) }))
  const masks = [...before.values(), ...after.values()].map(({ destination: { definition, settings } }) =>
    createSecretMask(definition, settings),
  )
  return { ways, masks }
}
