/** What has to be known of a job to say with which others it may share a thread. */
export interface LoadingJob {
  readonly owner: string
  /** It has its thread for itself: its program ended one before, or it lost one with others on it. */
  readonly isAlone: boolean
}

/** Of a thread at a moment. */
export interface ThreadState {
  /** Whether the owner of the job is heavy; see Conduct. */
  readonly isHeavy: boolean
  /** User code has held the thread for a while, and nobody knows for how long it will. */
  readonly isStalled: boolean
  /** No user code runs: all jobs wait for the host. */
  readonly isWaiting: boolean
}

/** A thread is sent as many light jobs of one owner as this times its machines, so that it does not wait for its next one. */
const sentPerMachine = 2

/** The jobs of one thread, by owner, and which other job may join them. */
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

  /** Whether its job has the thread for itself. */
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
   * A thread that several owners share has light jobs only, one per machine, so that each begins at once. Heavy jobs of
   * one owner are sent one by one, unless those before wait for the host.
   */
  mayTake({ owner, isAlone }: LoadingJob, { isHeavy, isStalled, isWaiting }: ThreadState): boolean {
    if (this.#jobs === 0) return true
    if (isAlone || this.#isAlone) return false
    if (this.#heldBy.size === 1 && this.#heldBy.has(owner))
      return isHeavy ? isWaiting && this.#jobs < this.#machines : this.#jobs < this.#machines * sentPerMachine
    return !isHeavy && !this.#isHeavy && !isStalled && this.#jobs < this.#machines
  }
}
