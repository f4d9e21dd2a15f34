import type { ErrorCode, SourcedEvent } from '@sluice/core'
import type { DeliveryTry } from '@sluice/delivery'
import { deliverStageName } from '@sluice/delivery/flow'
import type { DestinationPath } from '../../flow/destination-path.ts'
import type { Flow } from '../../flow/flow.ts'
import { unsuppressed } from '../../flow/stages/unsuppressed.ts'
import { consumerNameOf, isDeliveryConsumer } from '../../ports/consumer-name.ts'
import type { DeferredEvent } from '../../ports/deferred-event.ts'
import type { Store } from '../../ports/store.ts'
import type { DeadLetter } from '../../ports/stores/dead-letter-store.ts'
import type { EventReceipt } from '../../ports/stores/receipt-store.ts'

/** Where one event went. */
export interface EventTrace {
  readonly messageId: string
  readonly sourceId: string
  /** Milliseconds since the epoch. */
  readonly acceptedAt?: number
  /** In order of id: those where something is known. */
  readonly destinations: readonly DestinationTrace[]
}

export interface DestinationTrace {
  readonly destinationId: string
  /** `pending`: its turn has not come; `waiting`: it is tried again. */
  readonly outcome: EventReceipt['outcome'] | 'pending' | 'waiting'
  /** In order, up to where it ended or waits. */
  readonly stages: readonly {
    readonly stage: string
    readonly outcome: 'passed' | 'waiting' | EventReceipt['outcome']
  }[]
  /** When it ended, in milliseconds since the epoch. */
  readonly at?: number
  /** Why it was dropped or failed, or why the last attempt failed. */
  readonly reason?: string
  readonly code?: ErrorCode
  /** Requests that were delivered. */
  readonly outputs: number
  /** The version of the user transformation that ran. */
  readonly versionId?: string
  /** Its newest tries, where the first one did not deliver it. */
  readonly tries?: readonly DeliveryTry[]
  /** Position of its batch in the log, of an event whose turn has not come. */
  readonly position?: number
  /** Of an event that waits. */
  readonly attempts?: number
  readonly nextTryAt?: number
  /** Its dead letters, to be looked at or replayed. */
  readonly deadLetterIds: readonly string[]
}

/** So many batches at the end of the log are looked through for an event whose turn has not come: some milliseconds. */
const batchesMax = 100
/** Deferred events, and dead letters, of one message id; more than one comes of an id that is sent again. */
const recordsMax = 100

/**
 * Returns what the store knows about one event. An event on its way whose user is suppressed by now is not reported, for
 * it will end without a trace; outcomes from before are.
 */
export async function traceEvent(
  { workspaceId, messageId }: { readonly workspaceId: string; readonly messageId: string },
  store: Pick<Store, 'log' | 'receipts' | 'retries' | 'deadLetters'>,
  flow: Flow | undefined,
): Promise<EventTrace | undefined> {
  // In the order an event goes, so that one that moves on meanwhile is not missed.
  const owed = await findOwed(store, workspaceId, messageId)
  const deferred = await store.retries.ofMessage(workspaceId, messageId, recordsMax)
  const [receipts, deadLetters] = await Promise.all([
    store.receipts.find(workspaceId, messageId),
    store.deadLetters.ofMessage(workspaceId, messageId, recordsMax),
  ])
  const [waiting, pending] = flow
    ? [await unsuppressed(flow, deferred), await unsuppressed(flow, owed)]
    : ([[], []] as const)
  const pathOf = (id: string) => flow?.destinations.find(({ destinationId }) => destinationId === id)

  // What comes later outweighs: a dead letter without a receipt, then how it ended, then that it is on its way again.
  const traces = new Map<string, DestinationTrace>()
  for (const deadLetter of deadLetters)
    traces.set(deadLetter.destinationId, ofDeadLetter(deadLetter, pathOf(deadLetter.destinationId)))
  for (const receipt of receipts) traces.set(receipt.destinationId, ofReceipt(receipt, pathOf(receipt.destinationId)))
  for (const event of waiting) traces.set(event.destinationId, ofDeferred(event, pathOf(event.destinationId)))
  for (const { destinationIds, position } of pending)
    for (const destinationId of destinationIds)
      traces.set(destinationId, {
        destinationId,
        outcome: 'pending',
        stages: [],
        outputs: 0,
        position,
        deadLetterIds: [],
      })
  if (traces.size === 0) return undefined

  const sources = [...pending, ...waiting, ...deadLetters].map(({ source }) => source)
  const [first] = [...receipts, ...sources]
  let acceptedAt: number | undefined
  for (const { receivedAt } of [...receipts, ...sources])
    if (receivedAt !== undefined) acceptedAt = Math.max(receivedAt, acceptedAt ?? receivedAt)
  return {
    messageId,
    sourceId: first?.sourceId ?? '',
    acceptedAt,
    destinations: [...traces.values()]
      .sort((a, b) => (a.destinationId < b.destinationId ? -1 : 1))
      .map((trace) => ({ ...trace, deadLetterIds: idsOf(deadLetters, trace.destinationId) })),
  }
}

