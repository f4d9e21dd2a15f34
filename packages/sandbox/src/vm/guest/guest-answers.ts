import type { StageError } from '@sluice/core'
import type { QuickJSHandle } from 'quickjs-emscripten-core'
import type { OutputGauge } from '../output-gauge.ts'
import { type Guest, UnreadableError } from './guest.ts'
import { wholeBatch } from './prelude.ts'

/** One encoded answer (see guest/guest-prelude.js), or a list of them. */
export interface AnswerBytes {
  readonly indexes: readonly number[]
  readonly isList: boolean
  readonly bytes: Uint8Array<ArrayBuffer>
  /** See OutputGauge. */
  readonly weight: number
}

/** Options for taking answers. */
export interface Taking {
  /** Whether answers are taken one by one instead of in a list. */
  readonly singly: boolean
  /** Time limit for each answer that must be converted to JSON text first. */
  readonly timeMs: number
  readonly gauge: OutputGauge
  /** Called for an answer that cannot be read. */
  unread(index: number): void
  /** Called for an answer that exceeds a limit. */
  refused(index: number, error: StageError): void
}

export interface Taken {
  /** Undefined when the answers are lost. */
  readonly answers: readonly AnswerBytes[] | undefined
  /** Whether memory was too short to read them. Anything read then is unreliable, including answers of other events. */
  readonly isShort: boolean
}

/** Time limit for taking held answers from a guest that has used up its own time. */
export const graceMs = 50
/**
 * Length of the encoded value that `nextAlone` returns when the answer will follow later. A real answer is a list of at
 * least three values, which is longer.
 */
const noAnswerBytes = 5

/** The answers that the prelude holds until the host takes them. */
export class GuestAnswers {
  readonly #guest: Guest
  #indexes: number[] = []
  /** Indexes of the events whose promises are pending, so that their answers will follow. */
  readonly #awaited = new Set<number>()
  /** The encoded answer of the last event if it was already taken. `bytes` is undefined when it could not be read. */
  #alone:
    | { readonly index: number; readonly bytes: Uint8Array<ArrayBuffer> | undefined; readonly isShort: boolean }
    | undefined

  constructor(guest: Guest) {
    this.#guest = guest
  }

  /** Indexes of the events whose answers are held. */
  get indexes(): readonly number[] {
    return this.#indexes
  }

  /** Discards held and expected answers. */
  forget(): void {
    this.#drop()
    this.#awaited.clear()
  }

  /** Records that the answer of this event will follow later. */
  expect(index: number): void {
    this.#awaited.add(index)
  }

  /** Ignores any later answer of this event. */
  giveUp(index: number): void {
    this.#awaited.delete(index)
  }

  /** Records that the prelude now holds the answer of this event, as the last in its list. */
  add(index: number): void {
    this.#indexes.push(index)
  }

