import { utf8Length } from '@sluice/core/bytes'

/** Bytes counted per line beside its text. */
const lineBytes = 16
const cutLine = '[log limit reached]'

/** Collects the lines that user code logs in one batch, up to a limit. */
export class BatchLog {
  readonly #lines: string[] = []
  #bytesLeft: number

  constructor(bytesMax: number) {
    this.#bytesLeft = bytesMax
  }

  get lines(): readonly string[] {
    return this.#lines
  }

  get isFull(): boolean {
    return this.#bytesLeft <= 0
  }

  /** Adds lines. The first line beyond the limit is replaced by a notice, the others are dropped. */
  add(lines: readonly string[]): void {
    for (const line of lines) {
      if (this.#bytesLeft <= 0) return
      this.#bytesLeft -= utf8Length(line) + lineBytes
      this.#lines.push(this.#bytesLeft < 0 ? cutLine : line)
    }
  }

  /** Returns the current position, so that later lines can be discarded. */
  mark(): LogMark {
    return { length: this.#lines.length, bytesLeft: this.#bytesLeft }
  }

  backTo({ length, bytesLeft }: LogMark): void {
    this.#lines.length = length
    this.#bytesLeft = bytesLeft
  }
}

interface LogMark {
  readonly length: number
  readonly bytesLeft: number
}
