import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { discardsTable } from '../../evolve/discard.ts'
import type { LiveSchema, TableChange } from '../../evolve/live-schema.ts'
import type { ErasedTable, Erasure, PreparedLoad, PreparedTable, WarehouseSession } from '../../load/warehouse.ts'
import { AlreadySettledError, WarehouseError } from '../../load/warehouse-error.ts'
import { nativeTypeOf } from '../duckdb/duckdb-types.ts'
import { eachStagingFile, stagedRows, stagedValue } from '../duckdb/staging-files.ts'
import { erasureConditions } from '../sql/erasure-conditions.ts'
import { quoted } from '../sql/quoted.ts'
import type { LakeFiles } from './lake-files.ts'
import { changeLakeSchema, liveSchemaOf, readLakeSchema } from './lake-schema.ts'
import type { ParquetTool } from './parquet-tool.ts'

export interface LakeSessionOptions {
  readonly files: LakeFiles
  readonly tool: ParquetTool
  close(): Promise<void>
}

/** What is stored of a load: whether it happened, and its files. */
interface Manifest {
  readonly state: 'loaded' | 'void'
  readonly destinationId?: string
  readonly at?: string
  readonly files?: readonly string[]
}

const manifestOf = (loadId: string): string => `_sluice/loads/${loadId}.json`
const begunOf = (loadId: string): string => `_sluice/begun/${loadId}.json`

/**
 * A data lake of Parquet files: `<table>/dt=<day>/hour=<hour>/<load>.parquet`, by the time at which events were received. A
 * load has happened when its manifest is written, which is the last step; files without one are removed by `settle`.
 */
export class LakeSession implements WarehouseSession {
  readonly #options: LakeSessionOptions

  constructor(options: LakeSessionOptions) {
    this.#options = options
  }

  close(): Promise<void> {
    return this.#options.close()
  }

  schema(): Promise<LiveSchema> {
    return this.#named(async (files) => liveSchemaOf(await readLakeSchema(files)))
  }

  evolve(changes: readonly TableChange[]): Promise<void> {
    return this.#named((files) => changeLakeSchema(files, changes))
  }

