import { basename } from 'node:path'

/** Returns the name that DuckDB gives to the database in a file: that of the file, up to its first dot. */
export function databaseName(path: string): string {
  return basename(path).split('.', 1)[0] ?? ''
}
