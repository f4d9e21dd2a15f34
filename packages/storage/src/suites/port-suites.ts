import { describeAuditLog } from './describe-audit-log.ts'
import { describeConfigurationStore } from './describe-configuration-store.ts'
import { describeCounterStore } from './describe-counter-store.ts'
import { describeCrashStore } from './describe-crash-store.ts'
import { describeDeduplication } from './describe-deduplication.ts'
import { describeDeletionStore } from './describe-deletion-store.ts'
import { describeEventLog } from './describe-event-log.ts'
import { describeLoadStore } from './describe-load-store.ts'
import { describeReceiptStore } from './describe-receipt-store.ts'
import { describeRegulationStore } from './describe-regulation-store.ts'
import { describeRetryStore } from './describe-retry-store.ts'
import { describeSchemaStore } from './describe-schema-store.ts'
import { describeSessionStore } from './describe-session-store.ts'
import { describeSubjectRequestStore } from './describe-subject-request-store.ts'
import { describeTransformationStore } from './describe-transformation-store.ts'
import { describeWritingStore } from './describe-writing-store.ts'

/** The suites that need nothing but a store. Those of dead letters and shared limits open stores with limits of their own. */
export const portSuites = [
  describeEventLog,
  describeDeduplication,
  describeConfigurationStore,
  describeCounterStore,
  describeReceiptStore,
  describeRetryStore,
  describeRegulationStore,
  describeDeletionStore,
  describeWritingStore,
  describeSubjectRequestStore,
  describeSchemaStore,
  describeTransformationStore,
  describeAuditLog,
  describeCrashStore,
  describeLoadStore,
  describeSessionStore,
]
