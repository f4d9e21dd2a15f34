import { type Clock, InvariantError, type Random, uuidV7 } from '@sluice/core'
import type { Regulation } from '../regulation.ts'
import type { RegulationStore } from '../regulation-store.ts'
import { identityFingerprints } from '../suppression/identity-fingerprint.ts'
import { SuppressionUnavailableError } from '../suppression/suppression-index.ts'
import { UserAliases } from '../suppression/user-aliases.ts'
import { ChainWriter } from './chain/chain-writer.ts'
import { checkTail, readParts } from './chain/checked-parts.ts'
import { type ChainEnd, emptyChain } from './chain/ledger-line.ts'
import { readChain } from './chain/read-chains.ts'
import { freshLedgerKey, ledgerKeyDigest } from './keys/ledger-key.ts'
import { requireKey } from './keys/require-key.ts'
import { readMarks, requireComplete, writeMarks } from './ledger-marks.ts'
import { LedgerNotes } from './ledger-notes.ts'
import type { LedgerPlace } from './ledger-place.ts'
import { type LedgerRecord, recordKey } from './ledger-record.ts'
import { compareLedger } from './restore/compare-ledger.ts'

/** What a comparison with the store has changed. */
export interface LedgerReport {
  /** Regulations of the ledger that the store lacked. */
  readonly putBack: number
  readonly canceled: number
  /** Regulations of the store that the ledger lacked: it is new, or the store was served without it. */
  readonly enrolled: number
  /** Regulations whose deletions must be ordered, unless they were. */
  readonly toDelete: readonly Regulation[]
  /** Names those of them whose deletions wait for the key of the operator: see `recordKey`. */
  readonly locked: ReadonlySet<string>
}

/**
 * Keeps every regulation a second time, apart from the store, so that a store that was restored or lost its last
 * transactions gets them back before it serves.
 */
export interface Ledger {
  /** What operators call its place. */
  readonly place: string
  /**
   * Compares the store with the ledger: see `compareLedger`. Must be called before anything else, and again after `doubt`;
   * `settle` ends it.
   * @throws LedgerBrokenError
   */
  compare(): Promise<LedgerReport>
  /** Marks in the store how far it has what the ledger says, once what `compare` reported is done. */
  settle(): Promise<void>
  /**
   * The store may be another one, or lack what it had acknowledged: nothing is marked in it until it was compared again.
   * Resolves when no mark is being written.
   */
  doubt(): Promise<void>
  /**
   * Writes regulations, then has them stored.
   * @param store returns false when it refused them; they are withdrawn then.
   * @throws the error of the place, when nothing was written or stored, or of the store.
   */
  regulate(regulations: readonly Regulation[], store: () => Promise<boolean>): Promise<boolean>
  /** Has a regulation cancelled in the store, then writes that, unless the store has no such regulation. */
  cancel<Result>(workspaceId: string, id: string, store: () => Promise<Result | undefined>): Promise<Result | undefined>
  /** Known once `compare` has resolved. */
  readonly aliases: UserAliases
  /** Removes ids that are not needed any more: see `LedgerNotes.shred`. */
  shred(backupsKeptDays: number): Promise<number>
  /** Checks long parts of chains that no process has checked yet, so that their entries are found quickly: see `CheckedPart`. */
  checkParts(): Promise<void>
  close(): Promise<void>
}

export interface LedgerOptions {
  readonly place: LedgerPlace
  readonly store: RegulationStore
  readonly clock: Clock
  readonly random: Random
  /**
   * Under which the ids of users are encrypted whose deletion was ordered, so that it can be ordered again after a
   * restore. Absent: they are not kept, and such deletions are aborted; those whose ids were kept wait for the key.
   */
  readonly operatorKey?: string | undefined
  onError(error: unknown): void
}

/** Regulations that a new ledger is given at a time. */
const regulationsPerTurn = 1_000
/** Longest wait for a line. A place that takes longer counts as broken, whatever it does later. */
const writeMsMax = 10_000

export function createLedger(options: LedgerOptions): Ledger {
  return new StoredLedger(options)
}

