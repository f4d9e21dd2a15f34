/** Job of a worker in which no user code runs. */
export const noJob = 0

/** What became of a job that was sent to a worker. */
const state = { sent: 0, begun: 1, recalled: 2 } as const

/** Words before the places of the jobs: the job that runs, its event, the beats. */
const headWords = 3

/**
 * What the main thread sees of a worker that does not answer, in memory that both share: which event of which job runs,
 * whether the worker's event loop turns, and which jobs have begun. The worker writes it, the guest cannot.
 *
 * A job that has not begun can be recalled, and either side learns at once who was first: so what waits behind a job that
 * takes long is done elsewhere, and is never done twice.
 */
export class Progress {
  readonly #words: Int32Array

  constructor(buffer: SharedArrayBuffer) {
    this.#words = new Int32Array(buffer)
  }

  /** @param places how many jobs the worker may have at a time. */
  static newBuffer(places: number): SharedArrayBuffer {
    return new SharedArrayBuffer((headWords + places) * Int32Array.BYTES_PER_ELEMENT)
  }

  /** Code of this event of this job begins to run, or continues. A plain write: it happens once per event. */
  enter(job: number, index: number): void {
    this.#words[0] = job
    this.#words[1] = index
  }

  /** User code has returned: what is to be done next waits for the host. */
  leave(): void {
    this.#words[0] = noJob
  }

  /** The worker's event loop has had a turn: no guest is holding it. */
  beat(): void {
    this.#words[2] = ((this.#words[2] ?? 0) + 1) | 0
  }

  /** Main thread: a job is about to be sent that has this place until it is answered. */
  send(place: number): void {
    Atomics.store(this.#words, headWords + place, state.sent)
  }

  /** Worker: the job begins. @returns false when it was recalled. */
  begin(place: number): boolean {
    return Atomics.compareExchange(this.#words, headWords + place, state.sent, state.begun) === state.sent
  }

  /** Main thread: takes a job back. @returns false when it has begun. */
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
