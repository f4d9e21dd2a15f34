import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManualClock, createSeededRandom } from '@sluice/core'
import type { Store } from '@sluice/pipeline'
import { afterAll, beforeAll } from 'vitest'
import { createMemoryStore } from './memory/memory-store.ts'
import { openSqliteStore } from './sqlite/sqlite-store.ts'
import { describeDeadLetterStore, describeSharedLimits, type OpenStore, portSuites } from './suites/index.ts'

const clock = createManualClock()
const random = createSeededRandom(1)

for (const suite of portSuites) suite('memory', async () => createMemoryStore({ clock, random }))

const folder = mkdtempSync(join(tmpdir(), 'sluice-store-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
let path = ''
// Syncing is no matter of the ports; one test of the SQLite store runs with 'full'.
const openLast: OpenStore = () => openSqliteStore({ path, clock, random, synchronous: 'normal', thread: 'this' })
// Copied, because migrations take longer than most tests.
const empty = join(folder, 'empty')
beforeAll(async () => {
  path = join(empty, 'sluice.db')
  await (await openLast()).close()
})
function copyEmpty(): void {
  files += 1
  path = join(folder, String(files), 'sluice.db')
  cpSync(empty, join(folder, String(files)), { recursive: true })
}
function openFresh(): Promise<Store> {
  copyEmpty()
  return openLast()
}
for (const suite of portSuites) suite('sqlite', openFresh, { reopen: openLast })

describeDeadLetterStore('memory', async (deadLetterLimits = {}, now) =>
  createMemoryStore({ clock: createManualClock(now), random, deadLetterLimits }),
)
describeDeadLetterStore(
  'sqlite',
  (deadLetterLimits = {}, now) => {
    copyEmpty()
    return openSqliteStore({
      path,
      clock: createManualClock(now),
      random,
      synchronous: 'normal',
      thread: 'this',
      deadLetterLimits,
    })
  },
  { reopen: openLast },
)

describeSharedLimits('memory', async (limits) => createMemoryStore({ clock, random, ...limits }))
describeSharedLimits('sqlite', (limits) =>
  openSqliteStore({ path: ':memory:', clock, random, synchronous: 'normal', ...limits }),
)
