import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManualClock, createSeededRandom } from '@sluice/core'
import { afterAll, beforeAll } from 'vitest'
import { openSqliteStore } from './sqlite/sqlite-store.ts'
import { describeEventLog, type OpenStore } from './suites/index.ts'

const clock = createManualClock()
const random = createSeededRandom(1)
const folder = mkdtempSync(join(tmpdir(), 'sluice-thread-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
const pathOf = (name: string): string => join(folder, name, 'sluice.db')
const openLast: OpenStore = () =>
  openSqliteStore({ path: pathOf(String(files)), clock, random, synchronous: 'normal', thread: 'own' })
beforeAll(async () => {
  await (await openSqliteStore({ path: pathOf('empty'), clock, random, thread: 'this' })).close()
})

// A thread changes only how calls are passed, and the tests of the log make every kind of call.
describeEventLog(
  'sqlite in a thread of its own',
  () => {
    files += 1
    // Copied, because migrations take longer than most tests.
    cpSync(join(folder, 'empty'), join(folder, String(files)), { recursive: true })
    return openLast()
  },
  { reopen: openLast },
)
