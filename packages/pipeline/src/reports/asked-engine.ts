import type { InTurns } from '@sluice/schema'
import type { EventRecord } from '../flow/stages/records-allowed.ts'
import type { KeptDeliveries } from './kept/kept-deliveries.ts'

/** What reports need of the engine, which itself needs some of them: see `Engine`. */
export interface AskedEngine {
  readonly kept: Pick<KeptDeliveries, 'ofMessage'>
  /** Returns a function that works on a list in the turns of a workspace. */
  inTurns(workspaceId: string): InTurns
  readonly reports: {
    /** Returns the records of users who are not suppressed now. */
    unsuppressed<T extends EventRecord>(workspaceId: string, records: readonly T[]): Promise<readonly T[]>
  }
}
