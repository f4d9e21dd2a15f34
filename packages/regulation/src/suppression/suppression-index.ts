import { type Clock, keyText, type Random, readKey } from '@sluice/core'
import type { RegulationStore } from '../regulation-store.ts'
import { Fingerprinter, fingerprintSecretBytes } from './fingerprint.ts'
import { FingerprintSet, segmentCount } from './fingerprint-set.ts'
import { isAlias, keysOfRegulation } from './identity-fingerprint.ts'
import { openSegment, sameBytes, sealSegment, stateDigest } from './seal-segment.ts'
import type { UserAliases } from './user-aliases.ts'

/** A key of an event's person, and the source of the event, to check. */
export interface SuppressionQuestion {
  readonly workspaceId: string
  readonly sourceId: string
  /** A key of `keysOfEvent`, or an id, compared as cleaned text; a blank one matches no user. */
  readonly userId: unknown
}

/** The suppression index is not loaded or may lack a change. It retries by itself. */
export class SuppressionUnavailableError extends Error {
  override readonly name: string = 'SuppressionUnavailableError'
}

/**
 * The stored state of the index does not belong to the stored regulations. It stays unavailable, because with a wrong
 * index suppressed users would pass, until the operator has it rebuilt.
 */
export class SuppressionMismatchError extends SuppressionUnavailableError {
  override readonly name = 'SuppressionMismatchError'

  /** @param what does not agree, as a sentence. */
  constructor(what: string) {
    super(
      `the stored suppression index does not belong to the regulations: ${what}. No event is accepted or sent. Find out who changed the store and put a backup in its place, or, if the regulations in it are right, stop the process and rebuild the index: sluice regulations rebuild --data <folder> (the option index.reset of the regulation store, in programs)`,
    )
  }
}

/** Finds out whose events must not be processed. Exact on userId × (all sources | listed sources), per workspace. */
export interface SuppressionIndex {
  /**
   * Returns whether `check` may answer anything but false now. Costs a hash, and never reads the store: nearly all events
   * need no more than this.
   */
  mayMatch(question: SuppressionQuestion): boolean
  /**
   * Whether any active regulation may have a key other than that of a userId. While none has, guests need not be looked up
   * by their e-mail addresses, phone numbers and anonymousIds.
   */
  readonly hasFurtherKeys: boolean
  /** Returns one answer per question. @throws SuppressionUnavailableError */
  check(questions: readonly SuppressionQuestion[]): Promise<readonly boolean[]>
  /** Applies new changes from the store. Await this after every change. @throws SuppressionUnavailableError */
  catchUp(): Promise<void>
  /**
   * Forgets what it has, and reads the store again: it may be another one, whose changes do not follow those that were
   * applied. Answers that were begun before throw. @throws SuppressionUnavailableError
   */
  reload(): Promise<void>
  /** Resolves when what it was reading or writing is done. */
  idle(): Promise<void>
  /** Position of the newest change that was applied: the answers of `check` are the same while it is. */
  readonly position: number
  /** True while `check` can answer. */
  readonly isReady: boolean
  /** Number of keys of active regulations. Most have one key: see `keysOfRegulation`. */
  readonly size: number
  /** Stores unsaved changes of the index. */
  close(): Promise<void>
}

/** Changes read at a time. */
const pageSize = 2_000
/** The index is stored again after this many changes, or a twentieth of its size if that is more. */
const changesPerCheckpoint = 10_000
/** Shortest time between a failed attempt and the next. */
const retryMs = 1_000

/**
 * Creates an index over the active regulations of a store: a few bytes of memory per user, without user ids. Matches
 * are verified in the store, so equal fingerprints suppress no one by mistake; a user without a match is under no
 * regulation. The index applies the changes of the store one by one, in order, even if several callers make changes
 * concurrently.
 *
 * It starts loading immediately. `check` throws until it is loaded, and while a change may be missing. What it loads must
 * belong to the regulations: a state that was changed, or another number of users than there are active regulations, is
 * a SuppressionMismatchError.
 */
export function createSuppressionIndex(options: {
  readonly store: RegulationStore
  readonly clock: Clock
  /** Creates the secret of a new store. */
  readonly random: Random
  /** Of several processes that share the store. */
  readonly cluster?: IndexCluster | undefined
  /** Returns the aliases of users to whom the ledger put regulations back without ids, once the store was compared with it. */
  aliases?(): UserAliases | undefined
  /** Called for errors after which the index retries. */
  onError?(error: unknown): void
}): SuppressionIndex {
  const { store, clock, random, cluster, aliases = () => undefined, onError = () => {} } = options
  return new StoredSuppressionIndex(store, clock, random, cluster, aliases, onError)
}

/** What the index needs to know of the processes that share its store. */
interface IndexCluster {
  /** False while a regulation may be in force elsewhere that is not in this index: nothing may pass then. */
  readonly isServing: boolean
  /** Whether this process is the one that stores the index. */
  readonly isLeader: boolean
}

