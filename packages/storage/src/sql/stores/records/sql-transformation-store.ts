import type {
  CodeChange,
  CodeRecord,
  CodeVersion,
  CommitResult,
  Publication,
  TransformationStore,
  VersionedCode,
} from '@sluice/transformations'
import { importKey, versionBytes } from '@sluice/transformations/store'
import type { ExpressionBuilder, Selectable } from 'kysely'
import type { Db, SqlSession } from '../../sql-session.ts'
import type { Tables } from '../../tables.ts'

export function createSqlTransformationStore({ read, write }: SqlSession): TransformationStore {
  return {
    list: (workspaceId, kind) =>
      read(async (db) => {
        const rows = await recordsWith(db, workspaceId, 'newest_version_id').where('kind', '=', kind).execute()
        return withConnections(db, workspaceId, rows)
      }),
    find: (workspaceId, kind, id) =>
      read(async (db) => {
        const found = recordsWith(db, workspaceId, 'newest_version_id').where('kind', '=', kind)
        const rows = await found.where('code_record.id', '=', id).execute()
        return (await withConnections(db, workspaceId, rows))[0]
      }),
    bytes: (workspaceId) =>
      read(async (db) => {
        const { bytes } = await db
          .selectFrom('code_version')
          .select((select) => select.fn.sum<number | null>('bytes').as('bytes'))
          .where('workspace_id', '=', workspaceId)
          .executeTakeFirstOrThrow()
        return bytes ?? 0
      }),
    versions: (workspaceId, id, { order, limit }) =>
      read(async (db) => {
        const all = db
          .selectFrom('code_version')
          .selectAll()
          .where('workspace_id', '=', workspaceId)
          .where('record_id', '=', id)
          .orderBy('number', order === 'ASC' ? 'asc' : 'desc')
        const rows = await (limit === undefined ? all : all.limit(limit)).execute()
        return rows.map(versionOf)
      }),
    findVersion: (workspaceId, versionId) =>
      read(async (db) => {
        const rows = await db
          .selectFrom('code_version')
          .innerJoin('code_record', (join) =>
            join
              .onRef('code_record.workspace_id', '=', 'code_version.workspace_id')
              .onRef('code_record.id', '=', 'code_version.record_id'),
          )
          .select(columns)
          .where('code_version.workspace_id', '=', workspaceId)
          .where('code_version.version_id', '=', versionId)
          .execute()
        return (await withConnections(db, workspaceId, rows))[0]
      }),
    live: (workspaceId) =>
      read((db) =>
        db.transaction().execute(async (transaction) => {
          const rows = await recordsWith(transaction, workspaceId, 'published_version_id').execute()
          const published = await withConnections(transaction, workspaceId, rows)
          return { revision: await liveRevision(transaction, workspaceId), published }
        }),
      ),
    commit: async (workspaceId, change) => {
      let refusal: Refusal | undefined
      try {
        await write({
          admit: async (db) => {
            refusal = await refusalOf(db, workspaceId, change)
            if (refusal) throw new CommitRefused()
          },
          apply: (db) => apply(db, workspaceId, change),
        })
        return 'committed'
      } catch (error) {
        if (error instanceof CommitRefused && refusal) return refusal
        throw error
      }
    },
  }
}

type Refusal = Exclude<CommitResult, 'committed'>

/** Ends a group commit without a write; never reaches a caller. */
class CommitRefused extends Error {
  override readonly name = 'CommitRefused'
}

async function refusalOf(db: Db, workspaceId: string, change: CodeChange): Promise<Refusal | undefined> {
  const { create, addVersion, setExternalId, publish = [], remove } = change
  if (changesLive(change) && (await liveRevision(db, workspaceId)) !== change.liveRevision) return 'changed'
  if (create?.record.kind === 'library') {
    const taken = await db
      .selectFrom('code_record')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('import_key', '=', importKey(create.record.importName))
      .executeTakeFirst()
    if (taken) return 'importNameTaken'
  }
  if (create?.record.externalId !== undefined && (await isExternalIdTaken(db, create.record, create.record.externalId)))
    return 'externalIdTaken'
  if (setExternalId) {
    const record = await db
      .selectFrom('code_record')
      .select(['id', 'kind'])
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', setExternalId.id)
      .executeTakeFirst()
    if (record === undefined) return 'changed'
    if (await isExternalIdTaken(db, { ...record, workspaceId }, setExternalId.externalId)) return 'externalIdTaken'
  }
  if (addVersion) {
    const newest = await recordsWith(db, workspaceId, 'newest_version_id')
      .where('code_record.id', '=', addVersion.id)
      .executeTakeFirst()
    const number = create?.record.id === addVersion.id ? create.version.number : newest?.number
    if (number !== addVersion.number - 1) return 'changed'
  }
  for (const [index, publication] of publish.entries()) {
    const isThere = publication.id === create?.record.id || (await hasRecord(db, workspaceId, publication.id))
    if (!isThere || (await isConnectedElsewhere(db, workspaceId, publication, publish.slice(0, index))))
      return 'changed'
  }
  return remove === undefined || (await hasRecord(db, workspaceId, remove)) ? undefined : 'changed'
}

