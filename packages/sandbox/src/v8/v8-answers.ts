import type { StageError } from '@sluice/core'
import type { DocumentDecoder } from '../crossing/crossing.ts'
import { Decoder } from '../crossing/decoder.ts'
import { EncodeError, Encoder, TooLargeError } from '../crossing/encoder.ts'
import { carriedBytesMax, type SandboxLimits } from '../sandbox-limits.ts'
import type { AnswerBytes, Taken, Taking } from '../vm/guest/guest-answers.ts'
import { wholeBatch } from '../vm/guest/prelude.ts'
import type { OutputGauge } from '../vm/output-gauge.ts'
import { familiarAnswer } from './familiar-answer.ts'
import type { Answer, RealmPrelude } from './realm.ts'

/** Length from which a list of answers is ended and the next one begun. */
const listBytes = 192 * 1024
/** Limits for reading a list of ours again. */
const listLimits = { depthMax: 2_000, valuesMax: 10_000_000, charsMax: 256 * 1024 * 1024 }

interface EncodedList {
  readonly indexes: readonly number[]
  readonly bytes: Uint8Array<ArrayBuffer>
}

/**
 * The answers of a batch. Each is encoded as soon as its event has it, because later events may change what it holds.
 */
export class V8Answers {
  readonly #encoder: Encoder
  readonly #single: Encoder
  readonly #whole: Encoder
  readonly #decoder: DocumentDecoder = new Decoder()
  readonly #limits: SandboxLimits
  #indexes: number[] = []
  /** Events whose answers are in the list that is being written. */
  #open: number[] = []
  #lists: EncodedList[] = []
  #failures: { readonly index: number; readonly error: StageError | undefined }[] = []

  constructor(limits: SandboxLimits) {
    this.#limits = limits
    const eventBytes = carriedBytesMax(limits.outputBytesPerEvent, limits)
    this.#encoder = new Encoder(listBytes + eventBytes)
    this.#single = new Encoder(eventBytes)
    this.#whole = new Encoder(carriedBytesMax(limits.outputBytesPerBatch, limits))
  }

  /** Indexes of the events whose answers are held. */
  get indexes(): readonly number[] {
    return this.#indexes
  }

  forget(): void {
    this.#indexes = []
    this.#lists = []
    this.#failures = []
    this.#endList()
    this.#lists = []
  }

  /** Encodes the answer of an event. Reading it may run code of the program. */
  add(index: number, answer: Answer, prelude: RealmPrelude): void {
    this.#indexes.push(index)
    familiarAnswer(answer)
    if (index === wholeBatch) {
      this.#addWhole(answer, prelude)
      return
    }
    if (this.#open.length === 0) this.#encoder.beginList()
    this.#open.push(index)
    const error = this.#element(answer)
    if (error !== undefined && !(error instanceof TooLargeError)) {
      this.#encoder.dropElement()
      this.#failed(this.#element(familiarAnswer(prelude.normalisedAnswer(answer))), index)
    } else this.#failed(error, index)
    if (this.#encoder.listBytes > listBytes) this.#endList()
  }

  /** Takes the held answers: in lists, or one by one if requested or if a list would be large. */
  take({ singly, gauge, refused, unread }: Taking): Taken {
    this.#endList()
    const answers: AnswerBytes[] = []
    const failed = new Map(this.#failures.map(({ index, error }) => [index, error]))
    const admit = (index: number, bytes: Uint8Array<ArrayBuffer>): void => {
      const admitted = gauge.admit(bytes, index)
      if ('bytes' in admitted) answers.push({ indexes: [index], isList: false, ...admitted })
      else {
        if (admitted.log)
          answers.push({ indexes: [index], isList: false, bytes: admitted.log, weight: admitted.log.length })
        refused(index, admitted.error)
      }
    }
    for (const { indexes, bytes } of this.#lists) {
      if (indexes[0] === wholeBatch) {
        admit(wholeBatch, bytes)
        continue
      }
      const weight = singly || failed.size > 0 ? undefined : gauge.listWeight(bytes, indexes.length)
      if (weight !== undefined) answers.push({ indexes, isList: true, bytes, weight })
      else for (const [index, own] of this.#split(indexes, bytes)) if (!failed.has(index)) admit(index, own)
    }
    for (const [index, error] of failed)
      if (error) refused(index, error)
      else unread(index)
    this.forget()
    return { answers, isShort: false }
  }

  /** Takes what was logged since the last answer. */
  takeLog(index: number, log: Answer, gauge: OutputGauge): AnswerBytes | undefined {
    this.#single.append(log)
    const admitted = gauge.admit(this.#single.take(), index)
    return 'bytes' in admitted ? { indexes: [index], isList: false, ...admitted } : undefined
  }

  /** Returns why an answer could not be encoded; it is then null in the list. */
  #element(answer: Answer): unknown {
    try {
      return this.#encoder.element(answer)
    } catch (thrown) {
      return thrown ?? new EncodeError('threw nothing')
    }
  }

  #failed(error: unknown, index: number): void {
    if (error === undefined) return
    const message = `the returned events take more than ${this.#limits.outputBytesPerEvent} bytes of JSON text`
    this.#failures.push({
      index,
      error: error instanceof TooLargeError ? { code: 'transform.output', message } : undefined,
    })
  }

  #addWhole(answer: Answer, prelude: RealmPrelude): void {
    const bytes = this.#wholeBytes(answer) ?? this.#wholeBytes(familiarAnswer(prelude.normalisedAnswer(answer)))
    if (bytes) this.#lists.push({ indexes: [wholeBatch], bytes })
    else this.#failures.push({ index: wholeBatch, error: undefined })
  }

  #wholeBytes(answer: Answer): Uint8Array<ArrayBuffer> | undefined {
    try {
      this.#whole.append(answer)
      return this.#whole.take()
    } catch (thrown) {
      if (!(thrown instanceof TooLargeError)) return undefined
      const { outputBytesPerBatch } = this.#limits
      const message = `the returned events take more than ${outputBytesPerBatch} bytes of JSON text`
      this.#whole.append([answer[0], answer[1], 1, 'refused', false, false, '', message, ''])
      return this.#whole.take()
    }
  }

  #endList(): void {
    if (this.#open.length === 0) return
    this.#encoder.endList()
    this.#lists.push({ indexes: this.#open, bytes: this.#encoder.take() })
    this.#open = []
  }

  /** Writes the answers of a list one by one. */
  *#split(indexes: readonly number[], bytes: Uint8Array): Generator<readonly [number, Uint8Array<ArrayBuffer>]> {
    const decoded = this.#decoder.decode(bytes, 0, bytes.length, listLimits)
    const list = decoded.ok && Array.isArray(decoded.value) ? decoded.value : []
    for (const [place, index] of indexes.entries()) {
      this.#single.append(list[place])
      yield [index, this.#single.take()]
    }
  }
}
