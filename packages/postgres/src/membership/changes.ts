import type { ClusterMember } from '@sluice/pipeline'
import { LRUCache } from '#inlined/lru-cache'
import type { ChangeCount, SharedRows } from './shared-rows.ts'
import type { Timing } from './timing.ts'

/** How often a caller that waits for all processes looks, should a notification get lost. */
const lookMs = 50
/** Processes whose reports are remembered. */
const reportsMax = 1_000

interface ChangesOptions {
  readonly rows: Pick<SharedRows, 'changes' | 'changesAndBehind' | 'sayApplied' | 'behind'>
  readonly timing: Timing
  /** Longest wait for all processes to apply a change. */
  readonly changeMs: number
  /** Id of this process in the cluster. */
  readonly nodeId: () => string
  readonly member: () => ClusterMember | undefined
  readonly onError: (error: unknown) => void
}

/**
 * What processes change for all: regulations and code. The database counts changes and tells all processes, each of which
 * applies them and says so; who has made one waits for all.
 */
export class Changes {
  readonly #options: ChangesOptions
  /** The number of changes that are applied; whether those are that were made before this process joined. */
  #applied = 0
  /** How many of them were of code; at the start all have to be applied. */
  #appliedCode = -1
  #hasApplied = false
  /** The newest count that a notification brought. */
  #newest: ChangeCount = { count: 0, of_code: 0 }
  #applying: Promise<void> | undefined
  #again = false
  /** What processes have applied, as their notifications say. */
  readonly #reports = new LRUCache<string, number>({ max: reportsMax })
  readonly #waiters = new Set<() => void>()

  constructor(options: ChangesOptions) {
    this.#options = options
  }

  /** Whether all changes are applied that were made before this process joined. */
  get hasApplied(): boolean {
    return this.#hasApplied
  }

  /**
   * This process joins as a new one: what was changed meanwhile is still to be applied, and counts of before mean nothing,
   * because the database may be another one.
   */
  joinAnew(): void {
    this.#hasApplied = false
    this.#applied = 0
    this.#appliedCode = -1
    this.#newest = { count: 0, of_code: 0 }
    this.#reports.clear()
  }

  /** So many changes were counted: those that are new are applied in the background, for it may take longer than a lease. */
  counted(count: number): void {
    if (count > this.#applied || !this.#hasApplied) this.#apply()
  }

  /**
   * A notification came: of a change, with the counts, or of a process that has applied changes, with its id and how many.
   * @returns false when it is about something else.
   */
  notified(text: string): boolean {
    const [what, first = '', second = ''] = text.split(' ')
    if (what === 'change') {
      if (Number(first) > this.#newest.count) this.#newest = { count: Number(first), of_code: Number(second) }
      this.#apply()
      return true
    }
    if (what !== 'applied') return false
    this.#reports.set(first, Number(second))
    for (const resolve of this.#waiters) resolve()
    this.#waiters.clear()
    return true
  }

  /** Applies all changes now. */
  async applyNow(): Promise<void> {
    const { rows } = this.#options
    const nodeId = this.#options.nodeId()
    let to = this.#newest
    if (to.count <= this.#applied || !this.#hasApplied) {
      to = (await rows.changes()) ?? to
    }
    const member = this.#options.member()
    if (member === undefined) return
    await member.apply({ code: to.of_code > this.#appliedCode, hasJoined: !this.#hasApplied })
    // Meanwhile it was taken for dead, and is joining again.
    if (nodeId !== this.#options.nodeId()) return
    this.#appliedCode = to.of_code
    await rows.sayApplied(nodeId, to.count)
    // Meanwhile it was taken for dead, and has joined again.
    if (nodeId !== this.#options.nodeId()) return
    this.#applied = to.count
    this.#hasApplied = true
  }

  /** See `Cluster.applied`. */
  async everywhere(): Promise<void> {
    const { rows, timing, changeMs } = this.#options
    const deadline = timing.now() + changeMs
    const { count, of_code, behind: first } = (await rows.changesAndBehind()) ?? { ...this.#newest, behind: [] }
    let behind = first
    if (behind.length > 0) this.notified(`change ${count} ${of_code}`)
    for (;;) {
      const reported = new Promise<true>((resolve) => this.#waiters.add(() => resolve(true)))
      if (behind.every((id) => (this.#reports.get(id) ?? -1) >= count)) return
      if (timing.now() > deadline)
        throw new Error(
          `the change is stored, but not all processes have applied it within ${changeMs / 1_000} s: look at sluice cluster status, and repeat the call`,
        )
      if (
        await Promise.race([reported, new Promise<false>((resolve) => void timing.after(lookMs, () => resolve(false)))])
      )
        continue
      behind = await rows.behind(count)
    }
  }

  /** Resolves when none is being applied. */
  async ended(): Promise<void> {
    await this.#applying
  }

  /** Once more when it is asked to while it does so. */
  #apply(): void {
    if (this.#options.member() === undefined) return
    if (this.#applying) {
      this.#again = true
      return
    }
    this.#applying = this.applyNow()
      .catch(this.#options.onError)
      .finally(() => {
        this.#applying = undefined
        const again = this.#again
        this.#again = false
        if (again) this.#apply()
      })
  }
}