async function apply(db: Db, workspaceId: string, change: CodeChange): Promise<void> {
  const { create, addVersion, setExternalId, publish = [], remove } = change
  if (create) {
    await db.insertInto('code_record').values(recordRow(create.record)).execute()
    await db.insertInto('code_version').values(versionRow(workspaceId, create.version)).execute()
  }
  if (addVersion) {
    await db.insertInto('code_version').values(versionRow(workspaceId, addVersion)).execute()
    await db
      .updateTable('code_record')
      .set((eb) => ({
        newest_version_id: addVersion.versionId,
        updated_at: later(eb, addVersion.createdAt),
      }))
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', addVersion.id)
      .execute()
  }
  if (setExternalId)
    await db
      .updateTable('code_record')
      .set({ external_id: setExternalId.externalId })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', setExternalId.id)
      .execute()
  for (const publication of publish) await applyPublication(db, workspaceId, publication)
  if (remove !== undefined) {
    await db.deleteFrom('code_record').where('workspace_id', '=', workspaceId).where('id', '=', remove).execute()
    for (const table of ['code_version', 'code_connection'] as const)
      await db.deleteFrom(table).where('workspace_id', '=', workspaceId).where('record_id', '=', remove).execute()
  }
  if (changesLive(change))
    await db
      .insertInto('code_live')
      .values({ workspace_id: workspaceId, revision: 1 })
      .onConflict((conflict) =>
        conflict.column('workspace_id').doUpdateSet(({ eb, ref }) => ({
          revision: eb(ref('code_live.revision'), '+', 1),
        })),
      )
      .execute()
}

/** The later of a time and the stored `updated_at`. */
function later(eb: ExpressionBuilder<Tables, 'code_record'>, time: number) {
  return eb.case().when('updated_at', '<', time).then(time).else(eb.ref('updated_at')).end()
}

async function applyPublication(db: Db, workspaceId: string, publication: Publication): Promise<void> {
  const { id, versionId, testInput, destinationIds, commitId, at } = publication
  await db
    .updateTable('code_record')
    .set((eb) => ({
      published_version_id: versionId,
      test_input_json: testInput && JSON.stringify(testInput),
      updated_at: later(eb, at),
    }))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
  if (versionId !== null && commitId !== undefined)
    await db
      .updateTable('code_version')
      .set({ commit_id: commitId })
      .where('workspace_id', '=', workspaceId)
      .where('version_id', '=', versionId)
      .execute()
  if (destinationIds === undefined) return
  await db.deleteFrom('code_connection').where('workspace_id', '=', workspaceId).where('record_id', '=', id).execute()
  for (const destinationId of destinationIds)
    await db
      .insertInto('code_connection')
      .values({ workspace_id: workspaceId, destination_id: destinationId, record_id: id })
      .execute()
}

function changesLive({ publish = [], remove }: CodeChange): boolean {
  return publish.length > 0 || remove !== undefined
}

async function liveRevision(db: Db, workspaceId: string): Promise<number> {
  const row = await db
    .selectFrom('code_live')
    .select('revision')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return row?.revision ?? 0
}

