import { createManualClock, createSeededRandom } from '@sluice/core'
import type { Store } from '@sluice/pipeline'
import { openPostgresStore, type PostgresStoreOptions } from '@sluice/postgres'
import { describeCrashStore, describeDeadLetterStore, describeSharedLimits, portSuites } from '@sluice/storage/suites'
import { afterAll, describe } from 'vitest'
import { dropSchema, emptyStore, freshSchema, noPostgres, postgresUrl } from '../support/databases/postgres.ts'

const clock = createManualClock()
const random = createSeededRandom(1)
const schemas = [freshSchema()]
/** Stores that are open, by schema. */
const users = new Map<string, number>()
const [first = ''] = schemas
let schema = first
let isNew = true

/** As the only process of its cluster, which holds all lanes. */
async function open(options: Partial<PostgresStoreOptions> = {}): Promise<Store> {
  const store = await openPostgresStore({ url: postgresUrl, schema, clock, random, ...options })
  const done = async () => {}
  const ignore = () => {}
  await store.cluster?.join({
    pause: done,
    resume: done,
    apply: done,
    passed: done,
    lost: done,
    deferred: ignore,
    tryNow: ignore,
  })
  const own = schema
  users.set(own, (users.get(own) ?? 0) + 1)
  let isOpen = true
  return {
    ...store,
    close: async () => {
      if (isOpen) users.set(own, (users.get(own) ?? 1) - 1)
      isOpen = false
      await store.close()
    },
  }
}

/** Opens an empty store. */
async function openFresh(options: Partial<PostgresStoreOptions> = {}): Promise<Store> {
  // Emptying one that is open would take it from its process.
  if ((users.get(first) ?? 0) > 0) {
    schema = freshSchema()
    schemas.push(schema)
  } else {
    schema = first
    if (!isNew) await emptyStore(schema)
    isNew = false
  }
  return open(options)
}

describe.skipIf(noPostgres)('a store in PostgreSQL', () => {
  afterAll(async () => {
    for (const each of schemas) await dropSchema(each)
  })
  // What was under way is known per lane, and counts when a process has died: see crashes.test.ts.
  for (const suite of portSuites.filter((each) => each !== describeCrashStore))
    suite('postgres', () => openFresh(), { reopen: () => open() })
  describeDeadLetterStore(
    'postgres',
    (deadLetterLimits = {}, now) => openFresh({ deadLetterLimits, clock: createManualClock(now) }),
    { reopen: () => open() },
  )
  describeSharedLimits('postgres', (limits) => openFresh(limits))
})
