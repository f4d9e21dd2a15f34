import { type Clock, identifierText, type Random } from '@sluice/core'
import { Fingerprinter, fingerprintSecretBytes } from './fingerprint.ts'
import { FingerprintSet, segmentCount } from './fingerprint-set.ts'
import type { RegulationStore } from './regulation-store.ts'

/** Whose event, from where. */
export interface SuppressionQuestion {
  readonly workspaceId: string
  readonly sourceId: string
  /** As the event carries it; compared as cleaned text. A blank one matches nobody. */
  readonly userId: unknown
}

/** The index cannot say who is suppressed, because it is not loaded or may lack a change. It tries again by itself. */
export class SuppressionUnavailableError extends Error {
  override readonly name = 'SuppressionUnavailableError'
}

/** Answers whose events must not be processed. Exact on userId × (all sources | listed sources), per workspace. */
export interface SuppressionIndex {
  /** One answer per question. @throws SuppressionUnavailableError */
  check(questions: readonly SuppressionQuestion[]): Promise<readonly boolean[]>
  /** Takes in what was changed in the store. Whoever changes something awaits it. @throws SuppressionUnavailableError */
  catchUp(): Promise<void>
  /** True while `check` answers. */
  readonly isReady: boolean
  /** Users under active regulations, one for each regulation. */
  readonly size: number
  /** Keeps what is not kept yet. */
  close(): Promise<void>
}

/** Changes read at a time. */
const pageSize = 2_000
/** The index is kept again after so many changes, or a twentieth of its size. */
const changesPerCheckpoint = 10_000
/** How soon a failed attempt is repeated, at the earliest. */
const retryMs = 1_000

/**
 * An index over the active regulations of a store: a few bytes per user in memory, none of them an id. What it finds is
 * verified in the store, so that nobody is dropped because fingerprints are alike; whom it does not find is under no
 * regulation. It follows the store change by change, in one order, however many change it at a time.
 *
 * It begins to load at once. `check` refuses until that is done, and while a change may be missing.
 */
export function createSuppressionIndex(options: {
  readonly store: RegulationStore
  readonly clock: Clock
  /** For the secret of a new store. */
  readonly random: Random
  /** Told of failures that it tries to get over. */
  onError?(error: unknown): void
}): SuppressionIndex {
  return new StoredSuppressionIndex(options.store, options.clock, options.random, options.onError ?? (() => {}))
}