async function hasRecord(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('code_record')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether another record of the kind has an external id. */
async function isExternalIdTaken(
  db: Db,
  { workspaceId, id, kind }: Pick<CodeRecord, 'workspaceId' | 'id' | 'kind'>,
  externalId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('code_record')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', kind)
    .where('external_id', '=', externalId)
    .where('id', '!=', id)
    .executeTakeFirst()
  return row !== undefined
}

async function isConnectedElsewhere(
  db: Db,
  workspaceId: string,
  { id, destinationIds = [] }: Publication,
  before: readonly Publication[],
): Promise<boolean> {
  const rows = await db
    .selectFrom('code_connection')
    .select(['destination_id', 'record_id'])
    .where('workspace_id', '=', workspaceId)
    .where('record_id', '!=', id)
    .execute()
  const isReplaced = (recordId: string): boolean =>
    before.some((each) => each.id === recordId && each.destinationIds !== undefined)
  const stored = rows.flatMap((row) => (isReplaced(row.record_id) ? [] : row.destination_id))
  const replaced = before.flatMap((each) => each.destinationIds ?? [])
  return [...stored, ...replaced].some((destinationId) => destinationIds.includes(destinationId))
}

const columns = [
  'code_record.id',
  'code_record.workspace_id',
  'code_record.kind',
  'code_record.import_name',
  'code_record.external_id',
  'code_record.newest_version_id',
  'code_record.published_version_id',
  'code_record.test_input_json',
  'code_record.created_at as record_created_at',
  'code_record.updated_at',
  'code_version.version_id',
  'code_version.record_id',
  'code_version.number',
  'code_version.name',
  'code_version.description',
  'code_version.code',
  'code_version.language',
  'code_version.created_at',
  'code_version.commit_id',
] as const

/** Selects records with the version named by one of their columns, in order of creation. */
function recordsWith(db: Db, workspaceId: string, column: 'newest_version_id' | 'published_version_id') {
  return db
    .selectFrom('code_record')
    .innerJoin('code_version', (join) =>
      join
        .onRef('code_version.workspace_id', '=', 'code_record.workspace_id')
        .onRef('code_version.version_id', '=', `code_record.${column}`),
    )
    .select(columns)
    .where('code_record.workspace_id', '=', workspaceId)
    .orderBy('seq')
}

type CodeRow = Omit<Selectable<Tables['code_record']>, 'seq' | 'import_key' | 'created_at'> &
  Omit<Selectable<Tables['code_version']>, 'bytes'> & { readonly record_created_at: number }

async function withConnections(
  db: Db,
  workspaceId: string,
  rows: readonly CodeRow[],
): Promise<readonly VersionedCode[]> {
  if (rows.length === 0) return []
  const connections = await db
    .selectFrom('code_connection')
    .select(['destination_id', 'record_id'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('destination_id')
    .execute()
  return rows.map((row) => {
    const own = connections.filter((connection) => connection.record_id === row.id)
    const destinationIds = own.map((connection) => connection.destination_id)
    return { record: recordOf(row, destinationIds), version: versionOf(row) }
  })
}

function recordOf(row: CodeRow, destinationIds: readonly string[]): CodeRecord {
  return {
    kind: row.kind,
    id: row.id,
    workspaceId: row.workspace_id,
    importName: row.import_name,
    externalId: row.external_id ?? undefined,
    newestVersionId: row.newest_version_id,
    publishedVersionId: row.published_version_id,
    testInput: row.test_input_json === null ? null : JSON.parse(row.test_input_json),
    destinationIds,
    createdAt: row.record_created_at,
    updatedAt: row.updated_at,
  }
}

function versionOf(row: Omit<Selectable<Tables['code_version']>, 'bytes'>): CodeVersion {
  return {
    id: row.record_id,
    versionId: row.version_id,
    number: row.number,
    name: row.name,
    description: row.description,
    code: row.code,
    language: row.language,
    createdAt: row.created_at,
    commitId: row.commit_id ?? undefined,
  }
}

function recordRow(record: CodeRecord) {
  return {
    workspace_id: record.workspaceId,
    id: record.id,
    kind: record.kind,
    import_name: record.importName,
    import_key: record.kind === 'library' ? importKey(record.importName) : null,
    external_id: record.externalId ?? null,
    newest_version_id: record.newestVersionId,
    published_version_id: null,
    test_input_json: null,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  }
}

function versionRow(workspaceId: string, version: CodeVersion): Tables['code_version'] {
  return {
    workspace_id: workspaceId,
    version_id: version.versionId,
    record_id: version.id,
    number: version.number,
    bytes: versionBytes(version),
    name: version.name,
    description: version.description,
    code: version.code,
    language: version.language,
    created_at: version.createdAt,
    commit_id: version.commitId ?? null,
  }
}
