import type { StageError } from '@sluice/core'
import type { AnswerSize, DocumentMeter } from '../crossing/document-meter.ts'
import { carriedBytesMax, keyBytesMax, keysMax, type SandboxLimits, valuesMax } from '../sandbox-limits.ts'
import type { OutputRoom } from './batch-request.ts'
import { answerKind, wholeBatch } from './guest/prelude.ts'

/** Bytes counted for each value at least, because a small value costs the host more than its JSON text suggests. */
const bytesPerValue = 32
/** Bytes counted for each distinct key of a document, in addition to its length. */
const bytesPerKey = 128
/**
 * Longest list of answers. The answers of a longer one are taken one by one, so that the host never reads for more than
 * some ms.
 */
const listBytesMax = 512 * 1024
/**
 * Lists and single answers up to these lengths are measured only if a quick check says that they may exceed a limit.
 * Most may not.
 */
const unmeasuredListBytes = 96 * 1024
const unmeasuredBytes = 4 * 1024
/** Bytes that each event may return at least, however many events are in its batch. */
const shareBytesMin = 16 * 1024

/** Returns the room for the answers of a batch: half of it in equal shares for its events, the other half for all. */
export function outputRoom({ outputBytesPerBatch }: SandboxLimits, count: number): OutputRoom {
  const half = Math.floor(outputBytesPerBatch / 2)
  return { shareBytes: Math.max(shareBytesMin, Math.floor(half / count)), commonBytes: half }
}

/** Returns how much of the common room answers of this weight take. */
export function commonBytesOf(weight: number, eventCount: number, { shareBytes }: OutputRoom): number {
  return Math.max(0, weight - shareBytes * eventCount)
}

/**
 * An answer that may leave its thread, unchanged or without its log; or an error that says why it may not, with its
 * log.
 */
export type Admitted =
  | { readonly bytes: Uint8Array<ArrayBuffer>; readonly weight: number }
  | { readonly error: StageError; readonly log: Uint8Array<ArrayBuffer> | undefined }

/** Checks the answers of one batch against the limits, in the thread that runs user code. */
export class OutputGauge {
  readonly #meter: DocumentMeter
  readonly #limits: SandboxLimits
  readonly #room: OutputRoom
  readonly #count: number
  #commonBytes: number

  /** @param count events of the batch. */
  constructor(meter: DocumentMeter, limits: SandboxLimits, room: OutputRoom, count: number) {
    this.#meter = meter
    this.#limits = limits
    this.#room = room
    this.#count = count
    this.#commonBytes = room.commonBytes
  }