class StoredLedger implements Ledger {
  readonly #options: LedgerOptions
  readonly #place: LedgerPlace
  readonly #store: RegulationStore
  readonly #clock: Clock
  readonly #random: Random
  readonly #onError: (error: unknown) => void
  /** A chain of this process alone; its lines stay when the process ends. */
  readonly #writer: ChainWriter
  /** Where each call under way began: later lines may not be in the store yet. */
  readonly #underWay = new Set<{ readonly end: ChainEnd }>()
  #ends: ReadonlyMap<string, ChainEnd> = new Map()
  #marked = emptyChain
  /** Whether the ledger was given what it lacked, and the store does not know yet. */
  #hasEnrolled = false
  #settling: Promise<void> = Promise.resolve()
  #doubts = 0
  /** As many doubts as there were when the last comparison began; undefined before the first one. */
  #compared: number | undefined
  #key = ''
  #id = ''
  #notes: LedgerNotes | undefined
  #aliases: UserAliases | undefined

  constructor(options: LedgerOptions) {
    const { place, store, clock, random, onError } = options
    this.#options = options
    this.#onError = onError
    this.#place = place
    this.#store = store
    this.#clock = clock
    this.#random = random
    this.#writer = new ChainWriter(place, clock, uuidV7(clock, random), emptyChain)
  }

  get aliases(): UserAliases {
    if (this.#aliases === undefined) throw new InvariantError('the ledger was not compared yet')
    return this.#aliases
  }

  get place(): string {
    return this.#place.name
  }

  async compare(): Promise<LedgerReport> {
    const doubts = this.#doubts
    const marks = await readMarks(this.#store)
    const { ledger } = marks
    // Not kept yet where the store expects another ledger, which `compareLedger` refuses.
    await requireKey(this.#place, marks)
    requireComplete(marks, (await this.#place.kept('id')) !== undefined)
    const id = ledger ?? (await this.#begin())
    // Nothing to enrol is in a store that has its first regulations from the ledger.
    const isNew = ledger === undefined && (await this.#store.all({ limit: 1 })).regulations.length > 0
    const notes = await LedgerNotes.open(this.#place, { ...this.#options, id })
    const { ends, ...found } = await compareLedger(this.#place, this.#store, notes)
    this.#id = id
    this.#key = (await this.#place.kept('key')) ?? ''
    await this.#place.keep('keyDigest', ledgerKeyDigest(this.#key))
    await notes.keepKey()
    this.#notes = notes
    // The chain of this process is marked as far as its calls have ended.
    this.#ends = new Map([...ends].filter(([chain]) => chain !== this.#writer.chain))
    const enrolled = isNew || marks.isToEnrol ? await this.#enrol() : 0
    this.#hasEnrolled = marks.isToEnrol
    if (marks.isIncomplete) await writeMarks(this.#store, { isIncomplete: false })
    this.#aliases = new UserAliases(this.#key, (await readMarks(this.#store)).hasAliases)
    this.#compared = doubts
    return { ...found, enrolled }
  }

  /** Keeps the texts of a new ledger. @returns its id. */
  async #begin(): Promise<string> {
    await this.#place.keep('key', freshLedgerKey(this.#random))
    return this.#place.keep('id', uuidV7(this.#clock, this.#random))
  }

  settle(): Promise<void> {
    const settling = this.#mark()
    this.#settling = Promise.allSettled([this.#settling, settling]).then(() => {})
    return settling
  }

  async doubt(): Promise<void> {
    this.#doubts += 1
    await this.#settling
  }

  async regulate(regulations: readonly Regulation[], store: () => Promise<boolean>): Promise<boolean> {
    return this.#noted(async () => {
      const note = await this.#inTime('nothing was stored', async () => {
        const name = await this.#notes?.write(regulations)
        await this.#writer.write(regulations.map((each) => this.#recordOf(each, name)))
        return name
      })
      if (await store()) return true
      const withdrawn = regulations.map(({ workspaceId, id }) => ({ kind: 'withdrawn', workspaceId, id }) as const)
      await this.#inTime('the regulations were refused', async () => {
        await this.#writer.write(withdrawn)
        await this.#notes?.remove(note)
      })
      return false
    })
  }

  cancel<Result>(
    workspaceId: string,
    id: string,
    store: () => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    return this.#noted(async () => {
      const result = await store()
      if (result !== undefined)
        await this.#inTime('repeat the call, or a restore makes it active again', () =>
          this.#writer.write([{ kind: 'canceled', workspaceId, id }]),
        )
      return result
    })
  }

