import { createRequire } from 'node:module'
import type { DriverOptions, SqliteDriver } from './sqlite-driver.ts'

/** Opens a file. @throws SqliteError; other errors when the native part cannot be loaded. */
type DriverClass = new (path: string, options: DriverOptions) => SqliteDriver

/**
 * Version of Node's interface for native modules that better-sqlite3 13 needs, and crashes without: Node 22.14 and 23.6 are
 * the first to have it.
 */
const interfaceMin = 10

/** Whether this Node takes better-sqlite3 12, which is compiled for one version of Node, because it is too old for 13. */
export function needsOlderDriver(napi = process.versions['napi']): boolean {
  return napi !== undefined && Number(napi) < interfaceMin
}

/** Loads the driver for this Node. @throws Error with the code MODULE_NOT_FOUND when it is not installed. */
export function loadDriver(): DriverClass {
  return createRequire(import.meta.url)(needsOlderDriver() ? '@sluice/sqlite-older-node' : 'better-sqlite3')
}
