import { createManualClock, createSeededRandom, systemRandom, uuidV4 } from '@sluice/core'
import type { Store } from '@sluice/pipeline'
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
import { openPostgresStore } from './open-postgres-store.ts'

const url = 'postgres://postgres@127.0.0.1:5432/test'
const clock = createManualClock()
const random = createSeededRandom(1)
let schema = ''
const fresh = () => {
  schema = `t_${uuidV4(systemRandom).replaceAll('-', '')}`
}
const reopen = (more = {}): Promise<Store> => opened(openPostgresStore({ url, schema, clock, random, ...more }))
/** As the only process of its cluster, which holds all lanes. */
const opened = async (opening: Promise<Store>): Promise<Store> => {
  const store = await opening
  const done = async () => {}
  await store.cluster?.join({ pause: done, resume: done, apply: done, passed: done, deferred: () => {} })
  return store
}
const open = (more = {}): Promise<Store> => {
  fresh()
  return reopen(more)
}
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
  suite('postgres', () => open(), { reopen: () => reopen() })
describeDeadLetterStore(
  'postgres',
  (deadLetterLimits = {}, now) => open({ deadLetterLimits, clock: createManualClock(now) }),
  { reopen: () => reopen() },
)
describeSharedLimits('postgres', (limits) => open(limits))
