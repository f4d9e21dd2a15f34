import { setTimeout as sleep } from 'node:timers/promises'
import type { ProcessVitals } from '@sluice/pipeline'
import type { Query } from '../connect/connect.ts'
import { readPartitions } from '../log/log-partitions.ts'
import { definedColumns, withDefinedFile } from '../schema/defined-columns.ts'
import { type Loss, readLosses } from './losses.ts'

/** How often beats are looked at. */
const lookMs = 50

/** Part of its lease for which a process is watched before it is called silent: it beats five times in a lease. */
const watchedShare = 0.5

export interface NodeStatus {
  readonly id: string
  /** Milliseconds since its last beat; left out when it did not beat while it was watched. */
  readonly beatAgeMs?: number
  /** Milliseconds for which it was watched without a beat, half of its lease or more; left out when it beat. */
  readonly silentMs?: number
  /** After how much silence others take over its lanes. */
  readonly leaseMs: number
  /** Whether it takes part: it is given lanes, and changes wait for it. */
  readonly isMember: boolean
  /** Whether it was asked to hold no lanes. */
  readonly isDraining: boolean
  /** Numbers of the lanes it holds. */
  readonly lanes: readonly number[]
  /** As of its last beat; left out for a release that does not say. */
  readonly vitals?: ProcessVitals
  /** Changes of regulations and code that it has applied, of `changes`. */
  readonly applied: number
  /** Digest of the definition of workspaces that it has, to be compared; empty while it changes. */
  readonly definition: string
  /** Whether another process has a newer workspace file. */
  readonly hasOlderDefinition: boolean
}

export interface DestinationLag {
  readonly workspaceId: string
  readonly destinationId: string
  /** Events that have not ended there: behind its cursors, or waiting for another attempt. */
  readonly pending: number
  /** Those of them that wait for another attempt. */
  readonly waiting: number
}

export interface ClusterStatus {
  readonly nodes: readonly NodeStatus[]
  /** Changes of regulations and code so far. */
  readonly changes: number
  /** Lanes that no process holds. */
  readonly lanesWithoutOwner: readonly number[]
  readonly destinations: readonly DestinationLag[]
  /** Parts of the log, dropped as a whole when all have passed them, the two that are added ahead included. */
  readonly log: { readonly partitions: number; readonly bytes: number }
  /**
   * Seconds for which the oldest transaction of the database has been open, of whatever program: what was deleted or
   * changed since takes up room until it ends. 0 when there is none.
   */
  readonly oldestTransactionSeconds: number
  /** What the database had acknowledged and lacked later, confirmed or not; the oldest first. */
  readonly losses: readonly Loss[]
}

/**
 * Returns the state of a cluster. It waits for new beats, because clocks of different machines cannot be compared. That
 * takes a fifth of a lease while all processes are well, and half a lease when one sends none.
 */
export async function readClusterStatus(query: Query): Promise<ClusterStatus> {
  const members = await readClusterNodes(query)
  const { all: partitions } = await readPartitions(query)
  const [oldest] = await query<{ seconds: number }>(oldestTransaction)
  return {
    ...members,
    destinations: await readLags(query),
    log: { partitions: partitions.length, bytes: partitions.reduce((sum, { bytes }) => sum + bytes, 0) },
    oldestTransactionSeconds: oldest?.seconds ?? 0,
    losses: await readLosses(query),
  }
}

