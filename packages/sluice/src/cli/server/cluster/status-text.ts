import { printable } from '@sluice/core/printable'
import { table } from '@sluice/core/table'
import type { ClusterStatus } from '@sluice/postgres'
import { lossesText } from './losses-text.ts'

/** Characters of an id that are shown: enough to tell processes apart, and to name one. */
const idChars = 8
const bytesPerMb = 1_024 ** 2
/** From here on, an open transaction is worth a warning. */
const longSeconds = 60

/** Describes a cluster for people. */
export function statusText({
  nodes,
  changes,
  lanesWithoutOwner,
  destinations,
  log,
  oldestTransactionSeconds: oldest,
  losses,
}: ClusterStatus): string {
  const nodeRows = nodes.map(({ id, beatAgeMs, silentMs = 0, lanes, applied, isMember, isDraining }) => [
    id.slice(0, idChars),
    beatAgeMs === undefined ? 'silent' : isDraining ? 'draining' : isMember ? 'serving' : 'starting',
    beatAgeMs === undefined ? `over ${(silentMs / 1_000).toFixed(1)} s` : `${(beatAgeMs / 1_000).toFixed(1)} s`,
    String(lanes.length),
    `${applied} / ${changes}`,
  ])
  const lagRows = destinations.map(({ workspaceId, destinationId, pending, waiting }) => [
    printable(workspaceId),
    printable(destinationId),
    String(pending),
    String(waiting),
  ])
  return [
    nodes.length === 0
      ? 'No process is running.'
      : table([['process', 'state', 'last beat', 'lanes', 'changes applied'], ...nodeRows], 2),
    lanesWithoutOwner.length === 0
      ? 'Every lane has an owner.'
      : `Lanes that no process holds: ${lanesWithoutOwner.join(', ')}`,
    ...definitionsText(nodes),
    `Log: ${log.partitions} partitions, ${(log.bytes / bytesPerMb).toFixed(1)} MB.`,
    ...(oldest < longSeconds
      ? []
      : [
          `A transaction has been open in the database for ${Math.round(oldest)} s: until it ends, no space is used again. Find it in pg_stat_activity.`,
        ]),
    ...(losses.length === 0 ? [] : [lossesText(losses)]),
    ...(lagRows.length === 0
      ? []
      : ['', table([['workspace', 'destination', 'events behind', 'waiting for a retry'], ...lagRows], 2)]),
  ].join('\n')
}

/** Says which processes have an older definition than others. */
function definitionsText(nodes: ClusterStatus['nodes']): readonly string[] {
  const members = nodes.filter(({ isMember }) => isMember)
  if (new Set(members.map(({ definition }) => definition)).size < 2) return []
  const older = members.filter(({ hasOlderDefinition }) => hasOlderDefinition).map(({ id }) => id.slice(0, idChars))
  return [
    older.length === 0
      ? 'The processes have different definitions of workspaces, because one of them just changes its own.'
      : `The processes have different definitions of workspaces, and ${older.join(', ')} an older file: new events go where the newest says. Give all the same file, and restart those with an older one or send SIGHUP to them.`,
  ]
}
