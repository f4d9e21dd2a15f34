import type { Clock } from '@sluice/core'
import type { LogPosition } from '../../ports/log-position.ts'
import type { BegunLoad, LoadMark, LoadStore } from '../../ports/stores/load-store.ts'
import { mayBeUnderWay } from './is-load-under-way.ts'

interface LoadMarksOptions {
  readonly workspaceId: string
  /** The name of the consumer. */
  readonly consumer: string
  readonly loads: Pick<LoadStore, 'begin' | 'over' | 'begun'>
  readonly clock: Pick<Clock, 'now'>
}

/**
 * What is stored of the loads of a consumer. A mark is kept until the cursor is behind its load: until then a crash has the
 * events read again, and the mark tells whether they are in the warehouse. It is also kept until its load is over, because
 * a deletion waits for that: another process may have begun the load, and lost its lanes while it still writes.
 */
export class LoadMarks {
  readonly #options: LoadMarksOptions
  /** Undefined until they are read. */
  #known: readonly LoadMark[] | undefined
  /** Lanes that were read since. */
  readonly #seen = new Set<number>()
  /** Up to here, the cursor of a lane is stored. */
  readonly #durable = new Map<number, LogPosition>()

  constructor(options: LoadMarksOptions) {
    this.#options = options
  }

  /**
   * Returns the loads that may contain a batch which is read, in their order, when it is the first one of its lane: what is
   * before it is behind the cursor.
   */
  async ofFirst({ lane, position }: Pick<BegunLoad, 'lane' | 'position'>): Promise<readonly LoadMark[]> {
    const { loads, workspaceId, consumer } = this.#options
    this.#known ??= await loads.begun(workspaceId, consumer)
    if (this.#seen.has(lane)) return []
    this.#seen.add(lane)
    this.committed([[lane, position - 1]])
    return this.#known.filter((mark) => mark.lane === lane && mark.position >= position)
  }

  /** Stores that a load begins. @param places the last batch of each lane. */
  async begin(loadId: string, places: ReadonlyMap<number, LogPosition>): Promise<void> {
    const { loads, workspaceId, consumer } = this.#options
    const known = this.#known ?? []
    const passed = known.filter((mark) => this.#isPassed(mark))
    const begun = [...places].map(([lane, position]) => ({ loadId, lane, position }))
    await loads.begin(workspaceId, consumer, begun, passed)
    this.#known = [
      ...known.filter((mark) => !passed.includes(mark)),
      ...begun.map((load) => ({ ...load, isOver: false })),
    ]
  }

  /** Stores that nothing is done for a load any more. */
  async over(loadId: string): Promise<void> {
    const { loads, workspaceId, consumer } = this.#options
    await loads.over(workspaceId, consumer, loadId)
    this.#known = this.#known?.map((mark) => (mark.loadId === loadId ? { ...mark, isOver: true } : mark))
  }

  /** The cursor of these lanes is stored. */
  committed(places: Iterable<readonly [lane: number, position: LogPosition]>): void {
    for (const [lane, position] of places)
      this.#durable.set(lane, Math.max(position, this.#durable.get(lane) ?? position))
  }

  /** Batches are read again, from the cursor of their lane: loads of this process, too, may contain them. */
  readAgain(): void {
    this.#known = undefined
    this.#seen.clear()
  }

  #isPassed(mark: LoadMark): boolean {
    const isDurable = mark.position <= (this.#durable.get(mark.lane) ?? -1)
    return isDurable && !mayBeUnderWay(mark, this.#options.clock.now())
  }
}
