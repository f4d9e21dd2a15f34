import { identifierText, someIdentifier } from '@sluice/core'
import type { Regulation, Regulations } from '@sluice/regulation'
import type { Store } from '../../ports/store.ts'
import { type LookParts, newestBatches } from './newest-batches.ts'

/** What is held of one user, and which destinations got events of the user. */
export interface UserReport {
  /** Places that hold something, and those that were not looked through whole. */
  readonly held: readonly { readonly where: string; readonly count: number; readonly note?: string }[]
  /** Events of the user that were delivered, by destination, as far as log and receipts are kept. */
  readonly destinations: readonly { readonly destinationId: string; readonly events: number }[]
  /** Regulations of the user in force. */
  readonly regulations: readonly Regulation[]
  /** What cannot be known. */
  readonly notes: readonly string[]
}

/** Newest events of the user whose receipts are read. */
const receiptsMax = 200
/** Reads of receipts at the same time. */
const readsAtOnce = 10

/** What is read. Regulations that were put back without ids are found by `Regulations`, and not by its store. */
export interface ReportedStores extends Pick<Store, 'log' | 'retries' | 'deadLetters' | 'schema' | 'receipts'> {
  readonly regulations: Pick<Regulations, 'activeOf'>
}

/**
 * Counts what the store holds of a user, also of one who is suppressed. The log is looked through from its end, within the
 * limits of `newestBatches`.
 */
export async function reportUser(
  { workspaceId, userId: given }: { readonly workspaceId: string; readonly userId: string },
  store: ReportedStores,
  look: LookParts,
): Promise<UserReport> {
  const userId = identifierText(given)
  const { deadLetters, retries, schema, regulations } = store
  const [logged, waiting, failed, samples, inForce] = await Promise.all([
    findLogged(store, workspaceId, userId, look),
    retries.ofUser(workspaceId, userId),
    deadLetters.ids(workspaceId, { userId }, deadLetters.limits.lettersMax),
    schema.samplesOf(workspaceId, userId),
    regulations.activeOf(workspaceId, [userId]),
  ])
  const held = [
    {
      where: 'event log',
      count: logged.count,
      note: logged.isCut ? 'only the newest part of the log was looked through' : undefined,
    },
    { where: 'waiting for a destination', count: waiting.length },
    { where: 'dead letters', count: failed.length },
    { where: 'samples of the catalogue', count: samples },
  ]
  return {
    held: held.filter(({ count, note }) => count > 0 || note !== undefined),
    destinations: await delivered(store, workspaceId, logged.messageIds),
    regulations: inForce,
    notes: [
      'Receipts have no user: deliveries are counted for events of the user that are still in the log.',
      'Frequent values of the catalogue cannot be counted by user; a deletion removes those that contain an identifier.',
      ...(logged.count > logged.messageIds.length
        ? [`Deliveries are counted for the newest ${logged.messageIds.length} events of the user.`]
        : []),
    ],
  }
}

async function findLogged({ log }: Pick<Store, 'log'>, workspaceId: string, userId: string, look: LookParts) {
  const isTheirs = (identifier: unknown): boolean => identifierText(identifier) === userId
  const newest = newestBatches(log, workspaceId, look, (event) => userId !== '' && someIdentifier(event, isTheirs))
  const messageIds: string[] = []
  let count = 0
  for await (const { events } of newest.batches) {
    count += events.length
    for (const { messageId } of events)
      if (messageId !== undefined && messageIds.length < receiptsMax) messageIds.push(messageId)
  }
  return { count, messageIds, isCut: newest.isCut() }
}

async function delivered(
  { receipts }: Pick<Store, 'receipts'>,
  workspaceId: string,
  messageIds: readonly string[],
): Promise<UserReport['destinations']> {
  const counts = new Map<string, number>()
  const ids = [...new Set(messageIds)]
  for (let start = 0; start < ids.length; start += readsAtOnce) {
    const found = await Promise.all(
      ids.slice(start, start + readsAtOnce).map((messageId) => receipts.find(workspaceId, messageId)),
    )
    for (const { destinationId, outcome } of found.flat())
      if (outcome === 'delivered') counts.set(destinationId, (counts.get(destinationId) ?? 0) + 1)
  }
  return [...counts]
    .map(([destinationId, events]) => ({ destinationId, events }))
    .sort((a, b) => b.events - a.events || (a.destinationId < b.destinationId ? -1 : 1))
}