  /**
   * Takes the result of `nextAlone`: the answer of an event, or the announcement of a later one. Converts it to JSON
   * text first, within `timeMs`, if necessary.
   */
  takeAlone(index: number, answer: QuickJSHandle, timeMs: number): void {
    const guest = this.#guest
    const isComplete = !guest.interrupted
    const refusals = guest.engine.refusals()
    const bytes = guest.aside(
      () => guest.toBytes(answer) ?? (isComplete ? this.#normalisedBytes(answer, timeMs) : undefined),
    )
    const isShort = guest.engine.refusals() > refusals
    if (guest.frees) answer.dispose()
    if (bytes && bytes.length <= noAnswerBytes && !isShort) return
    this.#awaited.delete(index)
    this.#indexes.push(index)
    this.#alone = { index, bytes, isShort }
  }

  /**
   * Records answers of other events that microtasks may have completed. The guest is not trusted. @throws
   * UnreadableError, for `contain`, when it claims an answer of an event that has no pending promise.
   */
  note(): void {
    const { context, prelude } = this.#guest
    const ask = (target: QuickJSHandle, ...values: QuickJSHandle[]): number | undefined =>
      this.#guest.call(target, values)?.consume((handle) => context.getNumber(handle))
    const count = ask(prelude.heldNow) ?? 0
    for (let n = this.#indexes.length; n < count; n += 1) {
      const index = context.newNumber(n).consume((place) => ask(prelude.heldIndex, place))
      // After an interruption the guest must not be called again.
      if (index === undefined) return
      if (!this.#awaited.delete(index)) throw new UnreadableError()
      this.#indexes.push(index)
    }
  }

  /**
   * Takes the held answers: in one list, or one by one if requested or if the list would be large. Answers that cannot
   * be encoded directly are converted to JSON text first.
   */
  take(taking: Taking): Taken {
    const alone = this.#alone
    const indexes = alone ? this.#indexes.slice(0, -1) : this.#indexes
    this.#drop()
    const answers: AnswerBytes[] = []
    if (alone?.isShort) return { answers: undefined, isShort: true }
    if (alone?.bytes) admit(answers, alone.index, alone.bytes, taking)
    else if (alone) taking.unread(alone.index)
    if (indexes.length === 0) return { answers, isShort: false }
    const guest = this.#guest
    const refusals = guest.engine.refusals()
    let taken: AnswerBytes[] | undefined
    const ended = guest.contain(graceMs, () => {
      const list = guest.call(guest.prelude.take)
      if (list === undefined) return
      // The single answer for a whole batch may be long, so it is read with the limits of single answers.
      const asList = indexes.length > 1 ? !taking.singly : indexes[0] !== wholeBatch
      const bytes = asList ? guest.toBytes(list) : undefined
      const weight = bytes && taking.gauge.listWeight(bytes, indexes.length)
      const isList = bytes !== undefined && weight !== undefined
      taken = isList ? [{ indexes, isList, bytes, weight }] : this.#singly(list, indexes, taking)
      if (guest.frees) list.dispose()
    })
    const isShort = guest.engine.refusals() > refusals
    if (isShort || ended === 'failed' || taken === undefined) return { answers: undefined, isShort }
    return { answers: taken.concat(answers), isShort }
  }

  /** Takes what was logged since the last answer. */
  takeLog(index: number, gauge: OutputGauge): AnswerBytes | undefined {
    const guest = this.#guest
    let bytes: Uint8Array<ArrayBuffer> | undefined
    const refusals = guest.engine.refusals()
    guest.contain(graceMs, () => {
      const number = guest.context.newNumber(index)
      const log = guest.call(guest.prelude.takeLog, [number])
      bytes = log && guest.toBytes(log)
      for (const handle of [number, log]) handle?.dispose()
    })
    const admitted = bytes && guest.engine.refusals() === refusals ? gauge.admit(bytes, index) : undefined
    return admitted && 'bytes' in admitted ? { indexes: [index], isList: false, ...admitted } : undefined
  }

  #drop(): void {
    this.#indexes = []
    this.#alone = undefined
  }

  #singly(list: QuickJSHandle, indexes: readonly number[], taking: Taking): AnswerBytes[] {
    const guest = this.#guest
    const taken: AnswerBytes[] = []
    indexes.forEach((index, place) => {
      const answer = guest.context.getProp(list, place)
      const bytes = guest.aside(() => guest.toBytes(answer) ?? this.#normalisedBytes(answer, taking.timeMs))
      answer.dispose()
      if (bytes === undefined) taking.unread(index)
      else admit(taken, index, bytes, taking)
    })
    return taken
  }

  #normalisedBytes(answer: QuickJSHandle, timeMs: number): Uint8Array<ArrayBuffer> | undefined {
    const guest = this.#guest
    guest.allow(timeMs)
    const { context, prelude } = guest
    const plain = context.callFunction(prelude.normalisedAnswer, context.undefined, answer)
    const bytes = plain.error ? undefined : guest.toBytes(plain.value)
    plain.dispose()
    return bytes
  }
}

/** Adds the answer of one event if it is within the limits; otherwise adds only its log. */
function admit(
  answers: AnswerBytes[],
  index: number,
  bytes: Uint8Array<ArrayBuffer>,
  { gauge, refused }: Taking,
): void {
  const admitted = gauge.admit(bytes, index)
  if ('bytes' in admitted)
    answers.push({ indexes: [index], isList: false, bytes: admitted.bytes, weight: admitted.weight })
  else {
    const { error, log } = admitted
    if (log) answers.push({ indexes: [index], isList: false, bytes: log, weight: log.length })
    refused(index, error)
  }
}