  load({ loadId, destinationId, at, tables }: PreparedLoad): Promise<void> {
    return this.#named(async (files) => {
      if ((await files.read(manifestOf(loadId))) !== undefined) throw new AlreadySettledError(loadId)
      const written: string[] = []
      const folder = await mkdtemp(join(tmpdir(), 'sluice-lake-'))
      try {
        for (const [index, table] of tables.entries()) {
          if (table.rowCount === 0) continue
          const parts = await this.#writeParts(table, join(folder, String(index)), at)
          const placed = parts.map((part) => ({ ...part, path: `${table.table}/${part.partition}/${loadId}.parquet` }))
          written.push(...placed.map(({ path }) => path))
          // Before the files: a crash among them must not leave files that no list names.
          await files.write(begunOf(loadId), JSON.stringify({ files: written }))
          for (const { path, file } of placed) await files.put(path, file)
        }
        const manifest: Manifest = { state: 'loaded', destinationId, at: new Date(at).toISOString(), files: written }
        if (!(await files.create(manifestOf(loadId), JSON.stringify(manifest)))) {
          for (const path of written) await files.remove(path)
          throw new AlreadySettledError(loadId)
        }
        await files.remove(begunOf(loadId))
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })
  }

  settle(loadId: string): Promise<boolean> {
    return this.#named(async (files) => {
      const isVoid = await files.create(manifestOf(loadId), JSON.stringify({ state: 'void' } satisfies Manifest))
      if (!isVoid) {
        const found = JSON.parse((await files.read(manifestOf(loadId))) ?? '{}') as Partial<Manifest>
        if (found.state === 'loaded') return true
      }
      const begun = JSON.parse((await files.read(begunOf(loadId))) ?? '{}') as { readonly files?: readonly string[] }
      for (const path of begun.files ?? []) await files.remove(path)
      await files.remove(begunOf(loadId))
      return false
    })
  }

  erase({ userIds, signal }: Erasure): Promise<readonly ErasedTable[]> {
    return this.#named(async (files) => {
      const schema = liveSchemaOf(await readLakeSchema(files))
      const { tool } = this.#options
      await tool.ids('erased_user', userIds)
      await tool.ids('erased_anonymous', await this.#linkedIds(schema))
      const erased: ErasedTable[] = []
      const rowIds: string[] = []
      for (const [table, columns] of schema) {
        const conditions = erasureConditions(
          table,
          columns,
          (column, kind) => `${quoted(column)} in (select id from erased_${kind})`,
        )
        if (conditions.length === 0) continue
        let rows = 0
        for (const path of await this.#parquetFiles(table)) {
          signal.throwIfAborted()
          const { removed, ids } = await this.#rewrite(path, conditions)
          rows += removed
          rowIds.push(...ids)
        }
        erased.push({ table, rows })
      }
      // Values that did not fit are data of these users, too.
      await tool.ids('erased_row', rowIds)
      for (const path of rowIds.length === 0 ? [] : await this.#parquetFiles(discardsTable))
        await this.#rewrite(path, ['"row_id" in (select id from erased_row)'])
      return erased
    })
  }

  /** Anonymous ids that `identifies` links to the users. */
  async #linkedIds(schema: LiveSchema): Promise<readonly string[]> {
    const columns = schema.get('identifies')
    if (!columns?.has('anonymous_id') || !columns.has('user_id')) return []
    const ids = new Set<string>()
    for (const path of await this.#parquetFiles('identifies'))
      for (const id of await this.#withCopy(path, (local) =>
        this.#options.tool.texts(
          `select anonymous_id from read_parquet(?, union_by_name = true) where user_id in (select id from erased_user)`,
          local,
          ['anonymous_id', 'user_id'],
        ),
      ))
        ids.add(id)
    return [...ids]
  }

  /** Writes a file again without rows of users. @returns how many there were, and their ids. */
  #rewrite(
    path: string,
    conditions: readonly string[],
  ): Promise<{ readonly removed: number; readonly ids: readonly string[] }> {
    const { tool, files } = this.#options
    return this.#withCopy(path, async (local) => {
      const { removed, left, ids } = await tool.without(local, `${local}.new`, conditions)
      if (removed === 0) return { removed, ids }
      if (left === 0) await files.remove(path)
      else await files.put(path, `${local}.new`)
      return { removed, ids }
    })
  }

  async #withCopy<T>(path: string, use: (local: string) => Promise<T>): Promise<T> {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-lake-'))
    try {
      const local = join(folder, 'rows.parquet')
      if (!(await this.#options.files.get(path, local)))
        throw new WarehouseError(`${this.#options.files.place}/${path} disappeared while it was read.`, 'GONE')
      return await use(local)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  async #parquetFiles(table: string): Promise<readonly string[]> {
    return (await this.#options.files.list(table)).filter((path) => path.endsWith('.parquet'))
  }

  /** Writes the rows of a table to local files, one per hour. */
  async #writeParts(table: PreparedTable, folder: string, at: number) {
    const { columns } = table
    const selected = columns.map(
      ({ name, type }, index) => `${stagedValue(index, nativeTypeOf(type))} as ${quoted(name)}`,
    )
    const received = columns.findIndex(({ name }) => name.toLowerCase() === 'received_at')
    const moment = received === -1 ? 'null::timestamp' : stagedValue(received, 'timestamp')
    const time = `coalesce(${moment}, '${new Date(at).toISOString()}'::timestamp)`
    await eachStagingFile([table], (_, file) =>
      this.#options.tool.run(
        `copy (select ${selected.join(', ')}, strftime(${time}, '%Y-%m-%d') as dt, strftime(${time}, '%H') as hour
           from ${stagedRows(file)})
         to '${folder.replaceAll("'", "''")}' (format parquet, compression zstd, partition_by (dt, hour))`,
        [file.path],
      ),
    )
    const found = await readdir(folder, { recursive: true })
    return found.flatMap((name) => {
      // dt=<day>/hour=<hour>/<file>
      const [day, hour, file] = name.split(sep)
      return file?.endsWith('.parquet') ? [{ partition: `${day}/${hour}`, file: join(folder, name) }] : []
    })
  }

  /** Says in errors where the files are. */
  async #named<T>(work: (files: LakeFiles) => Promise<T>): Promise<T> {
    const { files } = this.#options
    try {
      return await work(files)
    } catch (error) {
      if (error instanceof WarehouseError) throw error
      const { code = 'LAKE', message } = error as NodeJS.ErrnoException
      const hint =
        code === 'EACCES'
          ? ' Let the process of Sluice write there.'
          : code === 'ENOSPC'
            ? ' Free space on the disk.'
            : ''
      throw new WarehouseError(`Data lake ${files.place}: ${message.replace(/\.?$/, '.')}${hint}`, code)
    }
  }
}
