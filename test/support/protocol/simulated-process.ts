import { createSeededRandom } from '@sluice/core'
import { ServedServer } from '../../../packages/postgres/src/connect/served-server.ts'
import { defaultClusterTimes, Membership } from '../../../packages/postgres/src/membership/membership.ts'
import type { SharedRows } from '../../../packages/postgres/src/membership/shared-rows.ts'
import type { SimulatedDatabase } from './simulated-database.ts'
import type { World } from './world.ts'

/** What may happen to a call: chances from 0 to 1. */
export interface Network {
  /** That a call does not arrive. */
  readonly lost: number
  /** That its answer does not come. */
  readonly unanswered: number
  /** That it takes long. */
  readonly slow: number
}

export const calm: Network = { lost: 0, unanswered: 0, slow: 0 }

/** When a process gives a call up, as the pool of beats does. */
const giveUpMs = defaultClusterTimes.leaseMs / 4 + 1_000
/** A call may still be done so long after it was given up. */
const lateMs = 2_000
const pollMs = 300
/** Longest time that a destination takes for a batch. */
const deliveryMsMax = 700

/** A process with the real protocol of a member, whose work is to take the batches of its lanes one after the other. */
export class SimulatedProcess {
  readonly name: string
  network: Network = calm
  /** Whether it has left, or was killed: nothing happens in it any more. */
  isGone = false
  isLeaving = false
  /**
   * Whether its machine may sleep; otherwise, its clock may jump. That a machine sleeps and has its clock set back within one
   * lease is beyond the protocol: the two clocks are each other's check.
   */
  readonly maySleep: boolean
  readonly #world: World
  readonly #database: SimulatedDatabase
  readonly #notify: (text: string) => void
  readonly #membership: Membership
  /** Until when it does not run at all. */
  #frozenUntil = 0
  /** Time that its clock missed, and how far its other clock is off. */
  #stoodStillMs = 0
  #wallOffMs = 0
  /** The call before, because beats have one connection. */
  #before: Promise<unknown> = Promise.resolve()
  /** Grows when the work so far ends. */
  #shift = 0
  #isWorking = false
  #starting = Promise.resolve()
  readonly #steps = new Set<Promise<unknown>>()
  /** Changes that it has applied. */
  #applied = 0

