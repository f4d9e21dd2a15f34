import type { Sluice } from '../sluice.ts'
import type { Base } from './base.ts'
import type { DefinitionParts } from './definitions.ts'
import type { FlowParts } from './flow.ts'
import type { GovernanceParts } from './governance.ts'
import type { OperationsParts } from './operations.ts'

type Services = Omit<Sluice, 'workspaces' | 'fetch' | 'areas' | 'issueStudioCode' | 'endTaps' | 'stop'>

/** Returns what an embedding program calls, apart from HTTP and stopping. */
export function servicesOf({
  base: { clock },
  flow: { engine, deadLetters, catalogue, workspaces },
  governance: { regulations, deletions, certificates },
  definitions,
  operations: { metrics, usage },
}: {
  readonly base: Pick<Base, 'clock'>
  readonly flow: FlowParts
  readonly governance: GovernanceParts
  readonly definitions: DefinitionParts
  readonly operations: OperationsParts
}): Services {
  const onlyWorkspace = (): string => {
    const [first, ...more] = workspaces()
    if (first === undefined || more.length > 0)
      throw new RangeError(`there are ${workspaces().length} workspaces; name one by its id`)
    return first.id
  }
  return {
    ingest: (writeKey, events, choices = {}) =>
      engine.ingest({ writeKey, type: 'batch', payload: { batch: events }, ...choices }),
    process: (writeKey, events, { signal, ...choices } = {}) =>
      engine.process({ writeKey, type: 'batch', payload: { batch: events }, ...choices }, signal),
    settled: async ({ timeoutMs } = {}) => {
      const waiting = new AbortController()
      const ended = engine.settled().then(() => true)
      if (timeoutMs === undefined) return ended
      const isOver = clock.sleep(timeoutMs, waiting.signal).then(() => false)
      return Promise.race([ended, isOver]).finally(() => waiting.abort(null))
    },
    receipts: async (messageId, workspaceId = onlyWorkspace()) => engine.reports.receipts(workspaceId, messageId),
    trace: async (messageId, workspaceId = onlyWorkspace()) => engine.reports.trace(workspaceId, messageId),
    metrics: (workspaceId) => metrics(workspaceId === undefined ? undefined : [workspaceId]),
    stats: async (workspaceId = onlyWorkspace()) => engine.reports.stats(workspaceId),
    usage: async (workspaceId = onlyWorkspace()) => usage(workspaceId),
    regulations,
    deletions,
    certificates,
    deadLetters,
    catalogue,
    ...definitions,
  }
}
