/** Properties of a job that decide which other jobs may share its thread. */
interface LoadingJob {
  readonly owner: string
  /** Whether it needs a thread of its own: its program ended one, or the job itself has lost a shared thread. */
  readonly isAlone: boolean
}

/** State of a thread at one moment. */
interface ThreadState {
  /** Whether the owner of the job is heavy; see OwnerHistory. */
  readonly isHeavy: boolean
  /** Whether user code has blocked the thread for a while, and may continue to do so. */
  readonly isStalled: boolean
  /** Whether no user code runs, because all jobs wait for the host. */
  readonly isWaiting: boolean
}

/**
 * Number of light jobs per machine that are sent to a thread when all are of one owner. One runs while the next is
 * ready.
 */
const sentPerMachine = 2

/** The jobs of one thread, counted by owner. Decides which jobs may be added. */
export class ThreadLoad {
  readonly #machines: number
  readonly #heldBy = new Map<string, number>()
  #jobs = 0
  #isAlone = false
  #isHeavy = false

  constructor(machines: number) {
    this.#machines = machines
  }

  get jobs(): number {
    return this.#jobs
  }

  /** Whether its only job needs the thread for itself. */
  get isAlone(): boolean {
    return this.#isAlone
  }

  isHeldBy(owner: string): boolean {
    return this.#heldBy.has(owner)
  }

  add({ owner, isAlone }: LoadingJob, isHeavy: boolean): void {
    this.#heldBy.set(owner, (this.#heldBy.get(owner) ?? 0) + 1)
    this.#jobs += 1
    this.#isAlone ||= isAlone
    this.#isHeavy ||= isHeavy
  }

  remove({ owner }: LoadingJob): void {
    const left = (this.#heldBy.get(owner) ?? 0) - 1
    if (left > 0) this.#heldBy.set(owner, left)
    else this.#heldBy.delete(owner)
    this.#jobs -= 1
    if (this.#jobs > 0) return
    this.#isAlone = false
    this.#isHeavy = false
  }

  /**
   * Returns whether a job may be added. A thread shared by several owners has only light jobs, one per machine, so that
   * each starts immediately. A second heavy job of an owner is added only while the earlier ones wait for the host.
   */
  mayTake({ owner, isAlone }: LoadingJob, { isHeavy, isStalled, isWaiting }: ThreadState): boolean {
    if (this.#jobs === 0) return true
    if (isAlone || this.#isAlone) return false
    if (this.#heldBy.size === 1 && this.#heldBy.has(owner))
      return isHeavy ? isWaiting && this.#jobs < this.#machines : this.#jobs < this.#machines * sentPerMachine
    return !isHeavy && !this.#isHeavy && !isStalled && this.#jobs < this.#machines
  }
}
