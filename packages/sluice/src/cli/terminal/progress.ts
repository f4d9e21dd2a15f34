/** Shows the progress of long work: on a terminal in one line that is overwritten, elsewhere a line once a second. */
export class Progress {
  readonly #stream: NodeJS.WriteStream
  #shownAt = Number.NEGATIVE_INFINITY
  #shown = ''

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream
  }

  update(text: string): void {
    const intervalMs = this.#stream.isTTY ? 100 : 1_000
    if (performance.now() - this.#shownAt < intervalMs) return
    this.#write(text)
  }

  /** Prints a line of its own; the progress continues below it. */
  note(text: string): void {
    this.#stream.write(`${this.#stream.isTTY && this.#shown !== '' ? '\r\x1b[2K' : ''}${text}\n`)
    this.#shown = ''
    this.#shownAt = Number.NEGATIVE_INFINITY
  }

  /** Shows the last state, without regard to the interval. */
  done(text: string): void {
    this.#write(text)
    if (this.#stream.isTTY) this.#stream.write('\n')
  }

  /** Removes the line from a terminal, where a result takes its place. */
  clear(): void {
    if (this.#stream.isTTY && this.#shown !== '') this.#stream.write('\r\x1b[2K')
    this.#shown = ''
  }

  #write(text: string): void {
    if (text === this.#shown) return
    this.#shown = text
    this.#shownAt = performance.now()
    this.#stream.write(this.#stream.isTTY ? `\r\x1b[2K${text}` : `${text}\n`)
  }
}
