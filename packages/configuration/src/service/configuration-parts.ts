import type { Clock, Random, Workspace } from '@sluice/core'
import type { DestinationRegistry } from '@sluice/destinations'
import type { ParsedWorkspaces } from '../definition/parse-workspaces.ts'
import type { PlacedProblem, Problem } from '../definition/problems/problem.ts'
import type { RecordKey } from '../records/configuration-record.ts'
import type { ConfigurationStore } from '../records/configuration-store.ts'
import type { RecordContext } from '../records/parse-records.ts'
import type { InTurn } from '../records/prepare-plans.ts'
import type { ConfigurationEntry } from './configuration.ts'

/** A record that a change created, changed or deleted. Of a pause, only the key is known. */
export interface ChangedRecord extends Pick<RecordKey, 'kind' | 'id'> {
  readonly action: 'created' | 'changed' | 'deleted'
  readonly before?: ConfigurationEntry
  readonly after?: ConfigurationEntry
}

export interface ConfigurationParts extends Pick<RecordContext, 'env' | 'refusal' | 'storedRefusal'> {
  readonly store: ConfigurationStore
  /** The present types. */
  readonly destinations: DestinationRegistry
  readonly clock: Clock
  readonly random: Random
  /** Runs a slice of long work in the turn of its workspace. */
  readonly inTurn: InTurn
  /** Returns what else is wrong with what a file defines, such as code that does not load. */
  check(parsed: ParsedWorkspaces): Promise<readonly PlacedProblem[]>
  /** Puts workspaces into effect between two batches, all or none. */
  apply(applied: AppliedWorkspaces): Promise<void>
  /** Resolves when all processes that share the store have applied what is stored. */
  everywhere?(): Promise<void>
  /** Returns the number of events that were accepted for a destination and have not ended. */
  waiting(workspaceId: string, destinationId: string): Promise<number>
  /** Called with what a change of a workspace changed, before the change resolves. It must not throw. */
  onChanged?(workspaceId: string, changed: readonly ChangedRecord[]): Promise<void>
  /** Called when a stored record is not in use, once for each record and reason. */
  onLeftOut?(key: RecordKey, problems: readonly Problem[]): void
  /** Called with the settings of lenient workspaces that have no effect. */
  onUnknownSettings?(problems: readonly Problem[]): void
}

export interface AppliedWorkspaces {
  readonly workspaces: readonly Workspace[]
  /** The same in all processes that have the same configuration. */
  readonly digest: string
  /** The same in all processes that have the same file. */
  readonly file: string
  /** Number of the stored configuration that is in it. */
  readonly revision: number
  /** Types that come with it; default the present ones. */
  readonly destinations?: DestinationRegistry
}