  constructor(world: World, database: SimulatedDatabase, number: number, notify: (text: string) => void) {
    this.#world = world
    this.#database = database
    this.#notify = notify
    this.name = `process ${number}`
    this.maySleep = world.chance() < 0.5
    this.#membership = new Membership({
      rows: this.#overNetwork(database.rows()),
      server: new ServedServer(),
      random: createSeededRandom(world.between(0, 2 ** 31)),
      times: defaultClusterTimes,
      knows: { shared: 1, cluster: 1 },
      onLanes: () => {},
      notify: (todo) => this.#notify(todo),
      announce: () => {},
      onMissing: () => world.broken(`${this.name} misses batches that no database has lost`),
      onError: () => {},
      timing: {
        now: () => world.now - this.#stoodStillMs,
        wall: () => world.now + this.#wallOffMs,
        after: (milliseconds, act) => this.#after(milliseconds, act),
      },
    })
  }

  get isFrozen(): boolean {
    return this.#frozenUntil > this.#world.now
  }

  get isServing(): boolean {
    return !this.isGone && !this.isFrozen && this.#membership.isServing
  }

  get held(): ReadonlySet<number> {
    return this.#membership.held
  }

  get nodeId(): string {
    return this.#membership.nodeId
  }

  /** Joins; when the database does not answer meanwhile, the process ends. */
  start(): Promise<void> {
    this.#starting = this.#start()
    return this.#starting
  }

  async #start(): Promise<void> {
    try {
      await this.#membership.enter()
      await this.#membership.join({
        pause: (deadlineMs) => this.#halt(deadlineMs),
        resume: async () => {
          // As the engine, which starts nothing once it is being stopped.
          if (this.#isWorking || this.isLeaving) return
          this.#isWorking = true
          for (const lane of this.#membership.held)
            if (this.#database.busyLanes.includes(lane)) void this.#work(lane, this.#shift)
        },
        apply: async () => {
          this.#applied = await this.call(() => this.#database.changes)
        },
        lost: async () => {},
        deferred: () => {},
        tryNow: () => {},
        passed: async () => {},
      })
      this.#world.tell(`${this.name} serves`)
    } catch {
      this.kill()
    }
  }

  /** Leaves as a process does that is stopped. */
  async leave(): Promise<void> {
    this.#world.tell(`${this.name} leaves`)
    this.isLeaving = true
    // A program stops what it has started.
    await this.#starting
    await this.#halt(0)
    await this.#membership.handOver().catch(() => {})
    await this.#membership.leave().catch(() => {})
    this.isGone = true
  }

  kill(): void {
    this.#world.tell(`${this.name} is killed`)
    this.isGone = true
  }

  /** Stops it for a time, in which its clock runs or, as in a suspended machine, stands still. */
  freeze(milliseconds: number, isSuspended: boolean): void {
    if (this.isFrozen) return
    this.#world.tell(`${this.name} ${isSuspended ? 'sleeps' : 'is paused'} for ${milliseconds} ms`)
    this.#frozenUntil = this.#world.now + milliseconds
    if (isSuspended) this.#stoodStillMs += milliseconds
  }

  jump(milliseconds: number): void {
    this.#world.tell(`the clock of ${this.name} jumps by ${milliseconds} ms`)
    this.#wallOffMs += milliseconds
  }

  /** Changes something for all, as a new regulation does, and waits until it is in force everywhere. */
  async change(): Promise<void> {
    try {
      const count = await this.call(() => this.#database.change())
      await this.#membership.applied()
      this.#world.tell(`${this.name} answers change ${count}`)
      this.#database.answered = Math.max(this.#database.answered, count)
    } catch {
      // It is stored or not, and was not answered.
    }
  }

  notified(text: string): void {
    this.#run(() => this.#membership.notified(text))
  }

  /** Calls the database, with what may happen on the way. */
  call<Result>(work: (isLate: boolean) => Result): Promise<Result> {
    const world = this.#world
    return new Promise((resolve, reject) => {
      let isOver = false
      const end = (act: () => void): void =>
        this.#run(() => {
          isOver = true
          act()
        })
      this.#after(giveUpMs, () => end(() => reject(new Error('no answer'))))
      const wayMs = (): number =>
        world.chance() < this.network.slow ? world.between(0, giveUpMs + lateMs) : world.between(1, 10)
      if (world.chance() < this.network.lost) return
      world.after(wayMs(), () => {
        if (world.now < this.#database.goneUntil) return
        let answer: () => void
        try {
          const result = work(isOver)
          answer = () => resolve(result)
        } catch (error) {
          answer = () => reject(error)
        }
        if (world.chance() >= this.network.unanswered) world.after(wayMs(), () => end(answer))
      })
    })
  }

  /** Returns rows whose calls take one connection in turn. */
  #overNetwork(rows: SharedRows): SharedRows {
    const through =
      (name: string, method: (...args: readonly unknown[]) => Promise<unknown>) =>
      (...args: readonly unknown[]) => {
        const called = this.#before.then(async () => {
          const answer = await this.call(() => method(...args))
          if (name === 'sayApplied') this.#notify(`applied ${args[0]} ${args[1]}`)
          return answer
        })
        this.#before = called.catch(() => {})
        return called
      }
    return Object.fromEntries(
      Object.entries(rows).map(([name, method]) => [name, through(name, method as never)]),
    ) as unknown as SharedRows
  }

  /** Takes the batches of a lane until the work ends. */
  async #work(lane: number, shift: number): Promise<void> {
    const goesOn = (): boolean => this.#isWorking && this.#shift === shift && !this.isGone
    while (goesOn()) {
      const step = this.#step(lane, goesOn).catch(() => {})
      this.#steps.add(step)
      await step
      this.#steps.delete(step)
      await new Promise<void>((resolve) => void this.#after(pollMs, resolve))
    }
  }

  async #step(lane: number, goesOn: () => boolean): Promise<void> {
    const database = this.#database
    const next = await this.call(() => {
      const done = database.cursors[lane] ?? 0
      return done < (database.ends[lane] ?? 0) ? done + 1 : undefined
    })
    // As a transport, which sends nothing once the process does not serve.
    if (next === undefined || !goesOn() || !this.#membership.isServing) return
    this.#sent(lane, next)
    await new Promise<void>((resolve) => void this.#after(this.#world.between(1, deliveryMsMax), resolve))
    if (!goesOn()) return
    const { nodeId } = this.#membership
    await this.call((isLate) => database.commit(nodeId, lane, next, isLate))
  }

  /** A batch leaves for its destination: only the owner of its lane may send it, with all changes that were answered. */
  #sent(lane: number, position: number): void {
    const { owners, answered, cursors } = this.#database
    const { nodeId } = this.#membership
    if (owners[lane] !== nodeId)
      this.#world.broken(`${this.name} has sent batch ${position} of lane ${lane}, which ${owners[lane]} holds`)
    if (this.#applied < answered)
      this.#world.broken(`${this.name} has sent with ${this.#applied} changes of ${answered} that were answered`)
    if (position <= (cursors[lane] ?? 0) - 1)
      this.#world.broken(`${this.name} has sent batch ${position} of lane ${lane}, long after it was done`)
  }

  async #halt(deadlineMs: number): Promise<void> {
    const ended = Promise.all(this.#steps)
    this.#isWorking = deadlineMs > 0 && this.#isWorking
    const late = new Promise<void>((resolve) => void this.#after(deadlineMs, resolve))
    await Promise.race([ended, late])
    this.#isWorking = false
    this.#shift += 1
    // What is being stored ends in any case.
    await Promise.all(this.#steps)
  }

  #after(milliseconds: number, act: () => void): () => void {
    let isCancelled = false
    this.#world.after(milliseconds, () => this.#run(() => isCancelled || act()))
    return () => {
      isCancelled = true
    }
  }

  /** Does something in this process: not while it is frozen, and never once it is gone. */
  #run(act: () => void): void {
    if (this.isGone) return
    const frozenMs = this.#frozenUntil - this.#world.now
    if (frozenMs > 0) this.#world.after(frozenMs, () => this.#run(act))
    else act()
  }
}