/** Returns the processes of a cluster, and its lanes, after a wait like that of `readClusterStatus`. */
export async function readClusterNodes(
  query: Query,
): Promise<Pick<ClusterStatus, 'nodes' | 'changes' | 'lanesWithoutOwner'>> {
  const { beats, watchedMs } = await watchBeats(query)
  const nodes = await query<NodeRow>(
    `select id, lease_ms, is_member, is_draining, applied, vitals_json, ${definedColumns} from node ${withDefinedFile} order by id collate "C"`,
  )
  const lanes = await query<{ number: number; node_id: string | null }>(
    'select number, node_id from lane order by number',
  )
  const [change] = await query<{ count: number }>('select count from change_count')
  const known = new Set(nodes.map(({ id }) => id))
  const newest = Math.max(0, ...nodes.flatMap((node) => (node.is_member ? node.seen_at : [])))
  return {
    nodes: nodes.map(({ id, ...row }) => {
      const beatAt = beats.get(id)
      return {
        id,
        ...(beatAt === undefined
          ? { silentMs: Math.round(watchedMs) }
          : { beatAgeMs: Math.round(performance.now() - beatAt) }),
        leaseMs: row.lease_ms,
        isMember: row.is_member,
        isDraining: row.is_draining,
        lanes: lanes.flatMap(({ number, node_id }) => (node_id === id ? number : [])),
        ...(row.vitals_json === null ? {} : { vitals: JSON.parse(row.vitals_json) as ProcessVitals }),
        applied: row.applied,
        definition: row.definition,
        hasOlderDefinition: row.file !== '' && row.seen_at < newest,
      }
    }),
    changes: change?.count ?? 0,
    lanesWithoutOwner: lanes.flatMap(({ number, node_id }) => (node_id === null || !known.has(node_id) ? number : [])),
  }
}

/** Visible without special rights: the statements of others are not, but when their transactions began is. */
const oldestTransaction = `
  select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8 as seconds
  from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`

interface NodeRow {
  readonly id: string
  readonly definition: string
  readonly file: string
  readonly seen_at: number
  readonly lease_ms: number
  readonly is_member: boolean
  readonly is_draining: boolean
  readonly applied: number
  readonly vitals_json: string | null
}

interface WatchedBeats {
  /** When each process was seen to beat last, on the clock of `performance.now`. */
  readonly beats: ReadonlyMap<string, number>
  readonly watchedMs: number
}

/** Watches until each process has beaten, or is silent. */
async function watchBeats(query: Query): Promise<WatchedBeats> {
  const numbers = new Map<string, number>()
  const beats = new Map<string, number>()
  const startedAt = performance.now()
  for (;;) {
    const nodes = await query<{ id: string; beat: number; lease_ms: number }>('select id, beat, lease_ms from node')
    for (const { id, beat } of nodes) {
      if (numbers.has(id) && numbers.get(id) !== beat) beats.set(id, performance.now())
      numbers.set(id, beat)
    }
    const watchedMs = performance.now() - startedAt
    if (nodes.every(({ id, lease_ms }) => beats.has(id) || watchedMs > lease_ms * watchedShare))
      return { beats, watchedMs }
    await sleep(lookMs)
  }
}

async function readLags(query: Query): Promise<readonly DestinationLag[]> {
  const rows = await query<{ workspace_id: string; destination_id: string; pending: number; waiting: number }>(
    `with every_count as (${everyCount}),
     owed as (
       select workspace_id, destination_id, ${pendingSum} as pending
       from every_count where destination_id <> '' group by workspace_id, destination_id
     ),
     deferred as (
       select workspace_id, destination_id, count(*) as waiting from deferred_event group by workspace_id, destination_id
     )
     select workspace_id, destination_id, pending, coalesce(waiting, 0) as waiting
     from owed left join deferred using (workspace_id, destination_id) order by workspace_id, destination_id`,
  )
  return rows.map(({ workspace_id, destination_id, pending, waiting }) => ({
    workspaceId: workspace_id,
    destinationId: destination_id,
    pending,
    waiting,
  }))
}

/** All counts: those that are added up already, and those that are not. */
export const everyCount = `
  select workspace_id, destination_id, kind, total as amount from counter
  union all select workspace_id, destination_id, kind, amount from count_delta`

/** Events owed to a destination that have not ended, from its counts. */
export const pendingSum = `
  coalesce(sum(case when kind in ('accepted', 'replayed') then amount
    when kind in ('delivered', 'dropped', 'failed') then -amount else 0 end), 0)`
