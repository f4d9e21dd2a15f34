/**
 * The database server that this process works with. Another one that takes its place (a standby, a backup) may lack what
 * the first had acknowledged, so nothing runs on it before `accept`: not a statement, not even a read.
 */
export class ServedServer {
  #accepted: string | undefined
  #found: string | undefined
  #accepts = 0
  #onReplaced: () => void = () => {}

  /** @param onReplaced called when another server was found, before anything has run on it. */
  watch(onReplaced: () => void): void {
    this.#onReplaced = onReplaced
  }

  /** A new connection leads to this server. The first one is accepted. */
  found(server: string): void {
    this.#accepted ??= server
    if (server === this.#accepted) return
    this.#found = server
    this.#onReplaced()
  }

  /** How often another server was accepted. What began to wait for a connection before that was meant for the one before. */
  get accepts(): number {
    return this.#accepts
  }

  /** Whether statements may run on a connection to this server. */
  admits(server: string): boolean {
    return this.#found === undefined && server === this.#accepted
  }

  /** Whether another server was found, which was not accepted yet. */
  get isReplaced(): boolean {
    return this.#found !== undefined
  }

  /** From now on, statements run on the server that was found last, and not on the one before. */
  accept(): void {
    if (this.#found !== undefined) this.#accepts += 1
    this.#accepted = this.#found ?? this.#accepted
    this.#found = undefined
  }
}