  async shred(backupsKeptDays: number): Promise<number> {
    return (await this.#notes?.shred(this.#store, backupsKeptDays)) ?? 0
  }

  async checkParts(): Promise<void> {
    const { ends } = await readMarks(this.#store)
    const parts = await readParts(this.#store)
    for (const [chain, end] of ends)
      await checkTail(this.#place, this.#store, { chain, parts: parts.get(chain) ?? [] }, end)
  }

  async close(): Promise<void> {
    await this.#writer.idle()
    if (this.#isCompared && this.#safeEnd.lines > this.#marked.lines) await this.settle()
    await this.#place.close()
  }

  /** Up to here, the store has everything that the chain of this process says. */
  get #safeEnd(): ChainEnd {
    const [oldest] = this.#underWay
    return oldest?.end ?? this.#writer.end
  }

  /** Whether the store has what it had when it was compared. */
  get #isCompared(): boolean {
    return this.#compared === this.#doubts
  }

  async #mark(): Promise<void> {
    if (!this.#isCompared) throw new InvariantError('the store was not compared with the ledger')
    const end = this.#safeEnd
    const own = end.lines > 0 ? ([[this.#writer.chain, end]] as const) : []
    const ends = this.#ends
    // Other chains are those of other processes, which mark them.
    this.#ends = new Map()
    const hasEnrolled = this.#hasEnrolled
    this.#hasEnrolled = false
    await writeMarks(this.#store, {
      ledger: this.#id,
      keyDigest: ledgerKeyDigest(this.#key),
      ends: new Map([...ends, ...own]),
      isToOrder: false,
      // Not otherwise: another process may have marked it since.
      isToEnrol: hasEnrolled ? false : undefined,
    })
    this.#marked = end
  }

  async #noted<Result>(work: () => Promise<Result>): Promise<Result> {
    const begun = { end: this.#writer.end }
    this.#underWay.add(begun)
    try {
      return await work()
    } finally {
      this.#underWay.delete(begun)
      // Before the answer, so that a ledger that loses this line is noticed, also after a crash. What could not be marked is
      // compared once more after the next start.
      if (this.#isCompared && this.#safeEnd.lines > this.#marked.lines) await this.settle().catch(this.#onError)
    }
  }

  /** @throws SuppressionUnavailableError when the place fails, or takes too long. */
  async #inTime<Result>(consequence: string, work: () => Promise<Result>): Promise<Result> {
    const waiting = new AbortController()
    const late = this.#clock.sleep(writeMsMax, waiting.signal).then(() => {
      throw new Error(`no answer within ${writeMsMax / 1_000} s`)
    })
    late.catch(() => {})
    try {
      return await Promise.race([work(), late])
    } catch (cause) {
      throw new SuppressionUnavailableError(
        `the ledger of regulations in ${this.place} cannot be written; ${consequence}`,
        { cause },
      )
    } finally {
      waiting.abort()
    }
  }

  /** Writes what the store has and the ledger lacks. */
  async #enrol(): Promise<number> {
    const known = new Set<string>()
    const canceled = new Set<string>()
    for (const chain of await this.#place.chains())
      for await (const { content } of readChain(this.#place, chain, emptyChain, 'leniently'))
        for (const record of content.records) (record.kind === 'canceled' ? canceled : known).add(recordKey(record))
    let enrolled = 0
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page = await this.#store.all({ after, limit: regulationsPerTurn })
      const missing = page.regulations.filter((each) => !known.has(recordKey(each)))
      const note = await this.#notes?.write(missing.filter((each) => !each.canceled))
      const records = [
        ...missing.map((each) => this.#recordOf(each, note)),
        ...page.regulations.filter((each) => each.canceled && !canceled.has(recordKey(each))).map(cancellationOf),
      ]
      if (records.length > 0) await this.#writer.write(records)
      enrolled += missing.length
      after = page.next
    }
    return enrolled
  }

  #recordOf(whole: Regulation, note: string | undefined): LedgerRecord {
    const { attributes: _, canceled: __, hasNoIds: ___, ...regulation } = whole
    const { regulationType } = regulation
    const hasNote = note !== undefined && regulationType === 'suppress_with_delete'
    return {
      kind: 'regulated',
      ...regulation,
      fingerprints: identityFingerprints(this.#key, whole),
      note: hasNote ? note : undefined,
    }
  }
}

function cancellationOf({ workspaceId, id }: Regulation): LedgerRecord {
  return { kind: 'canceled', workspaceId, id }
}
