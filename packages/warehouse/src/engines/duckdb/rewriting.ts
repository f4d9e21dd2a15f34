import { chmod, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { WarehouseError } from '../../load/warehouse-error.ts'
import { quoted } from '../sql/quoted.ts'
import { duckdbProblem } from './duckdb-problem.ts'
import type { DuckDBConnection } from './load-duckdb.ts'

/** An open file that can be closed and opened again. */
interface OpenFile {
  readonly path: string
  connection(): DuckDBConnection
  /** Closes the file, runs work, and opens it again. */
  reopen(work: () => Promise<void>): Promise<void>
}

/** Runs a deletion that says whether it has changed anything. @returns its result. */
export type Rewriting = <T>(work: () => Promise<{ readonly result: T; readonly hasChanged: boolean }>) => Promise<T>

/**
 * Returns what runs a deletion and then writes the file again: DuckDB only marks the place of deleted rows as free, so that
 * their bytes stay in the file until something else is written there.
 *
 * A file beside it notes that this has to be done, so that the next deletion does it after a crash. The copy takes as
 * much space on the disk as the file, until it takes its place.
 */
export function createRewriting(file: OpenFile): Rewriting {
  return async (work) => {
    // A link stays one.
    const path = await realpath(file.path)
    const note = `${path}.erasing`
    const copy = `${path}.rewritten`
    const isLeft = await stat(note).then(
      () => true,
      () => false,
    )
    // What a crash has left has rows that may have been deleted since.
    try {
      await rm(copy, { force: true })
      await writeFile(note, '')
    } catch (error) {
      throw duckdbProblem(error, file.path)
    }
    const { result, hasChanged } = await work()
    if (hasChanged || isLeft)
      try {
        await copyTo(copy, file)
        await file.reopen(async () => {
          await chmod(copy, (await stat(path)).mode)
          await rename(copy, path)
          await rm(`${path}.wal`, { force: true })
        })
      } catch (error) {
        await rm(copy, { force: true })
        const { message, code } = duckdbProblem(error, file.path)
        throw new WarehouseError(
          `Rows were deleted, but their bytes are still in the file, because it could not be written again. ${message}`,
          code,
        )
      }
    await rm(note, { force: true })
    return result
  }
}

async function copyTo(copy: string, { connection }: OpenFile): Promise<void> {
  const open = connection()
  const [found] = (await open.runAndReadAll('select current_database() as name')).getRowObjectsJson()
  const name = Object.values(found ?? {})[0]
  await open.run(`attach '${copy.replaceAll("'", "''")}' as sluice_rewritten`)
  await open.run(`copy from database ${quoted(String(name))} to sluice_rewritten`)
  await open.run('detach sluice_rewritten')
  // The log of changes goes into the file now, not after the copy has taken its place.
  await open.run('checkpoint')
}
