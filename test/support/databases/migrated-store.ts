import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '@sluice/pipeline'
import { openSqliteStore, type SqliteStoreOptions } from '@sluice/storage'
import { afterAll, beforeAll } from 'vitest'

/**
 * Returns a function that opens an empty SQLite store in a file of its own, for a file of tests: a copy of one that was
 * migrated before, because migrations take four times as long as copying. Writes are not synced.
 */
export function migratedStores({ clock, random }: Pick<SqliteStoreOptions, 'clock' | 'random'>): () => Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-migrated-'))
  const open = (name: string): Promise<Store> =>
    openSqliteStore({ path: join(folder, name, 'sluice.db'), clock, random, synchronous: 'normal', thread: 'this' })
  beforeAll(async () => {
    await (await open('empty')).close()
  })
  afterAll(() => rmSync(folder, { recursive: true }))
  let copies = 0
  return () => {
    copies += 1
    cpSync(join(folder, 'empty'), join(folder, String(copies)), { recursive: true })
    return open(String(copies))
  }
}
