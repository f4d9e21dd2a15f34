import { createRequire } from 'node:module'

/** What tests need of the driver. */
interface Database {
  exec(statements: string): unknown
  close(): unknown
}

const Driver = createRequire(new URL('../../../packages/storage/package.json', import.meta.url))(
  'better-sqlite3',
) as new (
  path: string,
) => Database

/** Opens the file of a store that no process uses, as someone does who changes it by hand. */
export function openDatabase(path: string): Database {
  return new Driver(path)
}
