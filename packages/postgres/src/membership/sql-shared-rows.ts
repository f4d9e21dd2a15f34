import type { Connection } from '../connect/connect.ts'
import { definedColumns, withDefinedFile } from '../schema/defined-columns.ts'
import { resume } from './resume.ts'
import type { Barrier, ChangeCount, DefinedFile, Node, OwnBeat, SharedRows } from './shared-rows.ts'

/** @param channel of the notifications that tell processes what others have applied. */
export function createSqlSharedRows(connection: Connection, channel: string): SharedRows {
  const { query } = connection
  return {
    resume: (past, took) => resume(connection, past, took),

    addNode: async ({ id, isMember, isDraining, leaseMs, knows, definition, file, deduplicationMs = null }) => {
      await query(addNode, [
        id,
        isMember ? 1 : 0,
        isDraining ? 1 : 0,
        leaseMs,
        knows.shared,
        knows.cluster,
        definition,
        file,
        deduplicationMs,
      ])
    },
    beat: async (nodeId, vitals) =>
      (await query<OwnBeat>(beat, [nodeId, vitals === undefined ? null : JSON.stringify(vitals)]))[0],
    nodes: () =>
      query<Node>(`select id, beat, lease_ms, is_member, is_draining, ${definedColumns} from node ${withDefinedFile}`),
    makeMember: async (nodeId, deduplicationMs = undefined) => {
      await query('update node set is_member = true, deduplication_ms = $2::bigint where id = $1', [
        nodeId,
        deduplicationMs ?? null,
      ])
    },
    removeSilent: async (nodeId, beat) => {
      await query(removeSilent, [nodeId, beat])
    },
    removeNode: async (nodeId) => {
      await query('delete from node where id = $1', [nodeId])
    },
    leave: async (nodeId, stays) => {
      await query(
        `with freed as (update lane set node_id = null where node_id = $1),
         left_file as (
           update defined_file set silent_at = null where digest = (select file from node where id = $1)
         )
         ${stays ? 'update node set is_member = false' : 'delete from node'} where id = $1`,
        [nodeId],
      )
    },

    lanes: () => query('select number, node_id from lane'),
    give: async (nodeId, lanes) => {
      await query('update lane set node_id = null where node_id = $1 and number = any ($2::int[])', [nodeId, lanes])
    },
    take: async (nodeId, lanes) =>
      (await query<{ number: number }>(takeLanes, [nodeId, lanes])).map(({ number }) => number),

    sayChanging: async (nodeId) => {
      await query(`update node set definition = '' where id = $1`, [nodeId])
    },
    sayDefinition: async (nodeId, { digest, file, revision, routes }, before) => {
      await query(sayDefinition, [nodeId, digest, file, revision, JSON.stringify([...routes]), before])
    },
    // Two that change at the same time do not know of each other's.
    differs: async (nodeId, definition) => {
      const others = await query(
        `select id from node where is_member and id <> $1 and (definition <> $2 or $2 = '')
         union all select digest from (${silentFiles}) as silent where seen_at > (
           select seen_at from node ${withDefinedFile} where id = $1
         )
         limit 1`,
        [nodeId, definition],
      )
      return others.length > 0
    },
    silentFiles: () => query<DefinedFile>(silentFiles),
    routesOf: async (file) =>
      (await query<{ routes_json: string }>('select routes_json from defined_file where digest = $1', [file]))[0]
        ?.routes_json,

    changes: async () => (await query<ChangeCount>('select count, of_code from change_count'))[0],
    changesAndBehind: async () => (await query<ChangeCount & { behind: readonly string[] }>(changesAndBehind))[0],
    sayApplied: async (nodeId, count) => {
      await query(sayApplied, [nodeId, count, channel])
    },
    behind: async (count) =>
      (await query<{ id: string }>('select id from node where is_member and applied < $1', [count])).map(
        ({ id }) => id,
      ),

    addBarrier: async (workspaceId, destinationId) => {
      const [asked] = await query<{ id: number }>(
        'insert into passing (workspace_id, destination_id) values ($1, $2) returning id',
        [workspaceId, destinationId ?? null],
      )
      return asked?.id ?? 0
    },
    barriersAfter: (id, max) =>
      query<Barrier>('select id, workspace_id, destination_id from passing where id > $1 order by id limit $2', [
        id,
        max,
      ]),
    sayPassed: async (nodeId, id) => {
      await query('update node set passed = $2 where id = $1', [nodeId, id])
    },
    hasNotPassed: async (id) => {
      const behind = await query('select id from node where is_member and passed < $1 limit 1', [id])
      return behind.length > 0
    },
  }
}

const addNode = `
  insert into node (id, beat, is_member, is_draining, lease_ms, knows_shared, knows_cluster, definition, file,
    deduplication_ms, applied, passed)
  select $1, 0, $2 = 1, $3 = 1, $4, $5, $6, $7, $8, $9,
    (select count from change_count), (select coalesce(max(id), 0) from passing)`

const beat = `
  update node set beat = beat + 1, vitals_json = $2 where id = $1
  returning beat, passed, is_draining, (select count from change_count) as changes,
    (select last_value from log_position) as "end",
    (select count(*) from resumption where is_loss and confirmed_at is null) as losses`

const takeLanes = `
  with serving as materialized (select 1 from node where id = $1 for key share)
  update lane set node_id = $1
  where number = any ($2::int[]) and exists (select from serving)
    and (node_id is null or node_id = $1 or not exists (select from node where node.id = lane.node_id))
  returning number`

const changesAndBehind =
  'select count, of_code, array(select id from node where is_member and applied < count) as behind from change_count'

/**
 * Both at once, so that those who wait hear of it right after it is stored. It need not be on disk before: if the database
 * loses it in a crash, this process is waited for until it says so again.
 */
const sayApplied = `
  with soon as (select set_config('synchronous_commit', 'off', true)),
  said as (update node set applied = greatest(applied, $2::bigint) where id = $1 returning id, applied)
  select pg_notify($3, 'applied ' || id || ' ' || applied) from said, soon`

const nowMs = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

/** For how long the file of a process that went silent counts: several times what it takes to start a process again. */
const silentFileMs = 5 * 60_000

const silentFiles = `
  select digest, digest as file, seen_at, revision from defined_file where silent_at > ${nowMs} - ${silentFileMs}`

const removeSilent = `
  with gone as (delete from node where id = $1 and beat = $2 returning file)
  update defined_file set silent_at = ${nowMs} where digest in (select file from gone)`

/** By the clock of the database, which may run backwards: each is later than all before it. */
const seenNow = `(
  select greatest(${nowMs}, coalesce(max(seen_at), 0) + 1) from defined_file
)`

const sayDefinition = `
  with newer as (
    select from defined_file where seen_at > (select seen_at from defined_file where digest = $6::text)
      and digest in (select file from node union select digest from (${silentFiles}) as silent)
  ),
  known as (
    insert into defined_file as file (digest, seen_at, revision, routes_json)
    values ($3, ${seenNow}, $4::bigint, $5::text)
    on conflict (digest) do update set
      seen_at = case
        when $6::text not in ('', $3) and not exists (select from newer) then excluded.seen_at
        else file.seen_at
      end,
      revision = greatest(file.revision, excluded.revision),
      routes_json = case when file.revision > excluded.revision then file.routes_json else excluded.routes_json end
  )
  update node set definition = $2, file = $3 where id = $1`
