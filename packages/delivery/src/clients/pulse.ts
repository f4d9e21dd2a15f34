export interface PulseOptions {
  /** How often the other process is asked whether it still runs, in milliseconds. */
  readonly askEveryMs: number
  /** How long it may say nothing, in milliseconds. */
  readonly silentMaxMs: number
  /** Asks the other process. */
  ask(): void
  /** Called when it has said nothing for too long. */
  onSilent(reason: string): void
}

/** Notices that another process does not answer while it has work: code that never returns answers nothing else either. */
export class Pulse {
  readonly #options: PulseOptions
  #heardAt = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: PulseOptions) {
    this.#options = options
  }

  /** To be called with every message of the other process. */
  heard(): void {
    this.#heardAt = performance.now()
  }

  /** Begins, unless it has begun. */
  start(): void {
    if (this.#timer !== undefined) return
    this.heard()
    this.#timer = setInterval(() => this.#look(), this.#options.askEveryMs).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    const { silentMaxMs, ask, onSilent } = this.#options
    if (performance.now() - this.#heardAt > silentMaxMs) onSilent(`it did not answer for ${silentMaxMs} ms`)
    else ask()
  }
}