interface Owed {
  readonly source: SourcedEvent
  readonly destinationIds: readonly string[]
  readonly position: number
}

/** Looks for the event among the newest batches that are still owed to a destination. */
async function findOwed({ log }: Pick<Store, 'log'>, workspaceId: string, messageId: string): Promise<readonly Owed[]> {
  const cursors = await log.cursors(workspaceId)
  const end = await log.end(workspaceId)
  const slowest = Math.min(...[...cursors].flatMap(([name, cursor]) => (isDeliveryConsumer(name) ? cursor : [])))
  // Batches that all consumers have passed are owed to no destination, and they are large.
  if (slowest >= end) return []
  const after = Math.max(slowest, end - batchesMax)
  const batches = await log.read(workspaceId, after, batchesMax)
  const owed: Owed[] = []
  let before = after
  for (const { position, destinationIds, events, sourceId, writeKey, receivedAt } of batches) {
    const behind = destinationIds.filter((id) => (cursors.get(consumerNameOf(id)) ?? position) < position)
    for (const [index, event] of behind.length === 0 ? [] : [...events.entries()]) {
      if (event.messageId !== messageId) continue
      const open: string[] = []
      for (const id of behind) {
        // Of the batch right behind its cursor, a destination may have done a part.
        const isNext = (cursors.get(consumerNameOf(id)) ?? 0) >= before
        if (!isNext || index >= (await log.eventsDone(workspaceId, consumerNameOf(id)))) open.push(id)
      }
      const source = { workspaceId, sourceId, writeKey, event, receivedAt }
      if (open.length > 0) owed.push({ source, destinationIds: open, position })
    }
    before = position
  }
  return owed
}

function ofReceipt(receipt: EventReceipt, path: DestinationPath | undefined): DestinationTrace {
  const { destinationId, outcome, stage, at, reason, code, outputs, versionId, tries } = receipt
  const before = stagesBefore(stage, path).filter((name) => name !== 'user-transform' || versionId !== undefined)
  return {
    destinationId,
    outcome,
    stages: [...before.map(passed), { stage, outcome }],
    at,
    outputs,
    deadLetterIds: [],
    reason,
    code,
    versionId,
    tries,
  }
}

function ofDeadLetter(
  { destinationId, stage, at, error, tries }: DeadLetter,
  path: DestinationPath | undefined,
): DestinationTrace {
  const { code, message: reason } = error
  const stages = [...stagesBefore(stage, path).map(passed), { stage, outcome: 'failed' as const }]
  return { destinationId, outcome: 'failed', stages, at, reason, code, outputs: 0, tries, deadLetterIds: [] }
}

function ofDeferred(event: DeferredEvent, path: DestinationPath | undefined): DestinationTrace {
  const { destinationId, outputs, delivered, attempts, dueAt, lastError, tries } = event
  // Without outputs, the event starts again at the first stage.
  const stage = deliverStageName
  const stages = outputs ? [...stagesBefore(stage, path).map(passed), { stage, outcome: 'waiting' as const }] : []
  return {
    destinationId,
    outcome: 'waiting',
    stages,
    outputs: delivered,
    attempts,
    tries,
    nextTryAt: dueAt,
    deadLetterIds: [],
    ...(lastError ? { reason: lastError.message, code: lastError.code } : {}),
  }
}

const passed = (stage: string) => ({ stage, outcome: 'passed' as const })

/** Returns the stages of a path before one of them; none when the path has changed and no longer has it. */
function stagesBefore(stage: string, path: DestinationPath | undefined): readonly string[] {
  const names = path ? [...[...path.before, path.map].map(({ name }) => name), deliverStageName] : []
  return names.slice(0, Math.max(0, names.indexOf(stage)))
}

function idsOf(deadLetters: readonly DeadLetter[], destinationId: string): readonly string[] {
  return deadLetters.filter((deadLetter) => deadLetter.destinationId === destinationId).map(({ id }) => id)
}
