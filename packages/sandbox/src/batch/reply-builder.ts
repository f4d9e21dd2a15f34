import { InvariantError, type StageError } from '@sluice/core'
import { joinBytes } from '../crossing/join-bytes.ts'
import type { BatchPart, BatchReply } from '../vm/batch-request.ts'
import type { AnswerBytes } from '../vm/guest/guest-answers.ts'

/** Collects the results of a batch. */
export class ReplyBuilder {
  readonly #parts: BatchPart[] = []
  readonly #failures: { index: number; error: StageError }[] = []
  readonly #again: number[] = []
  readonly #answers: Uint8Array<ArrayBuffer>[] = []
  #length = 0

  add({ indexes, isList, bytes, weight }: AnswerBytes, isFull: boolean): void {
    const start = this.#length
    this.#length += bytes.length
    this.#answers.push(bytes)
    this.#parts.push({ indexes, isList, start, end: this.#length, isFull, weight })
  }

  fail(index: number, error: StageError | undefined): void {
    if (error === undefined) throw new InvariantError('an event cannot fail without an error')
    this.#failures.push({ index, error })
  }

  /** Marks the event to be run again. */
  again(index: number): void {
    this.#again.push(index)
  }

  build(spent: Pick<BatchReply, 'spentMs' | 'hostCalls'>): BatchReply {
    return {
      bytes: joinBytes(this.#answers),
      parts: this.#parts,
      failures: this.#failures,
      again: this.#again,
      ...spent,
    }
  }
}