class StoredSuppressionIndex implements SuppressionIndex {
  readonly #store: RegulationStore
  readonly #clock: Clock
  readonly #random: Random
  readonly #cluster: IndexCluster | undefined
  readonly #aliases: () => UserAliases | undefined
  readonly #onError: (error: unknown) => void
  #fingerprinter: Fingerprinter | undefined
  #set = new FingerprintSet()
  /** Position of the last change in each segment. */
  #positions = new Array<number>(segmentCount).fill(0)
  #position = 0
  /** Never false again until the index is read again: it costs little to look for a key that is gone. */
  #hasFurtherKeys = true
  #unsettled = 0
  /** True until all earlier changes have been applied. */
  #isBehind = true
  #triedAt = Number.NEGATIVE_INFINITY
  /** Whether the index was compared with the regulations. */
  #isVerified = false
  #mismatch: SuppressionMismatchError | undefined
  #secret: Uint8Array = new Uint8Array()
  #working: Promise<void> = Promise.resolve()
  #isClosed = false
  /** How often the index was read again. */
  #reloads = 0

  constructor(
    store: RegulationStore,
    clock: Clock,
    random: Random,
    cluster: IndexCluster | undefined,
    aliases: () => UserAliases | undefined,
    onError: (error: unknown) => void,
  ) {
    this.#store = store
    this.#cluster = cluster
    this.#clock = clock
    this.#random = random
    this.#aliases = aliases
    this.#onError = onError
    this.#retry()
  }

  get isReady(): boolean {
    return !this.#isBehind && this.#cluster?.isServing !== false
  }

  get position(): number {
    return this.#position
  }

  get size(): number {
    return this.#set.size
  }

  get hasFurtherKeys(): boolean {
    return this.#hasFurtherKeys || !this.isReady
  }

