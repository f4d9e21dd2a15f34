/** The current job while no user code runs. */
export const noJob = 0

/** State of a job that was sent to a worker. */
const state = { sent: 0, begun: 1, recalled: 2 } as const

/** Number of words before the slots of the jobs: current job, its event, number of beats. */
const headWords = 3

/**
 * State of a worker in memory shared with the main thread, which can read it even when the worker does not respond: the
 * job and event that run, whether the worker's event loop turns, and which jobs have started. Guest code cannot write
 * it.
 *
 * A job that has not started can be recalled, and both threads know immediately whether the start or the recall came
 * first. So jobs that wait behind a long job can run in another thread, and never run twice.
 */
export class WorkerProgress {
  readonly #words: Int32Array

  constructor(buffer: SharedArrayBuffer) {
    this.#words = new Int32Array(buffer)
  }

  /** @param places largest number of jobs that the worker may have at a time. */
  static newBuffer(places: number): SharedArrayBuffer {
    return new SharedArrayBuffer((headWords + places) * Int32Array.BYTES_PER_ELEMENT)
  }

  /**
   * Records that code of this event of this job starts or continues. Writes without `Atomics`, which would take longer,
   * because it is called for every event.
   */
  enter(job: number, index: number): void {
    this.#words[0] = job
    this.#words[1] = index
  }

  /** Records that user code has returned and the job waits for the host. */
  leave(): void {
    this.#words[0] = noJob
  }

  /** Records a turn of the worker's event loop: no guest is blocking it. */
  beat(): void {
    this.#words[2] = ((this.#words[2] ?? 0) + 1) | 0
  }

  /** Main thread: prepares a slot for a job before the job is sent. The job keeps it until it is answered. */
  send(place: number): void {
    Atomics.store(this.#words, headWords + place, state.sent)
  }

  /** Worker: starts the job. @returns false when it was recalled. */
  begin(place: number): boolean {
    return Atomics.compareExchange(this.#words, headWords + place, state.sent, state.begun) === state.sent
  }

  /** Main thread: recalls a job. @returns false when it has started. */
  recall(place: number): boolean {
    return Atomics.compareExchange(this.#words, headWords + place, state.sent, state.recalled) === state.sent
  }

  hasBegun(place: number): boolean {
    return Atomics.load(this.#words, headWords + place) === state.begun
  }

  get job(): number {
    return Atomics.load(this.#words, 0)
  }

  get index(): number {
    return Atomics.load(this.#words, 1)
  }

  get beats(): number {
    return Atomics.load(this.#words, 2)
  }
}
