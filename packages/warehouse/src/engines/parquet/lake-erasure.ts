import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ErasureStore } from '../../erase/erasure-store.ts'
import { rowIdOf } from '../../erase/search-columns.ts'
import { discardsTable } from '../../evolve/discard.ts'
import type { LiveColumn, LiveSchema } from '../../evolve/live-schema.ts'
import { WarehouseError } from '../../load/warehouse-error.ts'
import { duckdbErasure, duckdbStatement, erasureQuery, erasureRows } from '../duckdb/duckdb-erasure.ts'
import { liveColumnOf } from '../duckdb/duckdb-types.ts'
import { Bound, type Statement, sql } from '../sql/statement.ts'
import type { LakeFiles } from './lake-files.ts'
import { liveSchemaOf, readLakeSchema } from './lake-schema.ts'
import type { ParquetTool } from './parquet-tool.ts'

/** The view of the file that is searched. */
const part = 'lake_part'
/** A copy of all discards, with their file and place in it. */
const discards = 'lake_discards'

/** The files of a data lake, each of which is a part of its table. A file with rows of users is written again without them. */
interface LakeErasure extends ErasureStore {
  /** All tables that have files, also those that releases before the numbered schema files may have left out of it. */
  readonly tables: LiveSchema
  /** Whether files that were written again or removed are still there as older versions. */
  readonly hasVersions: boolean
  /** Writes files of discards again. */
  end(): Promise<void>
  close(): Promise<void>
}

export async function openLakeErasure(files: LakeFiles, tool: ParquetTool, signal: AbortSignal): Promise<LakeErasure> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-lake-'))
  let copies = 0
  let hasVersions = false

  const run = (statement: Statement): Promise<void> => {
    const { text, values } = duckdbStatement(statement)
    return tool.run(text, values)
  }
  const rows = async (statement: Statement) => {
    const { text, values } = erasureQuery(statement)
    return erasureRows(await tool.rows(text, values))
  }
  const newFile = (): string => {
    copies += 1
    return join(folder, `${copies}.parquet`)
  }
  const reading = (local: string, more = ''): string =>
    `read_parquet('${local.replaceAll("'", "''")}', hive_partitioning = false${more})`

  async function copyOf(path: string): Promise<string> {
    const local = newFile()
    if (!(await files.get(path, local)))
      throw new WarehouseError(`${files.place}/${path} disappeared while it was read.`, 'GONE')
    return local
  }

  async function replace(path: string, local: string, left: number): Promise<void> {
    const keepsVersion = left === 0 ? await files.remove(path) : await files.put(path, local)
    hasVersions ||= keepsVersion
  }

  async function parquetFiles(table: string): Promise<readonly string[]> {
    return (await files.list(table)).filter((path) => path.endsWith('.parquet'))
  }

  async function columnsOf(path: string): Promise<Map<string, LiveColumn>> {
    const local = await copyOf(path)
    const described = await tool.rows(`describe from ${reading(local)}`)
    await rm(local)
    return columnsIn(described)
  }

  async function tablesWithFiles(): Promise<LiveSchema> {
    const known = liveSchemaOf(await readLakeSchema(files))
    const tables = new Map<string, Map<string, LiveColumn>>()
    for (const path of await files.list('')) {
      const [table = ''] = path.split('/')
      if (!path.endsWith('.parquet')) continue
      const columns = tables.get(table) ?? new Map(known.get(table))
      tables.set(table, columns)
      if (!known.has(table)) for (const [name, column] of await columnsOf(path)) columns.set(name, column)
    }
    return tables
  }

  const tables = await tablesWithFiles()
  const discardFiles: { readonly path: string; readonly rows: number }[] = []
  for (const path of await parquetFiles(discardsTable)) {
    const local = await copyOf(path)
    const selected = `select *, ${discardFiles.length} as lake_file from ${reading(local, ', file_row_number = true')}`
    await tool.run(
      discardFiles.length === 0
        ? `create or replace temp table ${discards} as ${selected}`
        : `insert into ${discards} by name ${selected}`,
    )
    const [counted] = await tool.rows(`select count(*) as n from ${reading(local)}`)
    discardFiles.push({ path, rows: Number(counted?.['n']) })
    await rm(local)
  }
  const deleteDiscards = async (condition: Statement): Promise<void> => {
    if (discardFiles.length > 0) await run(sql`delete from ${discards} where ${condition}`)
  }

  return {
    tables,
    sql: duckdbErasure,
    discards: discardFiles.length > 0 ? discards : undefined,
    rows,
    deleteDiscards,
    get hasVersions() {
      return hasVersions
    },
    async eachPart(table, work) {
      for (const path of await parquetFiles(table)) {
        signal.throwIfAborted()
        const first = await copyOf(path)
        let local = first
        const show = (): Promise<void> => tool.run(`create or replace temp view ${part} as from ${reading(local)}`)
        await show()
        const described = await tool.rows(`describe ${part}`)
        const columns = columnsIn(described)
        const id = rowIdOf({ columns }, duckdbErasure)
        await work({
          from: part,
          columns,
          async delete(condition) {
            const rowId = duckdbErasure.text('row_id', 'text')
            if (id !== undefined)
              await deleteDiscards(
                sql`table_name = ${new Bound(table)} and row_id <> '' and ${rowId} in (select ${id} from ${part} where ${condition})`,
              )
            const target = newFile()
            await run(
              sql`copy (from ${part} where not coalesce((${condition}), false)) to '${target.replaceAll("'", "''")}' (format parquet, compression zstd)`,
            )
            if (local !== first) await rm(local)
            local = target
            await show()
          },
        })
        if (local !== first) {
          const [counted] = await tool.rows(`select count(*) as n from ${part}`)
          await replace(path, local, Number(counted?.['n']))
        }
        for (const each of new Set([first, local])) await rm(each, { force: true })
      }
    },
    async end() {
      for (const [at, { path, rows: before }] of discardFiles.entries()) {
        const [counted] = await tool.rows(`select count(*) as n from ${discards} where lake_file = ${at}`)
        const left = Number(counted?.['n'])
        if (left === before) continue
        const target = newFile()
        if (left > 0)
          await tool.run(
            `copy (select * exclude (lake_file, file_row_number) from ${discards} where lake_file = ${at} order by file_row_number)
             to '${target.replaceAll("'", "''")}' (format parquet, compression zstd)`,
          )
        await replace(path, target, left)
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

/** @param described the rows of `describe`. */
function columnsIn(described: readonly Readonly<Record<string, unknown>>[]): Map<string, LiveColumn> {
  return new Map(
    described.map((column) => [String(column['column_name']), liveColumnOf(String(column['column_type']))]),
  )
}
