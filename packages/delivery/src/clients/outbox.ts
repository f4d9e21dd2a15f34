/**
 * Sends messages to another process together: those of one turn of the event loop as one list, in their order. Each send
 * costs a write and a wake-up of the other process.
 */
export class Outbox<Message> {
  readonly #send: (messages: readonly Message[]) => void
  #waiting: Message[] = []

  constructor(send: (messages: readonly Message[]) => void) {
    this.#send = send
  }

  post(message: Message): void {
    this.#waiting.push(message)
    if (this.#waiting.length === 1) setImmediate(() => this.flush())
  }

  /** Sends what waits, now. */
  flush(): void {
    const waiting = this.#waiting
    this.#waiting = []
    if (waiting.length > 0) this.#send(waiting)
  }
}
