import { createManualClock, createSeededRandom } from '@sluice/core'
import type { Store } from '@sluice/pipeline'
import { openPostgresStore, type PostgresStoreOptions } from '@sluice/postgres'
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
} from '@sluice/storage/suites'
import { afterAll, describe } from 'vitest'
import { dropSchema, emptyStore, freshSchema, noPostgres, postgresUrl } from '../support/postgres.ts'

const clock = createManualClock()
const random = createSeededRandom(1)
const schema = freshSchema()
let isNew = true

/** As the only process of its cluster, which holds all lanes. */
async function open(options: Partial<PostgresStoreOptions> = {}): Promise<Store> {
  const store = await openPostgresStore({ url: postgresUrl, schema, clock, random, ...options })
  const done = async () => {}
  await store.cluster?.join({ pause: done, resume: done, apply: done, passed: done, deferred: () => {} })
  return store
}

/** Opens an empty store. */
async function openFresh(options: Partial<PostgresStoreOptions> = {}): Promise<Store> {
  if (!isNew) await emptyStore(schema)
  isNew = false
  return open(options)
}

describe.skipIf(noPostgres)('a store in PostgreSQL', () => {
  afterAll(() => dropSchema(schema))
  for (const suite of [
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
  ])
    suite('postgres', () => openFresh(), { reopen: () => open() })
  describeDeadLetterStore(
    'postgres',
    (deadLetterLimits = {}, now) => openFresh({ deadLetterLimits, clock: createManualClock(now) }),
    { reopen: () => open() },
  )
  describeSharedLimits('postgres', (limits) => openFresh(limits))
})