  mayMatch({ workspaceId, userId }: SuppressionQuestion): boolean {
    const fingerprinter = this.#fingerprinter
    if (!this.isReady || fingerprinter === undefined) return true
    if (this.#set.size === 0) return false
    const text = keyText(userId)
    if (text === '') return false
    const alias = this.#aliases()?.of(workspaceId, text)
    const has = (id: string): boolean => this.#set.has(fingerprinter.of(workspaceId, id))
    return has(text) || (alias !== undefined && has(alias))
  }

  async check(questions: readonly SuppressionQuestion[]): Promise<readonly boolean[]> {
    const fingerprinter = this.#fingerprinter
    if (this.#isBehind || fingerprinter === undefined) {
      this.#retry()
      throw (
        this.#mismatch ?? new SuppressionUnavailableError('the suppression index is not loaded; try again in a second')
      )
    }
    if (!this.isReady)
      throw new SuppressionUnavailableError(
        'this process is cut off from the others of its cluster; try again in a second',
      )
    const answers = new Array<boolean>(questions.length).fill(false)
    const found = new Map<string, Map<string, number[]>>()
    const aliases = this.#aliases()
    questions.forEach(({ workspaceId, userId }, i) => {
      const text = keyText(userId)
      if (text === '') return
      const alias = aliases?.of(workspaceId, text)
      const names = alias === undefined ? [text] : [text, alias]
      if (!names.some((name) => this.#set.has(fingerprinter.of(workspaceId, name)))) return
      const users = found.get(workspaceId) ?? new Map<string, number[]>()
      found.set(workspaceId, users)
      // Both are looked up in the store, because another process may just have given the regulation of an alias its ids.
      for (const name of names) users.set(name, [...(users.get(name) ?? []), i])
    })
    const reloads = this.#reloads
    for (const [workspaceId, users] of found) await this.#verify(workspaceId, users, questions, answers)
    // The regulations may have been read from a store that lacks some.
    if (found.size > 0 && (!this.isReady || reloads !== this.#reloads))
      throw new SuppressionUnavailableError('the suppression index was read again meanwhile; try again in a second')
    return answers
  }

  catchUp(): Promise<void> {
    const work = this.#working.then(() => this.#catchUp())
    this.#working = work.catch(() => {})
    return work
  }

  reload(): Promise<void> {
    const work = this.#working.then(() => {
      this.#isBehind = true
      this.#isVerified = false
      this.#fingerprinter = undefined
      this.#unsettled = 0
      this.#reloads += 1
      return this.#catchUp()
    })
    this.#working = work.catch(() => {})
    return work
  }

  async idle(): Promise<void> {
    await this.#working
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#working
    if (!this.#isBehind && this.#unsettled > 0 && this.#cluster?.isLeader !== false) await this.#keep()
  }

  /** Fingerprints may collide, so the regulations themselves decide. */
  async #verify(
    workspaceId: string,
    users: ReadonlyMap<string, readonly number[]>,
    questions: readonly SuppressionQuestion[],
    answers: boolean[],
  ): Promise<void> {
    const active = await this.#store.activeOf(workspaceId, [...users.keys()]).catch((error: unknown) => {
      throw new SuppressionUnavailableError('the regulations cannot be read', { cause: error })
    })
    for (const regulation of active) {
      const { sourceIds } = regulation
      for (const i of keysOfRegulation(regulation).flatMap((key) => users.get(key) ?? []))
        if (sourceIds.length === 0 || sourceIds.includes(questions[i]?.sourceId ?? '')) answers[i] = true
    }
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
      const before = this.#position
      const hasAll = await this.#applyChanges()
      // Another process has deleted changes that this one had not read, because it was taken for dead meanwhile.
      if (this.#cluster && !hasAll && (await this.#store.index.settled()).position > before) {
        this.#isVerified = false
        await this.#load()
        await this.#applyChanges()
      }
      while (!this.#isVerified) {
        const active = await this.#store.activeAt(this.#position)
        if (active === undefined) await this.#applyChanges()
        else if (active === this.#set.size) this.#isVerified = true
        else
          throw new SuppressionMismatchError(
            `it has ${this.#set.size} identifiers of active regulations, and there are ${active}`,
          )
      }
      this.#mismatch = undefined
      this.#isBehind = false
    } catch (error) {
      this.#isBehind = true
      if (error instanceof SuppressionMismatchError) {
        this.#mismatch = error
        // Read again the next time, when it may be right.
        this.#fingerprinter = undefined
        throw error
      }
      throw new SuppressionUnavailableError('the regulations cannot be read', { cause: error })
    }
    if (this.#unsettled > Math.max(changesPerCheckpoint, this.#set.size / 20) && this.#cluster?.isLeader !== false)
      // Changes that could not be saved in the index are still in the store.
      await this.#keep().catch((error) => this.#onError(error))
  }

  /**
   * Applies the changes that the store has. @returns whether surely none is missing: the first ones are deleted first, so
   * those behind the next one are all there when that is.
   */
  async #applyChanges(): Promise<boolean> {
    let hasAll = true
    for (let page = 0; ; page += 1) {
      const changes = await this.#store.changes(this.#position, pageSize)
      if (page === 0 || changes.length > 0) hasAll &&= changes[0]?.position === this.#position + 1
      for (const { position, workspaceId, userId, delta } of changes) this.#apply(position, workspaceId, userId, delta)
      if (changes.length < pageSize) return hasAll
      // Lets other work run between two pages.
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
  }

  async #load(): Promise<void> {
    const { index } = this.#store
    const secret = await index.secret(this.#random.fill(new Uint8Array(fingerprintSecretBytes)))
    const { position: settled, digest } = await index.settled()
    const numbers = await index.numbers()
    if (digest ? !sameBytes(digest, stateDigest(secret, settled)) : settled > 0)
      throw new SuppressionMismatchError('its state was changed')
    const set = new FingerprintSet()
    const positions = new Array<number>(segmentCount).fill(settled)
    for (const number of numbers) {
      const segment = await index.read(number)
      if (segment === undefined) continue
      const bytes = openSegment(secret, segment)
      const isSound = bytes !== undefined && set.readSegment(number, bytes)
      if (!isSound) {
        this.#onError(
          new Error(`segment ${number} of the suppression index is damaged; it is rebuilt from the regulations`),
        )
        await index.reset()
        return this.#load()
      }
      positions[number] = Math.max(settled, segment.position)
    }
    // A key that comes later is in a change.
    this.#hasFurtherKeys = await this.#store.hasFurtherKeys()
    this.#set = set
    this.#positions = positions
    this.#position = settled
    this.#secret = secret
    this.#fingerprinter = new Fingerprinter(secret)
  }

  #apply(position: number, workspaceId: string, userId: string, delta: 1 | -1): void {
    this.#position = position
    const aliases = this.#aliases()
    if (aliases && isAlias(userId)) aliases.isNeeded = true
    if (readKey(userId).name !== 'userId') this.#hasFurtherKeys = true
    const fingerprint = this.#fingerprinter?.of(workspaceId, keyText(userId))
    if (fingerprint === undefined) return
    const segment = fingerprint.shard >>> 8
    // The previous run may have ended while it was saving: this segment was saved, others were not.
    if (position <= (this.#positions[segment] ?? 0)) return
    this.#positions[segment] = position
    this.#unsettled += 1
    if (delta === 1) this.#set.add(fingerprint)
    else this.#set.remove(fingerprint)
  }

  /** Saves one segment at a time, so that no other work waits for more than one. */
  async #keep(): Promise<void> {
    const position = this.#position
    for (const number of this.#set.changedSegments) {
      const bytes = sealSegment(this.#secret, number, position, this.#set.writeSegment(number))
      await this.#store.index.write({ number, position, bytes })
      this.#set.markWritten(number)
    }
    await this.#store.index.settle(position, stateDigest(this.#secret, position))
    this.#unsettled = 0
  }
}
