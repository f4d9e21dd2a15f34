import { identifierText } from '@sluice/core'
import type { QueueState } from '../consume/workspace-runtime.ts'
import type { EventRecord } from '../flow/stages/records-allowed.ts'
import { unsuppressed } from '../flow/stages/unsuppressed.ts'
import type { Store } from '../ports/store.ts'
import type { NamedQuery } from '../ports/stores/counter-store.ts'
import type { EventReceipt } from '../ports/stores/receipt-store.ts'
import { circuitsOf, type DestinationCircuit } from '../reports/counts/circuits.ts'
import { type Outcomes, toOutcomes } from '../reports/counts/outcomes.ts'
import { type SourceStats, toStats } from '../reports/counts/stats.ts'
import { type EventTrace, traceEvent } from '../reports/users/event-trace.ts'
import type { RunningWorkspaces } from './running-workspaces.ts'

/** What an engine reports about the events of a workspace. */
export class EngineReports {
  readonly #store: Store
  readonly #running: RunningWorkspaces

  constructor(store: Store, running: RunningWorkspaces) {
    this.#store = store
    this.#running = running
  }

  /** Returns how many events each source got, and what became of them at each destination. */
  async stats(workspaceId: string): Promise<readonly SourceStats[]> {
    const { counters, schema } = this.#store
    const [counts, bounds] = await Promise.all([counters.read(workspaceId), schema.bounds(workspaceId)])
    const sources = this.#running.workspace(workspaceId)?.sources ?? []
    const countedOnly = bounds.flatMap(({ writeKey, bound, count }): [string, number][] => {
      const source = bound === 'countedOnly' && sources.find((each) => each.writeKey === writeKey)
      return source ? [[source.id, count]] : []
    })
    return toStats(counts, new Map(countedOnly))
  }

  /**
   * Returns what became of the events that a source accepted on a day, at each destination of the workspace.
   * @param name only events of this name: see `EventDay`.
   */
  async outcomes(query: NamedQuery, name?: string): Promise<Outcomes> {
    const destinations = this.#running.workspace(query.workspaceId)?.destinations ?? []
    const counts = await this.#store.counters.readNamed(query)
    return toOutcomes(counts, { name, destinationIds: destinations.map(({ id }) => id) })
  }

  /** Returns how many events of a source were suppressed on a day before they were stored, whatever their names. */
  async suppressedOn({ workspaceId, sourceId, day }: NamedQuery): Promise<number> {
    const counts = await this.#store.counters.read(workspaceId)
    return counts
      .filter((count) => count.kind === 'suppressed' && count.sourceId === sourceId && count.destinationId === '')
      .reduce((total, { reason, count }) => (reason === day ? total + count : total), 0)
  }

  /** Returns a receipt for each destination where an event has ended: none for an id never seen or suppressed. */
  receipts(workspaceId: string, messageId: string): Promise<readonly EventReceipt[]> {
    return this.#store.receipts.find(workspaceId, identifierText(messageId))
  }

  /**
   * Returns where one event went, stage by stage, also while it is on its way. Undefined for an id never seen, for an event
   * that was suppressed, and for an event whose records have all been removed.
   */
  trace(workspaceId: string, messageId: string): Promise<EventTrace | undefined> {
    const event = { workspaceId, messageId: identifierText(messageId) }
    return traceEvent(event, this.#store, this.#running.flow(workspaceId))
  }

  /** Returns the records of users who are not suppressed now; none while that cannot be decided. */
  async unsuppressed<T extends EventRecord>(workspaceId: string, records: readonly T[]): Promise<readonly T[]> {
    const flow = this.#running.flow(workspaceId)
    return flow && records.length > 0 ? unsuppressed(flow, records) : []
  }

  /** Returns how far the consumers of a workspace are. */
  async queues(workspaceId: string): Promise<readonly QueueState[]> {
    return (await this.#running.runtime(workspaceId)?.queues()) ?? []
  }

  /** Returns whether requests are sent to each destination that is enabled, in order of id, as this process knows it. */
  circuits(workspaceId: string): readonly DestinationCircuit[] {
    return circuitsOf(this.#running.flow(workspaceId)?.destinations ?? [])
  }
}