class StoredSuppressionIndex implements SuppressionIndex {
  readonly #store: RegulationStore
  readonly #clock: Clock
  readonly #random: Random
  readonly #onError: (error: unknown) => void
  #fingerprinter: Fingerprinter | undefined
  #set = new FingerprintSet()
  /** The last change that each segment holds. */
  #positions = new Array<number>(segmentCount).fill(0)
  #position = 0
  #unsettled = 0
  /** True until everything that was changed before has been taken in. */
  #isBehind = true
  #triedAt = Number.NEGATIVE_INFINITY
  #working: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(store: RegulationStore, clock: Clock, random: Random, onError: (error: unknown) => void) {
    this.#store = store
    this.#clock = clock
    this.#random = random
    this.#onError = onError
    this.#retry()
  }

  get isReady(): boolean {
    return !this.#isBehind
  }

  get size(): number {
    return this.#set.size
  }

  async check(questions: readonly SuppressionQuestion[]): Promise<readonly boolean[]> {
    const fingerprinter = this.#fingerprinter
    if (this.#isBehind || fingerprinter === undefined) {
      this.#retry()
      throw new SuppressionUnavailableError('the suppression index is not loaded; ask again in a second')
    }
    const answers = new Array<boolean>(questions.length).fill(false)
    const found = new Map<string, Map<string, number[]>>()
    questions.forEach(({ workspaceId, userId }, i) => {
      const text = identifierText(userId)
      if (text === '' || !this.#set.has(fingerprinter.of(workspaceId, text))) return
      const users = found.get(workspaceId) ?? new Map<string, number[]>()
      found.set(workspaceId, users)
      users.set(text, [...(users.get(text) ?? []), i])
    })
    for (const [workspaceId, users] of found) await this.#verify(workspaceId, users, questions, answers)
    return answers
  }

  catchUp(): Promise<void> {
    const work = this.#working.then(() => this.#catchUp())
    this.#working = work.catch(() => {})
    return work
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#working
    if (this.isReady && this.#unsettled > 0) await this.#keep()
  }

  /** Fingerprints may be alike: the regulations themselves decide. */
  async #verify(
    workspaceId: string,
    users: ReadonlyMap<string, readonly number[]>,
    questions: readonly SuppressionQuestion[],
    answers: boolean[],
  ): Promise<void> {
    const active = await this.#store.activeOf(workspaceId, [...users.keys()]).catch((error: unknown) => {
      throw new SuppressionUnavailableError('the regulations cannot be read', { cause: error })
    })
    for (const { attributes, sourceIds } of active)
      for (const i of users.get(attributes.userId) ?? [])
        if (sourceIds.length === 0 || sourceIds.includes(questions[i]?.sourceId ?? '')) answers[i] = true
  }

  #retry(): void {
    const now = this.#clock.now()
    if (this.#isClosed || Math.abs(now - this.#triedAt) < retryMs) return
    this.#triedAt = now
    this.catchUp().catch((error) => this.#onError(error))
  }

  async #catchUp(): Promise<void> {
    try {
      if (this.#fingerprinter === undefined) await this.#load()
      for (;;) {
        const changes = await this.#store.changes(this.#position, pageSize)
        for (const { position, workspaceId, userId, delta } of changes)
          this.#apply(position, workspaceId, userId, delta)
        if (changes.length < pageSize) break
        // Each page is a short piece of work; others want their turn between two.
        await new Promise((resolve) => setTimeout(resolve, 0))
      }
      this.#isBehind = false
    } catch (error) {
      this.#isBehind = true
      throw new SuppressionUnavailableError('the regulations cannot be read', { cause: error })
    }
    if (this.#unsettled > Math.max(changesPerCheckpoint, this.#set.size / 20))
      // What could not be kept is still in the store as changes.
      await this.#keep().catch((error) => this.#onError(error))
  }

  async #load(): Promise<void> {
    const { index } = this.#store
    const secret = await index.secret(this.#random.fill(new Uint8Array(fingerprintSecretBytes)))
    const settled = await index.settled()
    const set = new FingerprintSet()
    const positions = new Array<number>(segmentCount).fill(settled)
    for (const number of await index.numbers()) {
      const segment = await index.read(number)
      if (segment === undefined) continue
      const isSound = set.readSegment(number, segment.bytes)
      if (!isSound) {
        this.#onError(
          new Error(`segment ${number} of the suppression index is damaged; it is made anew from the regulations`),
        )
        await index.reset()
        return this.#load()
      }
      positions[number] = Math.max(settled, segment.position)
    }
    this.#set = set
    this.#positions = positions
    this.#position = settled
    this.#fingerprinter = new Fingerprinter(secret)
  }

  #apply(position: number, workspaceId: string, userId: string, delta: 1 | -1): void {
    this.#position = position
    const fingerprint = this.#fingerprinter?.of(workspaceId, identifierText(userId))
    if (fingerprint === undefined) return
    const segment = fingerprint.shard >>> 8
    // A segment may have been kept by a run that ended before it had kept them all.
    if (position <= (this.#positions[segment] ?? 0)) return
    this.#positions[segment] = position
    this.#unsettled += 1
    if (delta === 1) this.#set.add(fingerprint)
    else this.#set.remove(fingerprint)
  }

  /** Keeps segment by segment, so that nobody waits for more than one. */
  async #keep(): Promise<void> {
    const position = this.#position
    for (const number of this.#set.changedSegments) {
      await this.#store.index.write({ number, position, bytes: this.#set.writeSegment(number) })
      this.#set.markWritten(number)
    }
    await this.#store.index.settle(position)
    this.#unsettled = 0
  }
}
