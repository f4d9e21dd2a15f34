import { loadDriver } from '../../../packages/storage/src/sqlite/driver/load-driver.ts'
import type { SqliteDriver } from '../../../packages/storage/src/sqlite/driver/sqlite-driver.ts'

/** Opens the file of a store that no process uses, as someone does who changes it by hand. */
export function openDatabase(path: string): Pick<SqliteDriver, 'exec' | 'close'> {
  return new (loadDriver())(path, { timeout: 0 })
}
