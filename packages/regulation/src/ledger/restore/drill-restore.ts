import type { Clock, Random } from '@sluice/core'
import type { Regulation } from '../../regulation.ts'
import type { RegulationStore } from '../../regulation-store.ts'
import { identityFingerprints, keysOfRegulation } from '../../suppression/identity-fingerprint.ts'
import { createSuppressionIndex } from '../../suppression/suppression-index.ts'
import { UserAliases } from '../../suppression/user-aliases.ts'
import { readChain } from '../chain/read-chains.ts'
import { requireKey } from '../keys/require-key.ts'
import { LedgerBrokenError } from '../ledger-errors.ts'
import { readMarks } from '../ledger-marks.ts'
import { LedgerNotes } from '../ledger-notes.ts'
import type { LedgerPlace } from '../ledger-place.ts'
import { type LedgerRecord, recordKey } from '../ledger-record.ts'
import { compareLedger } from './compare-ledger.ts'
import { findStored, hasNoIds } from './find-stored.ts'

/** What a restore would do. */
export interface DrillReport {
  /** Regulations in the backup, and active ones in the ledger. */
  readonly inBackup: number
  readonly active: number
  /** What the backup lacks: regulations that would be put back, and cancelled again. */
  readonly putBack: number
  readonly canceled: number
  /** Ids of active regulations whose user would be served although they were put back: none, unless something is broken. */
  readonly notInForce: readonly string[]
  /**
   * Ids of regulations that the backup has as cancelled, and the ledger as active: the process ended between both, so the
   * cancellation was never answered. Their users are served; repeating the call settles it.
   */
  readonly halfCanceled: readonly string[]
  /** Persons of whom an event was sent to a server with the copy, of those whose ids are known. */
  readonly tried: number
  /** Active regulations that delete. */
  readonly deletions: number
  /** Ids of those that could not delete again, because the ids of their users are not known. */
  readonly withoutIds: readonly string[]
}

/**
 * Proves on a copy of a store what a restore from it would do: compares it with the ledger as a start does, and then looks
 * for each active regulation of the ledger whether it is in force. Changes the copy, and nothing in the ledger.
 * @param store of the copy, which nothing else uses.
 * @throws LedgerBrokenError
 */
export async function drillRestore({
  place,
  store,
  clock,
  random,
  operatorKey,
  ingest,
}: {
  readonly place: LedgerPlace
  readonly store: RegulationStore
  readonly clock: Clock
  readonly random: Random
  readonly operatorKey?: string | undefined
  /** Sends an event of each person to a server with the copy. @returns whether it was suppressed. */
  ingest?(persons: readonly DrilledPerson[]): Promise<readonly boolean[]>
}): Promise<DrillReport> {
  const id = await place.kept('id')
  if (id === undefined) throw new LedgerBrokenError(`there is no ledger in ${place.name}`)
  await requireKey(place, await readMarks(store))
  const inBackup = await countAll(store)
  const notes = await LedgerNotes.open(place, { clock, random, operatorKey, id })
  const { putBack, canceled } = await compareLedger(place, store, notes)
  const key = (await place.kept('key')) ?? ''
  const aliases = new UserAliases(key, (await readMarks(store)).hasAliases)
  const index = createSuppressionIndex({ store, clock, random, aliases: () => aliases })
  await index.catchUp()
  const notInForce: string[] = []
  const halfCanceled: string[] = []
  const withoutIds: string[] = []
  const persons: DrilledPerson[] = []
  let [active, deletions] = [0, 0]
  for await (const records of activeRecords(place)) {
    active += records.length
    const stored = await findStored(store, records)
    const answers = await index.check(
      records.map((record) => {
        const { workspaceId, sourceIds } = record
        const regulation = stored.get(recordKey(record))
        const userId = regulation && keysOfRegulation(regulation)[0]
        return { workspaceId, sourceId: sourceIds[0] ?? '', userId }
      }),
    )
    for (const [i, record] of records.entries()) {
      const regulation = stored.get(recordKey(record))
      if (regulation?.canceled) halfCanceled.push(record.id)
      else if (!answers[i] || regulation === undefined) notInForce.push(record.id)
      else if (!hasNoIds(regulation)) {
        // With another key, users whose regulations are put back without ids would not be recognised.
        if (identityFingerprints(key, regulation).userId !== record.fingerprints.userId) notInForce.push(record.id)
        else if (persons.length < personsMax) persons.push(personOf(regulation))
      }
      if (record.regulationType !== 'suppress_with_delete') continue
      deletions += 1
      if (regulation && hasNoIds(regulation)) withoutIds.push(record.id)
    }
  }
  await index.close()
  const suppressed = persons.length > 0 ? await ingest?.(persons) : undefined
  notInForce.push(...persons.flatMap(({ id }, i) => (suppressed?.[i] === false ? [id] : [])))
  const tried = suppressed?.length ?? 0
  return { inBackup, active, putBack, canceled, notInForce, halfCanceled, tried, deletions, withoutIds }
}

/** A person under an active regulation. */
export interface DrilledPerson {
  /** Of the regulation. */
  readonly id: string
  readonly workspaceId: string
  readonly userId: string
  /** Sources for which the person is suppressed; empty for all. */
  readonly sourceIds: readonly string[]
}

/** Persons of whom an event is sent: more would prove the same, and take longer. */
const personsMax = 1_000

function personOf({ id, workspaceId, sourceIds, attributes: { userId } }: Regulation): DrilledPerson {
  return { id, workspaceId, userId, sourceIds }
}

/** Regulations that are looked up at a time. */
const regulationsPerPage = 1_000

async function countAll(store: RegulationStore): Promise<number> {
  let count = 0
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page = await store.all({ after, limit: 1_000 })
    count += page.regulations.length
    after = page.next
  }
  return count
}

type Regulated = Extract<LedgerRecord, { kind: 'regulated' }>

/** Returns what the ledger says of regulations that were neither cancelled nor withdrawn, in pages. */
async function* activeRecords(place: LedgerPlace): AsyncGenerator<readonly Regulated[]> {
  const undone = new Set<string>()
  const chains = await place.chains()
  for (const chain of chains)
    for await (const { content } of readChain(place, chain))
      for (const record of content.records) if (record.kind !== 'regulated') undone.add(recordKey(record))
  let page: Regulated[] = []
  for (const chain of chains)
    for await (const { content } of readChain(place, chain)) {
      for (const record of content.records)
        if (record.kind === 'regulated' && !undone.has(recordKey(record))) page.push(record)
      if (page.length < regulationsPerPage) continue
      yield page
      page = []
    }
  yield page
}
