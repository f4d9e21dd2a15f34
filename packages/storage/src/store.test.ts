import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManualClock, createSeededRandom } from '@sluice/core'
import { afterAll } from 'vitest'
import { createMemoryStore } from './memory/memory-store.ts'
import { openSqliteStore } from './sql/sqlite-store.ts'
import {
  describeAuditLog,
  describeCounterStore,
  describeCrashStore,
  describeDeadLetterStore,
  describeDeduplication,
  describeDeletionStore,
  describeEventLog,
  describeReceiptStore,
  describeRegulationStore,
  describeRetryStore,
  describeSchemaStore,
  describeSharedLimits,
  describeTransformationStore,
  type OpenStore,
} from './suites/index.ts'

const suites = [
  describeEventLog,
  describeDeduplication,
  describeCounterStore,
  describeReceiptStore,
  describeRetryStore,
  describeRegulationStore,
  describeDeletionStore,
  describeSchemaStore,
  describeTransformationStore,
  describeAuditLog,
  describeCrashStore,
]
const clock = createManualClock()
const random = createSeededRandom(1)

for (const suite of suites) suite('memory', async () => createMemoryStore({ clock, random }))

const folder = mkdtempSync(join(tmpdir(), 'sluice-store-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
let path = ''
// How often the disk is asked to sync is no matter of the ports; one test of the SQLite store runs with 'full'.
const openLast: OpenStore = () => openSqliteStore({ path, clock, random, synchronous: 'normal', thread: 'this' })
const openLastThere: OpenStore = () => openSqliteStore({ path, clock, random, synchronous: 'normal' })
const anew = (open: OpenStore) => () => {
  files += 1
  path = join(folder, String(files), 'sluice.db')
  return open()
}
for (const suite of suites) suite('sqlite', anew(openLast), { reopen: openLast })
// What differs in a thread of its own is how it is asked, and the log is asked in all ways there are.
describeEventLog('sqlite in a thread of its own', anew(openLastThere), { reopen: openLastThere })

describeDeadLetterStore('memory', async (deadLetterLimits = {}, now) =>
  createMemoryStore({ clock: createManualClock(now), random, deadLetterLimits }),
)
describeDeadLetterStore(
  'sqlite',
  (deadLetterLimits = {}, now) => {
    files += 1
    path = join(folder, String(files), 'sluice.db')
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
