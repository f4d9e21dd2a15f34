import { SimulatedDatabase } from './simulated-database.ts'
import { calm, SimulatedProcess } from './simulated-process.ts'
import { World } from './world.ts'

/** Time in which everything has settled once nothing happens any more: some leases. */
const settleMs = 15_000
/** Times to wait for that: a machine may sleep for a minute. */
const settlesMax = 8
/** Longest way of a notification, and the share of those that get lost. */
const notificationMsMax = 20
const notificationsLost = 0.1

/** Processes, and the database that they share. */
export class SimulatedCluster {
  readonly world: World
  readonly database: SimulatedDatabase
  readonly #processes: SimulatedProcess[] = []

  constructor(seed: number) {
    this.world = new World(seed)
    this.database = new SimulatedDatabase(this.world)
  }

  /** Processes that were not killed and have not left. */
  get living(): readonly SimulatedProcess[] {
    return this.#processes.filter(({ isGone }) => !isGone)
  }

  /** One of those that are not leaving. */
  get one(): SimulatedProcess | undefined {
    return this.world.oneOf(this.living.filter(({ isLeaving }) => !isLeaving))
  }

  start(): void {
    const started = new SimulatedProcess(this.world, this.database, this.#processes.length + 1, (text) =>
      this.#tell(text),
    )
    this.#processes.push(started)
    void started.start()
  }

  append(): void {
    const lane = this.world.oneOf(this.database.busyLanes) ?? 0
    this.database.ends[lane] = (this.database.ends[lane] ?? 0) + 1
  }

  /** Nothing gets lost any more, and at least one process is there: in time, everything must be as if nothing had happened. */
  async settle(): Promise<void> {
    const { world, database } = this
    world.tell('all is well from here on')
    database.goneUntil = 0
    for (const each of this.living) each.network = calm
    // Those that are starting, leaving or asleep take their time.
    for (let waits = 0; waits < settlesMax; waits += 1) {
      await world.pass(settleMs)
      if (this.living.length === 0) this.start()
      else if (this.#hasEnded && this.living.every(({ isServing, isLeaving }) => isServing && !isLeaving)) break
    }
    void this.one?.change()
    await world.pass(settleMs)
    if (world.wrong.length > 0) return
    const ids = new Map(this.living.map((each) => [each.nodeId, each]))
    for (const each of this.living) if (!each.isServing) world.broken(`${each.name} does not serve`)
    const without = [...database.owners.entries()].flatMap(([lane, owner]) =>
      ids.get(owner ?? '')?.held.has(lane) ? [] : lane,
    )
    if (without.length > 0) world.broken(`no process works for the lanes ${without.join(', ')}`)
    const held = this.living.reduce((sum, each) => sum + each.held.size, 0)
    if (held !== database.owners.length) world.broken(`${held} lanes are held`)
    for (const lane of database.busyLanes)
      if (database.cursors[lane] !== database.ends[lane])
        world.broken(`lane ${lane} has come to ${database.cursors[lane]} of ${database.ends[lane]}`)
    if (database.answered !== database.changes) world.broken('a change is not answered')
  }

  /** Whether all batches are done. */
  get #hasEnded(): boolean {
    const { busyLanes, cursors, ends } = this.database
    return busyLanes.every((lane) => cursors[lane] === ends[lane])
  }

  #tell(text: string): void {
    for (const each of this.living)
      if (this.world.chance() >= notificationsLost)
        this.world.after(this.world.between(1, notificationMsMax), () => each.notified(text))
  }
}
