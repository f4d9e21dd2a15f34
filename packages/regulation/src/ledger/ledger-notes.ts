import { type Clock, type Random, uuidV7 } from '@sluice/core'
import { isUnsupported } from '../deletion/deletion-job.ts'
import type { Regulation } from '../regulation.ts'
import type { RegulationStore } from '../regulation-store.ts'
import { IdSealer, regulationsOfNote } from './keys/id-sealer.ts'
import { OperatorKeyCheck, otherKey } from './keys/operator-key-check.ts'
import type { LedgerPlace } from './ledger-place.ts'
import { recordKey, recordOf } from './ledger-record.ts'

const dayMs = 86_400_000
const noIds: ReadonlyMap<string, Regulation['attributes']> = new Map()

/** The encrypted ids of users whose deletion was ordered, so that it can be ordered again after a restore. */
export class LedgerNotes {
  readonly #place: LedgerPlace
  readonly #clock: Clock
  readonly #random: Random
  readonly #sealer: IdSealer | undefined
  readonly #check: OperatorKeyCheck | undefined

  private constructor(
    place: LedgerPlace,
    { clock, random }: Pick<LedgerNotesOptions, 'clock' | 'random'>,
    sealer?: IdSealer,
    check?: OperatorKeyCheck,
  ) {
    this.#place = place
    this.#clock = clock
    this.#random = random
    this.#sealer = sealer
    this.#check = check
  }

  /** @param operatorKey without it, nothing is written, and no ids are known. @throws RangeError when it is too short. */
  static async open(place: LedgerPlace, { clock, random, operatorKey, id }: LedgerNotesOptions): Promise<LedgerNotes> {
    const parts = { clock, random }
    if (operatorKey === undefined) return new LedgerNotes(place, parts)
    const [sealer, check] = [await IdSealer.of(operatorKey, id), await OperatorKeyCheck.of(place, operatorKey)]
    return new LedgerNotes(place, parts, sealer, check)
  }

  /**
   * Refuses another key than that of the ledger, under which no single key would decrypt all ids. A ledger of an earlier
   * version does not know its key: one of its notes is decrypted instead. Writes nothing.
   * @throws LedgerBrokenError
   */
  async requireKey(): Promise<void> {
    const isRight = await this.#check?.isRight()
    if (isRight === false) throw otherKey(this.#place)
    if (isRight || this.#sealer === undefined) return
    for (const name of await this.#place.notes()) {
      const text = await this.#place.readNote(name)
      // It may have been removed meanwhile.
      if (text === undefined) continue
      await this.#sealer.open(name, text)
      return
    }
  }

  /** Has the ledger know its key from now on: see `requireKey`, which must have passed. @throws LedgerBrokenError */
  async keepKey(): Promise<void> {
    await this.#check?.keep()
  }

  /** Writes a note for those of the regulations that delete. @returns its name; undefined when none was needed. */
  async write(regulations: readonly Regulation[]): Promise<string | undefined> {
    const deleting = regulations.filter(({ regulationType }) => regulationType === 'suppress_with_delete')
    if (this.#sealer === undefined || deleting.length === 0) return undefined
    const name = uuidV7(this.#clock, this.#random)
    const users = new Map(deleting.map((each) => [recordKey(each), each.attributes]))
    await this.#place.writeNote(name, await this.#sealer.seal(name, users))
    return name
  }

  /** Whether notes can be read. */
  get hasKey(): boolean {
    return this.#sealer !== undefined
  }

  /** Returns the ids of a note, by the keys of their records; none once it was removed, and `locked` without the key. */
  async read(name: string): Promise<ReadonlyMap<string, Regulation['attributes']> | 'locked'> {
    const text = await this.#place.readNote(name)
    if (text === undefined) return noIds
    return this.#sealer === undefined ? 'locked' : this.#sealer.open(name, text)
  }

  /** Returns the notes with the keys of their records, which needs no key. */
  async *contents(): AsyncGenerator<{ readonly name: string; readonly of: readonly string[] }> {
    for (const name of await this.#place.notes())
      yield { name, of: regulationsOfNote((await this.#place.readNote(name)) ?? '') }
  }

  async remove(name: string | undefined): Promise<void> {
    if (name !== undefined) await this.#place.removeNote(name)
  }

  /**
   * Removes the notes whose ids no restore needs any more: every deletion was proved, or the regulation was cancelled, and
   * no backup from before is kept. Needs no key.
   * @param backupsKeptDays how long backups of the store are kept. @returns how many were removed.
   */
  async shred(store: ShreddingStore, backupsKeptDays: number): Promise<number> {
    const before = this.#clock.now() - backupsKeptDays * dayMs
    let removed = 0
    for (const name of await this.#place.notes()) {
      // Names begin with the time, so that all later ones are newer.
      if (timeOf(name) > before) break
      const of = regulationsOfNote((await this.#place.readNote(name)) ?? '')
      if (!(await areSettled(store, of, before))) continue
      await this.#place.removeNote(name)
      removed += 1
    }
    return removed
  }

  /**
   * Encrypts all notes under another key, which is that of the ledger in the end. Those that were encrypted already stay.
   * @returns how many were changed.
   * @throws LedgerBrokenError when neither key is that of the ledger.
   */
  async rekey(next: LedgerNotes): Promise<number> {
    if ((await this.#check?.isRight()) === false && (await next.#check?.isRight()) === false)
      throw otherKey(this.#place)
    let changed = 0
    for (const name of await this.#place.notes()) {
      const text = await this.#place.readNote(name)
      if (text === undefined || this.#sealer === undefined || next.#sealer === undefined) continue
      const isNew = await next.#sealer.open(name, text).then(
        () => true,
        () => false,
      )
      if (isNew) continue
      await this.#place.writeNote(name, await next.#sealer.seal(name, await this.#sealer.open(name, text)))
      changed += 1
    }
    // Last, so that a start with the next key is refused until all notes are encrypted under it.
    await next.#check?.replace()
    return changed
  }
}

export interface LedgerNotesOptions {
  readonly clock: Clock
  readonly random: Random
  readonly operatorKey?: string | undefined
  /** Of the ledger. */
  readonly id: string
}

/** What tells whether ids are still needed. */
type ShreddingStore = Pick<RegulationStore, 'find'> & {
  readonly deletions: Pick<RegulationStore['deletions'], 'ofRegulation'>
}

/**
 * Whether no deletion of these regulations will be ordered again, and that has been so since before a time. A deletion that
 * was given up, or that the store has no job of, was never proved: its ids stay.
 */
async function areSettled(store: ShreddingStore, keys: readonly string[], before: number): Promise<boolean> {
  for (const key of keys) {
    const { workspaceId, id } = recordOf(key)
    // A cancelled one is put back as cancelled, without ids.
    if ((await store.find(workspaceId, id))?.canceled) continue
    const jobs = await store.deletions.ofRegulation(workspaceId, id)
    // A destination that cannot delete has no use for ids.
    const isProved = jobs.every((job) => (job.status === 'complete' || isUnsupported(job)) && job.updatedAt <= before)
    if (jobs.length === 0 || !isProved) return false
  }
  return true
}

/** The time in a UUID of version 7, in milliseconds since the epoch. */
function timeOf(uuid: string): number {
  return Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)
}