  /** Returns the weight of a list of answers; undefined when they must be taken one by one. */
  listWeight(bytes: Uint8Array, count: number): number | undefined {
    const roomBytes = Math.min(listBytesMax, this.#room.shareBytes * count)
    const carried = this.#carriedWeight(bytes)
    if (carried > roomBytes) return undefined
    const { outputBytesPerEvent } = this.#limits
    if (bytes.length <= unmeasuredListBytes && !this.#meter.mayExceed(bytes, outputBytesPerEvent)) return carried
    const sizes = this.#meter.answers(bytes)
    if (sizes === undefined || sizes.some((size) => this.#excessOf(size, 1) !== undefined)) return undefined
    const weight = sizes.reduce((sum, { outputs }) => sum + sizeWeight(outputs), 0)
    return weight > roomBytes ? undefined : Math.max(weight, carried)
  }

  /** Checks an answer of one event, or of the whole batch, and charges its weight to the room. */
  admit(bytes: Uint8Array<ArrayBuffer>, index: number): Admitted {
    const eventCount = index === wholeBatch ? this.#count : 1
    const carriedMax = carriedBytesMax(this.#jsonBytesMax(eventCount), this.#limits)
    if (bytes.length > carriedMax)
      return this.#refused(
        bytes,
        `the returned events take ${bytes.length} bytes with their buffers, at most ${carriedMax} are allowed`,
      )
    const keys = this.#meter.keyCount(bytes)
    if (keys > keysMax * eventCount)
      return this.#refused(
        bytes,
        `the returned events have ${keys} different keys, at most ${keysMax * eventCount} are allowed`,
      )
    const carried = this.#carriedWeight(bytes)
    const isShort = bytes.length <= unmeasuredBytes && carried <= this.#room.shareBytes
    if (isShort && !this.#meter.mayExceed(bytes, this.#limits.outputBytesPerEvent)) return { bytes, weight: carried }
    const size = this.#meter.answer(bytes)
    // The answer cannot be measured. The host notices this quickly and explains it.
    if (size === undefined) return this.#booked(bytes, carried, eventCount) ?? this.#refusedByRoom(bytes, carried)
    const excess = this.#excessOf(size, eventCount)
    if (excess !== undefined) return this.#refused(bytes, excess)
    const weight = Math.max(sizeWeight(size.outputs), carried)
    return this.#booked(bytes, weight, eventCount) ?? this.#bookedWithoutLog(bytes, size, weight, eventCount)
  }

  #bookedWithoutLog(
    bytes: Uint8Array<ArrayBuffer>,
    { outputs }: AnswerSize,
    weight: number,
    eventCount: number,
  ): Admitted {
    const short = this.#meter.withoutLog(bytes)
    const booked = short && this.#booked(short, Math.max(sizeWeight(outputs), this.#carriedWeight(short)), eventCount)
    return booked ?? this.#refusedByRoom(bytes, weight)
  }

  #booked(bytes: Uint8Array<ArrayBuffer>, weight: number, eventCount: number): Admitted | undefined {
    const commonBytes = commonBytesOf(weight, eventCount, this.#room)
    if (commonBytes > this.#commonBytes) return undefined
    this.#commonBytes -= commonBytes
    return { bytes, weight }
  }

  /** Returns a message about the limit that an answer exceeds; undefined when it exceeds none. */
  #excessOf({ kind, outputs, largest, keyBytes }: AnswerSize, eventCount: number): string | undefined {
    const jsonBytesMax = this.#jsonBytesMax(eventCount)
    if (kind !== answerKind.outputs) return undefined
    if (keyBytes > keyBytesMax * eventCount)
      return `the keys of the returned events take ${keyBytes} bytes, at most ${keyBytesMax * eventCount} are allowed`
    if (largest.values > valuesMax)
      return `a returned event holds ${largest.values} values, at most ${valuesMax} are allowed`
    if (outputs.values > valuesMax * eventCount)
      return `the returned events hold ${outputs.values} values, at most ${valuesMax * eventCount} are allowed`
    if (outputs.jsonBytes > jsonBytesMax)
      return `the returned events take ${outputs.jsonBytes} bytes of JSON text, at most ${jsonBytesMax} are allowed`
    if (largest.jsonBytes > this.#limits.outputBytesPerEvent)
      return `a returned event takes ${largest.jsonBytes} bytes of JSON text, at most ${this.#limits.outputBytesPerEvent} are allowed`
    return undefined
  }

  #jsonBytesMax(eventCount: number): number {
    return Math.min(this.#limits.outputBytesPerEvent * eventCount, this.#limits.outputBytesPerBatch)
  }

  /** Returns the weight of a document without looking at its values. */
  #carriedWeight(bytes: Uint8Array): number {
    return bytes.length + this.#meter.keyCount(bytes) * bytesPerKey
  }

  #refusedByRoom(bytes: Uint8Array, weight: number): Admitted {
    const { outputBytesPerBatch } = this.#limits
    return this.#refused(
      bytes,
      `the returned events take ${weight} bytes, and what the batch may return, ${outputBytesPerBatch} bytes, is used up; return less, or send smaller batches`,
    )
  }

  #refused(bytes: Uint8Array, message: string): Admitted {
    const log = this.#meter.logOnly(bytes, answerKind.logOnly)
    return {
      error: { code: 'transform.output', message },
      log: log !== undefined && log.length <= this.#room.shareBytes ? log : undefined,
    }
  }
}

const sizeWeight = ({ jsonBytes, values }: AnswerSize['outputs']): number => Math.max(jsonBytes, values * bytesPerValue)
