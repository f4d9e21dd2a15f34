import type { ClusterMember } from '@sluice/pipeline'
import { assignLanes } from '../lanes/assign-lanes.ts'
import { laneCount } from '../lanes/lane-of.ts'
import { type LaneStep, laneStep } from '../lanes/lane-steps.ts'
import { knowingMost } from './definitions.ts'
import type { Node, SharedRows } from './shared-rows.ts'

interface HeldLanesOptions {
  readonly rows: Pick<SharedRows, 'lanes' | 'give' | 'take'>
  /** Time for what is under way when lanes are handed over; what takes longer may be delivered twice. */
  readonly handOverMs: number
  readonly member: () => ClusterMember | undefined
  /** Called when this process holds other lanes, before it reads them. */
  readonly onLanes: () => void
  /** Tells all processes that lanes are free. */
  readonly notify: () => void
}

/** What a process knows of the others when lanes are moved. */
interface LaneView {
  readonly nodeId: string
  /** Those that take part, this one included. */
  readonly nodes: readonly Node[]
  /** Returns whether all have the same definition, which that of this process may change at any time. */
  areAgreed(): boolean
}

/**
 * The lanes that this process holds: it takes those of silent processes, and gives up those that others are to hold. While
 * they move, the member is paused.
 */
export class HeldLanes {
  readonly #options: HeldLanesOptions
  #held: ReadonlySet<number> = new Set()
  /** Lanes that the newest change brought from processes that had died. */
  #fromDead: ReadonlySet<number> = new Set()
  /** Whether the member reads nothing: it is being paused, or could not be resumed and is to be with the next beat. */
  #isPaused = false
  /** Whether all had the same definition at the last beat. */
  #agreed = false
  #takenOver = 0

  constructor(options: HeldLanesOptions) {
    this.#options = options
  }

  get held(): ReadonlySet<number> {
    return this.#held
  }

  /** Those of the lanes held that were taken over, with the newest change, from processes that had died. */
  get fromDead(): ReadonlySet<number> {
    return this.#fromDead
  }

  /** Lanes that were ever taken over from processes that had died. */
  get takenOver(): number {
    return this.#takenOver
  }

  /** There may be other consumers than this process knows of: the next move for which all agree looks at all again. */
  lookAgain(): void {
    this.#agreed = false
  }

  /** Others have them now. */
  release(): void {
    this.#held = new Set()
  }

  /**
   * To be called when other processes hold the lanes, or the database was replaced: nothing under way may be stored. `resume`
   * continues with none.
   */
  async lose(): Promise<void> {
    await this.#pause(0)
    this.#held = new Set()
    this.#fromDead = new Set()
    this.#options.onLanes()
  }

  async resume(): Promise<void> {
    await this.#options.member()?.resume()
    this.#isPaused = false
  }

  /** Takes and gives up lanes, so that each process that takes part holds its share. */
  async move({ nodeId, nodes, areAgreed }: LaneView): Promise<void> {
    const { rows, handOverMs, onLanes, notify } = this.#options
    const willing = nodes.filter(({ is_draining }) => !is_draining)
    // Should all be asked to hold none, somebody has to.
    const ids = knowingMost(willing.length > 0 ? willing : nodes).map(({ id }) => id)
    const wanted = assignLanes(laneCount, ids).get(nodeId) ?? new Set()
    const living = new Set(nodes.map(({ id }) => id))
    const lanes = (await rows.lanes()).map(({ number, node_id: holder }) => {
      const sight = { holder, isHeld: this.#held.has(number), isWanted: wanted.has(number) }
      return { number, isOrphaned: holder !== null && !living.has(holder), step: laneStep(sight, nodeId, living) }
    })
    const to = (step: LaneStep) => lanes.filter((lane) => lane.step === step).map(({ number }) => number)
    const [given, free] = [to('give'), to('take')]
    const agreed = areAgreed()
    // Consumers that others did not know, or still knew, were left alone until now.
    const isAgreedNow = agreed && !this.#agreed
    this.#agreed = agreed
    // What the last change took from dead processes still is so when the member has not read it since.
    const fromDead = this.#isPaused ? this.#fromDead : new Set<number>()
    if (given.length + free.length === 0 && !isAgreedNow && !this.#isPaused) return
    await this.#pause(handOverMs)
    try {
      // Nothing of these lanes is under way now. Others may have them before this process gets its answer.
      this.#held = new Set([...this.#held].filter((lane) => wanted.has(lane)))
      await rows.give(nodeId, given)
      const taken = await rows.take(nodeId, free)
      this.#held = new Set([...this.#held, ...taken])
      const takenOver = taken.filter((number) => lanes.some((lane) => lane.number === number && lane.isOrphaned))
      this.#fromDead = new Set([...fromDead, ...takenOver].filter((lane) => this.#held.has(lane)))
      this.#takenOver += takenOver.length
    } finally {
      onLanes()
      await this.resume()
    }
    if (given.length > 0) notify()
  }

  async #pause(deadlineMs: number): Promise<void> {
    this.#isPaused = true
    await this.#options.member()?.pause(deadlineMs)
  }
}
