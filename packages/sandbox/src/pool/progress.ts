/** Index of what runs when it is not an event of a batch: -1 is a call for the whole batch. */
export const loading = -2

/**
 * What the main thread sees of a worker that does not answer: three words of shared memory. The worker writes them, the
 * guest cannot.
 */
export class Progress {
  readonly #words: Int32Array

  constructor(buffer: SharedArrayBuffer) {
    this.#words = new Int32Array(buffer)
  }

  static newBuffer(): SharedArrayBuffer {
    return new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT)
  }

  /** Code of this event of this job begins to run, or goes on. A plain write: it happens once per event. */
  enter(job: number, index: number): void {
    this.#words[0] = job
    this.#words[1] = index
  }

  /** The worker's event loop has had a turn: no guest is holding it. */
  beat(): void {
    this.#words[2] = ((this.#words[2] ?? 0) + 1) | 0
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
