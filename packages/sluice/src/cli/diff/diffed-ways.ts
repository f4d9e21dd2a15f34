import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { problemText } from '@sluice/configuration/file'
import { createSecretMask, type SecretMask } from '@sluice/destinations/kit'
import {
  type DiffedWay,
  type DiffSide,
  findSubject,
  ProjectError,
  type WorkspaceSide,
  workspaceWays,
} from '@sluice/testing'
import { CliError } from '../cli-error.ts'
import type { DestinationFlags } from '../flags/destination-flags.ts'
import { checkWorkspace } from '../offline/configure/check-workspace.ts'
import { offlineDestination } from '../offline/offline-destination.ts'

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
  flags: DestinationFlags & { readonly source?: string; readonly from?: string },
): Promise<Diffed> {
  const { source: sourceId } = flags
  const [isBefore, isAfter] = await Promise.all([isWorkspace(before), isWorkspace(after)])
  if (isBefore !== isAfter) {
    const [file, other] = isBefore ? [before, after] : [after, before]
    throw new CliError(`${file} is a workspace and ${other} a transformation; compare two of the same kind`)
  }
  if (isBefore && flags.destination !== undefined)
    throw new CliError('--destination is for transformations; destinations of workspaces are in their files')
  if (!isBefore && sourceId !== undefined && flags.from === undefined)
    throw new CliError('--source is for workspaces, and for events that --from reads')
  if (isBefore) {
    const ways = workspaceWays(await openSide(before, sourceId), await openSide(after, sourceId), sourceId)
    return { ways, masks: masksOf(ways) }
  }
  const destination = await offlineDestination(flags)
  const side = async (file: string): Promise<DiffSide> => ({ subject: await subjectOf(file), destination })
  const ways = [{ destination: destination?.definition.type, before: await side(before), after: await side(after) }]
  return { ways, masks: masksOf(ways) }
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

/** Reads the workspaces of a side. @throws CliError naming what is wrong with them. */
async function openSide(path: string, sourceId: string | undefined): Promise<WorkspaceSide> {
  const { problems, workspaces, registry } = await checkWorkspace(path)
  if (problems.length > 0)
    throw new CliError(`${path}:\n${problems.map((each) => `  ${problemText(each)}`).join('\n')}`)
  if (sourceId !== undefined && !workspaces.some(({ sources }) => sources.some(({ id }) => id === sourceId)))
    throw new CliError(`--source ${sourceId}: ${path} has no such source`)
  return { workspaces, definitions: registry }
}

/** Returns what hides the secrets of both sides: those of settings, and the credentials of user code. */
function masksOf(ways: readonly DiffedWay[]): readonly SecretMask[] {
  return ways
    .flatMap(({ before, after }) => [before?.destination, after?.destination])
    .filter((each) => each !== undefined)
    .flatMap(({ definition, settings, place }) => [
      createSecretMask(definition, settings),
      createSecretMask({ secrets: ['texts'] }, { texts: Object.values(place?.workspace.credentials ?? {}) }),
    ])
}
