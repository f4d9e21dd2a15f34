import { describeCounterStore } from './flow/describe-counter-store.ts'
import { describeCrashStore } from './flow/describe-crash-store.ts'
import { describeDeduplication } from './flow/describe-deduplication.ts'
import { describeEventLog } from './flow/describe-event-log.ts'
import { describeHistoryStore } from './flow/describe-history-store.ts'
import { describeLoadStore } from './flow/describe-load-store.ts'
import { describeReceiptStore } from './flow/describe-receipt-store.ts'
import { describeRetryStore } from './flow/describe-retry-store.ts'
import { describeAuditLog } from './governance/describe-audit-log.ts'
import { describeChangeLog } from './governance/describe-change-log.ts'
import { describeDeletionStore } from './governance/describe-deletion-store.ts'
import { describeRegulationStore } from './governance/describe-regulation-store.ts'
import { describeSubjectRequestStore } from './governance/describe-subject-request-store.ts'
import { describeConfigurationStore } from './records/describe-configuration-store.ts'
import { describeSchemaStore } from './records/describe-schema-store.ts'
import { describeSessionStore } from './records/describe-session-store.ts'
import { describeTransformationStore } from './records/describe-transformation-store.ts'
import { describeWritingStore } from './records/describe-writing-store.ts'

/** The suites that need nothing but a store. Those of dead letters and shared limits open stores with limits of their own. */
export const portSuites = [
  describeEventLog,
  describeDeduplication,
  describeConfigurationStore,
  describeCounterStore,
  describeHistoryStore,
  describeReceiptStore,
  describeRetryStore,
  describeRegulationStore,
  describeDeletionStore,
  describeWritingStore,
  describeSubjectRequestStore,
  describeSchemaStore,
  describeTransformationStore,
  describeAuditLog,
  describeChangeLog,
  describeCrashStore,
  describeLoadStore,
  describeSessionStore,
]
