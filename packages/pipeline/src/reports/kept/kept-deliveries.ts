import type { Clock, JsonObject } from '@sluice/core'
import type { DeliveredWatch } from '@sluice/delivery'
import type { SourcedRequest } from '../../flow/destination-path.ts'
import type { EventRecord } from '../../flow/stages/records-allowed.ts'

/** A request that a destination accepted, and its answer. */
export interface KeptDelivery extends EventRecord {
  readonly workspaceId: string
  readonly destinationId: string
  /** When it was answered, in milliseconds since the epoch. */
  readonly at: number
  /** The request with its secrets masked, `status`, `attempts` and the beginning of the `reply`. */
  readonly detail: JsonObject
}

interface KeptDeliveriesOptions {
  readonly clock: Clock
  /** How many are kept of each destination: the newest. 0 keeps none. */
  readonly perDestination: number
  /** Returns the records of users who are not suppressed now. */
  unsuppressed(workspaceId: string, records: readonly KeptDelivery[]): Promise<readonly KeptDelivery[]>
}

export const keptDeliveriesUsual = 20
/** Requests are kept in memory, so only as long as somebody may look for the one that was just sent. */
const ageMsMax = 15 * 60_000
/** How often those that are too old, or of suppressed users, are removed, in milliseconds. */
const sweepMs = 60_000
/** Characters of JSON text of all destinations together. The oldest are removed first. */
const charactersMax = 16 * 1_024 * 1_024
/** Most that are kept in a second: what is sent faster is kept in part, for making the copies takes time. */
const perSecondMax = 100

interface Entry {
  readonly kept: KeptDelivery
  readonly characters: number
}

/**
 * The last requests that each destination accepted, in the memory of this process. For people who ask what a destination
 * got: nothing else depends on it.
 */
export class KeptDeliveries {
  readonly #options: KeptDeliveriesOptions
  /** In the order in which they were kept. */
  readonly #entries = new Set<Entry>()
  readonly #ofPlace = new Map<string, Entry[]>()
  #sweeps: ReturnType<typeof setInterval> | undefined
  #isClosed = false
  #characters = 0
  #second = 0
  #inSecond = 0

  constructor(options: KeptDeliveriesOptions) {
    this.#options = options
  }

  /** Returns what keeps the requests of a destination; undefined when none are kept. */
  watch(workspaceId: string, destinationId: string): DeliveredWatch<SourcedRequest> | undefined {
    const { clock, perDestination } = this.#options
    if (perDestination === 0) return undefined
    return {
      wants: () => this.#wants(clock.now()),
      delivered: ({ source, output }, detail) => {
        // User code may have given it another user.
        const outputs = output === source ? undefined : [output]
        this.#keep({ workspaceId, destinationId, source, outputs, at: clock.now(), detail })
      },
    }
  }

  /** Returns the last requests of a destination, the newest first. */
  ofDestination(workspaceId: string, destinationId: string): Promise<readonly KeptDelivery[]> {
    const entries = this.#ofPlace.get(placeOf(workspaceId, destinationId)) ?? []
    return this.#shown(workspaceId, entries.map(({ kept }) => kept).reverse())
  }

  /** Returns the requests that were made of an event, the oldest first. */
  ofMessage(workspaceId: string, messageId: string): Promise<readonly KeptDelivery[]> {
    const found: KeptDelivery[] = []
    for (const { kept } of this.#entries)
      if (kept.workspaceId === workspaceId && kept.source.event.messageId === messageId) found.push(kept)
    return this.#shown(workspaceId, found)
  }

  /** Removes all of users who are suppressed now, or all of the workspace where that cannot be decided. */
  async forgetSuppressed(workspaceId: string): Promise<void> {
    const entries = [...this.#entries].filter(({ kept }) => kept.workspaceId === workspaceId)
    if (entries.length === 0) return
    const records = entries.map(({ kept }) => kept)
    const allowed = new Set(await this.#options.unsuppressed(workspaceId, records).catch(() => []))
    for (const entry of entries) if (!allowed.has(entry.kept)) this.#remove(entry)
  }

  /** Removes all. Nothing is kept from then on. */
  close(): void {
    this.#isClosed = true
    clearInterval(this.#sweeps)
    this.#entries.clear()
    this.#ofPlace.clear()
    this.#characters = 0
  }

  /** Removes what is too old, and what is of users who are suppressed now. Called every minute while something is kept. */
  async sweep(): Promise<void> {
    const oldest = this.#options.clock.now() - ageMsMax
    for (const entry of this.#entries) if (entry.kept.at <= oldest) this.#remove(entry)
    const workspaces = new Set([...this.#entries].map(({ kept }) => kept.workspaceId))
    for (const workspaceId of workspaces) await this.forgetSuppressed(workspaceId)
    if (this.#entries.size > 0) return
    clearInterval(this.#sweeps)
    this.#sweeps = undefined
  }

  #wants(now: number): boolean {
    const second = Math.floor(now / 1_000)
    if (second !== this.#second) {
      this.#second = second
      this.#inSecond = 0
    }
    this.#inSecond += 1
    return this.#inSecond <= perSecondMax
  }

  #keep(kept: KeptDelivery): void {
    if (this.#isClosed) return
    const place = placeOf(kept.workspaceId, kept.destinationId)
    const entry = { kept, characters: charactersOf(kept) }
    const ofPlace = this.#ofPlace.get(place)
    if (ofPlace) ofPlace.push(entry)
    else this.#ofPlace.set(place, [entry])
    this.#entries.add(entry)
    this.#characters += entry.characters
    const [oldest] = ofPlace ?? []
    if (oldest && ofPlace && ofPlace.length > this.#options.perDestination) this.#remove(oldest)
    for (const old of this.#entries) {
      if (this.#characters <= charactersMax) break
      this.#remove(old)
    }
    // By the machine's own time, so that a clock of a test does not move on because something is kept.
    this.#sweeps ??= setInterval(() => void this.sweep(), sweepMs).unref()
  }

  #remove(entry: Entry): void {
    if (!this.#entries.delete(entry)) return
    this.#characters -= entry.characters
    const place = placeOf(entry.kept.workspaceId, entry.kept.destinationId)
    const left = (this.#ofPlace.get(place) ?? []).filter((other) => other !== entry)
    if (left.length > 0) this.#ofPlace.set(place, left)
    else this.#ofPlace.delete(place)
  }

  async #shown(workspaceId: string, found: readonly KeptDelivery[]): Promise<readonly KeptDelivery[]> {
    const oldest = this.#options.clock.now() - ageMsMax
    const fresh = found.filter(({ at }) => at > oldest)
    return fresh.length === 0 ? [] : this.#options.unsuppressed(workspaceId, fresh)
  }
}

/** The event may be much larger than what is shown of its request. */
const charactersOf = ({ source, outputs = [], detail }: KeptDelivery): number =>
  [detail, source.event, ...outputs.map(({ event }) => event)].reduce(
    (sum, each) => sum + JSON.stringify(each).length,
    0,
  )

/** Ids have no line break. */
const placeOf = (workspaceId: string, destinationId: string): string => `${workspaceId}\n${destinationId}`
