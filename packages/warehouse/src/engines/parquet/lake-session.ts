import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { eraseUsers } from '../../erase/erase-users.ts'
import { findUsers } from '../../erase/find-users.ts'
import type { LiveSchema, TableChange } from '../../evolve/live-schema.ts'
import type { RefusedName } from '../../load/plan/taken-names.ts'
import type {
  ErasedUser,
  Erasure,
  PreparedLoad,
  PreparedTable,
  Search,
  WarehouseSession,
} from '../../load/warehouse.ts'
import { AlreadySettledError, WarehouseError } from '../../load/warehouse-error.ts'
import { nativeTypeOf } from '../duckdb/duckdb-types.ts'
import { eachStagingFile, stagedRows, stagedValue } from '../duckdb/staging-files.ts'
import { quoted } from '../sql/quoted.ts'
import { openLakeErasure } from './lake-erasure.ts'
import type { LakeFiles } from './lake-files.ts'
import { changeLakeSchema, liveSchemaOf, readLakeSchema } from './lake-schema.ts'
import type { ParquetTool } from './parquet-tool.ts'

interface LakeSessionOptions {
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

/** A file with the rows of an hour. */
interface LocalPart {
  readonly partition: string
  readonly file: string
}

interface LocalTable {
  readonly table: string
  readonly parts: readonly LocalPart[]
}

const manifestOf = (loadId: string): string => `_sluice/loads/${loadId}.json`
const begunFolder = '_sluice/begun'
const begunOf = (loadId: string): string => `${begunFolder}/${loadId}.json`

/**
 * A data lake of Parquet files: `<table>/dt=<day>/hour=<hour>/<load>.parquet`, by the time at which events were received. A
 * load has happened when its manifest is written, which is the last step; files without one are removed by `settle`. A
 * load that was settled while it was under way may write files after that: it removes them itself, or the next one does.
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

  async evolve(changes: readonly TableChange[]): Promise<readonly RefusedName[]> {
    await this.#named((files) => changeLakeSchema(files, changes))
    return []
  }

  load({ loadId, destinationId, at, tables }: PreparedLoad): Promise<void> {
    return this.#named(async (files) => {
      if ((await files.read(manifestOf(loadId))) !== undefined) throw new AlreadySettledError(loadId)
      await inOwnFolder(async (folder) => {
        const placed: { readonly path: string; readonly file: string }[] = []
        for (const { table, parts } of await this.#writeAll(tables, folder, at))
          placed.push(...parts.map((part) => ({ ...part, path: `${table}/${part.partition}/${loadId}.parquet` })))
        const written = placed.map(({ path }) => path)
        // Before the files: a crash among them must not leave files that no list names.
        if (written.length > 0) await files.write(begunOf(loadId), JSON.stringify({ files: written }))
        for (const { path, file } of placed) await files.put(path, file)
        const manifest: Manifest = { state: 'loaded', destinationId, at: new Date(at).toISOString(), files: written }
        if (!(await files.create(manifestOf(loadId), JSON.stringify(manifest)))) {
          await removeBegun(files, loadId)
          throw new AlreadySettledError(loadId)
        }
        await files.remove(begunOf(loadId))
      })
    })
  }

  /** Rows are refused when local files are written, before any is put into the lake. */
  tryOut({ at, tables }: PreparedLoad): Promise<void> {
    return this.#named(() =>
      inOwnFolder(async (folder) => {
        await this.#writeAll(tables, folder, at)
      }),
    )
  }

  settle(loadId: string): Promise<boolean> {
    return this.#named(async (files) => {
      await files.create(manifestOf(loadId), JSON.stringify({ state: 'void' } satisfies Manifest))
      await sweep(files)
      return (await stateOf(files, loadId)) === 'loaded'
    })
  }

  erase(erasure: Erasure): Promise<readonly ErasedUser[]> {
    return this.#named(async (files) => {
      await sweep(files)
      const store = await openLakeErasure(files, this.#options.tool, erasure.signal)
      try {
        // Each batch reads all files, so all users are in one.
        const erased = await eraseUsers(store, store.tables, { ...erasure, usersPerBatch: erasure.userIds.length })
        await store.end()
        const note = 'the bucket keeps older versions: remove those of the files that were written again'
        return erased.map((each) => (store.hasVersions && each.tables.length > 0 ? { ...each, note } : each))
      } finally {
        await store.close()
      }
    })
  }

  search(search: Search): Promise<readonly ErasedUser[]> {
    return this.#named(async (files) => {
      const store = await openLakeErasure(files, this.#options.tool, search.signal)
      try {
        return await findUsers(store, store.tables, search)
      } finally {
        await store.close()
      }
    })
  }

  /** Writes the rows of all tables to local files: a row that is refused is refused here. */
  async #writeAll(tables: readonly PreparedTable[], folder: string, at: number): Promise<readonly LocalTable[]> {
    const written: LocalTable[] = []
    for (const [index, table] of tables.entries())
      if (table.rowCount > 0)
        written.push({ table: table.table, parts: await this.#writeParts(table, join(folder, String(index)), at) })
    return written
  }

  /** Writes the rows of a table to local files, one per hour. */
  async #writeParts(table: PreparedTable, folder: string, at: number): Promise<readonly LocalPart[]> {
    const { columns } = table
    const selected = columns.map(
      ({ name, type }, index) => `${stagedValue(index, nativeTypeOf(type))} as ${quoted(name)}`,
    )
    const received = columns.findIndex(({ name }) => name.toLowerCase() === 'received_at')
    const moment = received === -1 ? 'null::timestamp' : stagedValue(received, 'timestamp')
    const time = `coalesce(${moment}, '${new Date(at).toISOString()}'::timestamp)`
    await eachStagingFile([[table]], (_, file) =>
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

/** Does work with a folder that is removed afterwards. */
async function inOwnFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-lake-'))
  try {
    await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function stateOf(files: LakeFiles, loadId: string): Promise<Manifest['state'] | undefined> {
  const { state } = JSON.parse((await files.read(manifestOf(loadId))) ?? '{}') as Partial<Manifest>
  return state
}

/** Removes what loads have left that have not happened and never will. */
async function sweep(files: LakeFiles): Promise<void> {
  for (const path of await files.list(begunFolder)) {
    const loadId = path.slice(begunFolder.length + 1, -'.json'.length)
    const state = await stateOf(files, loadId)
    if (state === 'void') await removeBegun(files, loadId)
    // It was to be removed when the manifest was written.
    else if (state === 'loaded') await files.remove(path)
  }
}

async function removeBegun(files: LakeFiles, loadId: string): Promise<void> {
  const begun = JSON.parse((await files.read(begunOf(loadId))) ?? '{}') as { readonly files?: readonly string[] }
  for (const path of begun.files ?? []) await files.remove(path)
  await files.remove(begunOf(loadId))
}
