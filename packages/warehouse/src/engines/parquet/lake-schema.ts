import type { LiveSchema, TableChange } from '../../evolve/live-schema.ts'
import { WarehouseError } from '../../load/warehouse-error.ts'
import type { ColumnType } from '../../rows/columns/column-type.ts'
import type { LakeFiles } from './lake-files.ts'

/** Types of columns, by table. Files do not have all columns, so the types are kept beside them. */
type LakeSchema = Readonly<Record<string, Readonly<Record<string, ColumnType>>>>

/**
 * Each change is a file of its own, with all tables and the next number: of several processes that make one at the same time,
 * one creates the file, and the others change what it has written.
 */
const folder = '_sluice/schema'
/** Where releases before the numbered files kept all tables. */
const firstPath = '_sluice/schema.json'
/** Processes that change the tables at the same time are few, and each change of a lake is made once. */
const triesMax = 50

const pathOf = (number: number): string => `${folder}/${String(number).padStart(9, '0')}.json`

export async function readLakeSchema(files: LakeFiles): Promise<LakeSchema> {
  return (await readLast(files)).schema
}

export function liveSchemaOf(schema: LakeSchema): LiveSchema {
  return new Map(
    Object.entries(schema).map(([table, columns]) => [
      table,
      new Map(Object.entries(columns).map(([name, type]) => [name, { type, native: type }])),
    ]),
  )
}

/** Adds tables and columns. A column keeps the type that it has. */
export async function changeLakeSchema(files: LakeFiles, changes: readonly TableChange[]): Promise<void> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const { schema, numbers } = await readLast(files)
    const changed = new Map(Object.entries(schema))
    for (const { table, columns } of changes)
      changed.set(table, {
        ...Object.fromEntries(columns.map(({ name, type }) => [name, type])),
        ...changed.get(table),
      })
    const last = numbers.at(-1) ?? 0
    if (!(await files.create(pathOf(last + 1), JSON.stringify(Object.fromEntries(changed), null, 1)))) continue
    // The one before stays for those that have just found it.
    for (const number of numbers) if (number < last) await files.remove(pathOf(number))
    return
  }
  throw new WarehouseError(`${files.place}/${folder}: other processes change the tables all the time.`, 'LAKE')
}

interface LastSchema {
  readonly schema: LakeSchema
  /** Of the files that are there, in order. */
  readonly numbers: readonly number[]
}

async function readLast(files: LakeFiles): Promise<LastSchema> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const paths = await files.list(folder)
    const numbers = paths.map((path) => Number(path.slice(folder.length + 1, -'.json'.length))).sort((a, b) => a - b)
    const last = numbers.at(-1)
    const text = await files.read(last === undefined ? firstPath : pathOf(last))
    if (text !== undefined || last === undefined) return { schema: JSON.parse(text ?? '{}') as LakeSchema, numbers }
  }
  throw new WarehouseError(`${files.place}/${folder}: the last file cannot be read.`, 'LAKE')
}
