import type { LiveSchema, TableChange } from '../../evolve/live-schema.ts'
import type { ColumnType } from '../../rows/column-type.ts'
import type { LakeFiles } from './lake-files.ts'

/** Types of columns, by table. Files do not have all columns, so the types are kept beside them. */
export type LakeSchema = Readonly<Record<string, Readonly<Record<string, ColumnType>>>>

const path = '_sluice/schema.json'

export async function readLakeSchema(files: LakeFiles): Promise<LakeSchema> {
  return JSON.parse((await files.read(path)) ?? '{}') as LakeSchema
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
  const schema = await readLakeSchema(files)
  const changed: Record<string, Readonly<Record<string, ColumnType>>> = { ...schema }
  for (const { table, columns } of changes)
    changed[table] = { ...Object.fromEntries(columns.map(({ name, type }) => [name, type])), ...changed[table] }
  await files.write(path, JSON.stringify(changed, null, 1))
}
