import { parseWorkspaces } from '@sluice/configuration'
import { WorkspaceFileError } from '@sluice/configuration/file'
import { type Destination, systemClock, type Workspace } from '@sluice/core'
import { printable } from '@sluice/core/printable'
import { table } from '@sluice/core/table'
import { type ClosableTransport, checkCredentials, createTransport, ownedTransport } from '@sluice/delivery'
import type { CredentialCheck, DestinationRegistry } from '@sluice/destinations'
import { registryWith } from '../../workspace/known-destinations.ts'
import { openWorkspace } from '../../workspace/text/open-workspace.ts'
import { CliError } from '../cli-error.ts'
import { printLine } from '../terminal/print-line.ts'
import { Progress } from '../terminal/progress.ts'

export interface CheckFlags {
  readonly workspace: string
  readonly id: readonly string[]
  readonly allowAddress: readonly string[]
  readonly seconds: number
  readonly json?: true
}

interface Checked {
  readonly workspaceId: string
  readonly destinationId: string
  readonly type: string
  /** `none`: credentials of the type cannot be checked. */
  readonly result: CredentialCheck['result'] | 'none'
  readonly reason?: string
}

interface Wanted {
  readonly workspace: Workspace
  readonly destination: Destination
}

/** Checks in progress at a time. */
const concurrency = 8

/** Runs `sluice destinations check`. */
export async function checkDestinations(flags: CheckFlags): Promise<void> {
  const { workspace, destinations, located } = await openWorkspace(flags.workspace)
  const registry = registryWith(destinations, { allowAddresses: flags.allowAddress })
  const { workspaces, problems } = parseWorkspaces(workspace, { destinations: registry, env: process.env })
  if (problems.length > 0) throw new WorkspaceFileError(await located(problems))
  const wanted = chosen(workspaces, flags.id)
  const transport = createTransport({ clock: systemClock, allowAddresses: flags.allowAddress })
  try {
    const checked = await checkAll(wanted, registry, transport, flags.seconds * 1_000)
    printLine(flags.json ? JSON.stringify(checked, null, 2) : textOf(checked))
    if (checked.some(({ result }) => result === 'invalid' || result === 'undecided')) process.exitCode = 1
  } finally {
    await transport.close()
  }
}

function chosen(workspaces: readonly Workspace[], ids: readonly string[]): readonly Wanted[] {
  const all = workspaces.flatMap((workspace) =>
    workspace.destinations.map((destination) => ({ workspace, destination })),
  )
  const known = all.map(({ destination }) => destination.id)
  const unknown = ids.find((id) => !known.includes(id))
  if (unknown !== undefined)
    throw new CliError(`--id ${unknown}: the workspace has no such destination; allowed: ${known.join(', ')}`)
  return ids.length === 0 ? all : all.filter(({ destination }) => ids.includes(destination.id))
}

/** @returns the results in the order of the workspace file. */
async function checkAll(
  wanted: readonly Wanted[],
  registry: DestinationRegistry,
  transport: ClosableTransport,
  timeMs: number,
): Promise<readonly Checked[]> {
  const progress = new Progress(process.stderr)
  const results = new Map<number, Checked>()
  const waiting = wanted.entries()
  async function work(): Promise<void> {
    for (const [index, each] of waiting) {
      results.set(index, await checkOne(each, registry, transport, timeMs))
      progress.update(`${results.size} of ${wanted.length} checked`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  progress.done(`${results.size} of ${wanted.length} checked`)
  return wanted.flatMap((_, index) => results.get(index) ?? [])
}

async function checkOne(
  { workspace, destination: { id, type, settings } }: Wanted,
  registry: DestinationRegistry,
  transport: ClosableTransport,
  timeMs: number,
): Promise<Checked> {
  const definition = registry.get(type)
  const check =
    definition &&
    (await checkCredentials({
      definition,
      settings,
      transport: ownedTransport(transport, workspace.id),
      clock: systemClock,
      signal: new AbortController().signal,
      timeMs,
    }))
  return { workspaceId: workspace.id, destinationId: id, type, ...(check ?? { result: 'none' }) }
}

function textOf(checked: readonly Checked[]): string {
  const rows = checked.map(({ workspaceId, destinationId, type, result, reason }) => [
    workspaceId,
    destinationId,
    type,
    result,
    printable(reason ?? (result === 'none' ? 'credentials of this type cannot be checked' : '')),
  ])
  return table([['workspace', 'destination', 'type', 'result', 'reason'], ...rows], 5)
}
