import { statSync } from 'node:fs'
import { StoreFullError } from '@sluice/core'
import { sql } from 'kysely'
import type { OpenSession } from '../sql/open-session.ts'
import { type StoreDamagedError, StoreUnusableError } from '../store-errors.ts'
import { damagedError, isDamage, unwritableCode } from './sqlite-errors.ts'

/**
 * How a store's file is while it is in use. `unwritable`: writes fail, because the disk is full or has errors, or the file may not
 * be written; it is tried again. `damaged` and `replaced` (the file was deleted, or another is in its place) are final.
 */
export type FileState = 'sound' | 'unwritable' | 'damaged' | 'replaced'

export interface FileWatchOptions {
  readonly path: string
  /** Called with each change. */
  onState(state: FileState, error?: StoreDamagedError | StoreUnusableError): void
}

interface FileWatch {
  /** The session, which notices what is wrong with the file. What was damaged or replaced is written no more. */
  readonly session: OpenSession
  close(): void
}

/** How often an unwritable file is written, to see whether it can be again, and the file is looked for in its place. */
const lookMs = 1_000

/** Watches the file of an open store. */
export function watchFile(session: OpenSession, { path, onState }: FileWatchOptions): FileWatch {
  const place = placeOf(path)
  let state: FileState = 'sound'
  let final: StoreDamagedError | StoreUnusableError | undefined
  const become = (next: FileState, error?: StoreDamagedError | StoreUnusableError): void => {
    if (state === next || final !== undefined) return
    state = next
    final = error
    onState(next, error)
  }
  const noticed = (error: unknown): unknown => {
    const cause = error instanceof StoreFullError ? error.cause : error
    if (isDamage(cause)) become('damaged', damagedError(path, cause))
    const code = unwritableCode(cause)
    if (code === undefined) return error
    become('unwritable')
    if (error instanceof StoreFullError) return error
    return new StoreFullError(`the file of the store cannot be written (${code})`, { cause })
  }
  const requireFile = (): void => {
    if (final !== undefined) throw new StoreFullError(`the file of the store is ${state}`, { cause: final })
  }
  const write: OpenSession['write'] = async (work) => {
    requireFile()
    try {
      const result = await session.write(work)
      // What was written into a file that is in its place no more is lost.
      requireFile()
      if (state === 'unwritable') become('sound')
      return result
    } catch (error) {
      throw noticed(error)
    }
  }
  const look = (): void => {
    if (place !== placeOf(path))
      become(
        'replaced',
        new StoreUnusableError(`${path} was deleted or replaced while the store was in use: restart the process`),
      )
    else if (state === 'unwritable') write({ apply: touch }).catch(() => {})
  }
  const timer = path === ':memory:' ? undefined : setInterval(look, lookMs).unref()
  return {
    session: {
      ...session,
      write,
      read: async (query) => {
        try {
          return await session.read(query)
        } catch (error) {
          if (isDamage(error)) become('damaged', damagedError(path, error))
          throw error
        }
      },
    },
    close: () => clearInterval(timer),
  }
}

/** Writes pages that leave nothing behind. */
const touch: Parameters<OpenSession['write']>[0]['apply'] = async (db) => {
  await sql`create table written_again (nothing integer)`.execute(db)
  await sql`drop table written_again`.execute(db)
}

/** What tells a file from others; undefined when there is none. */
function placeOf(path: string): string | undefined {
  if (path === ':memory:') return undefined
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}
