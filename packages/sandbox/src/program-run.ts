import { drop, type Event, fail, InvariantError, type Outcome, type StageError } from '@sluice/core'
import { BatchLog } from './batch/batch-log.ts'
import { type BatchOutcomes, toBatchOutcomes } from './batch/batch-outcomes.ts'
import type { OnEnter } from './batch/on-enter.ts'
import { outOfMemory } from './batch/run-failures.ts'
import { readTurns } from './clock/read-turns.ts'
import type { ModuleSet } from './code/module-set.ts'
import type { DocumentDecoder, DocumentEncoder } from './crossing/crossing.ts'
import { type GuestAnswer, readAnswer, readLog } from './guest-answer.ts'
import { type GuestInput, nothingReturned, type ProgramRun } from './program.ts'
import { answerDecodeLimits, type SandboxLimits } from './sandbox-limits.ts'
import {
  type BatchPart,
  type BatchReply,
  type BatchRequest,
  encodeBatch,
  type Isolation,
  type OutputRoom,
} from './vm/batch-request.ts'
import { wholeBatch } from './vm/guest/prelude.ts'
import type { EntryPoint } from './vm/load-modules.ts'
import { commonBytesOf, outputRoom } from './vm/output-gauge.ts'

/** Answers smaller than this in total are read in one go, without checking the time. */
const lightBytes = 16 * 1024

/** A loaded program: its source and what was found by loading it. */
export interface CompiledProgram {
  readonly modules: ModuleSet
  readonly entry: EntryPoint
  readonly usesMetadata: boolean
  /** Log of the top level. The log of each run begins with it. */
  readonly log: string
  /** True once its events returned something that can only be read event by event. */
  eager: boolean
}

/** Everything a run needs beside the program. */
export interface RunParts {
  readonly isolation: Isolation
  readonly limits: SandboxLimits
  readonly encoder: DocumentEncoder
  readonly decoder: DocumentDecoder
  /** Runs a batch on the machine; see batch/batch-run.ts. */
  execute(request: BatchRequest, signal: AbortSignal, onEnter: OnEnter): Promise<BatchReply>
  /** Called with the index of the event in `inputs`. */
  readonly onEnter?: OnEnter
}

/** Runs one batch: see Program.run. Encodes the events, has the batch executed and reads the answers. */
export function runProgram(
  inputs: readonly GuestInput[],
  signal: AbortSignal,
  program: CompiledProgram,
  parts: RunParts,
): Promise<ProgramRun> {
  return new ProgramRunner(inputs, signal, program, parts).run()
}

class ProgramRunner {
  readonly #inputs: readonly GuestInput[]
  readonly #signal: AbortSignal
  readonly #program: CompiledProgram
  readonly #parts: RunParts
  readonly #results: GuestAnswer['result'][]
  #whole: GuestAnswer['result']
  readonly #log: BatchLog
  #room: OutputRoom
  #spentMs = 0
  #bytes = 0

  constructor(inputs: readonly GuestInput[], signal: AbortSignal, program: CompiledProgram, parts: RunParts) {
    this.#inputs = inputs
    this.#signal = signal
    this.#program = program
    this.#parts = parts
    this.#results = inputs.map(() => undefined)
    this.#log = new BatchLog(parts.limits.logBytesPerBatch)
    this.#room = outputRoom(parts.limits, Math.max(1, inputs.length))
  }

  async run(): Promise<ProgramRun> {
    this.#signal.throwIfAborted()
    if (this.#inputs.length === 0) return { outcomes: [], log: [], bytes: 0 }
    this.#log.add(readLog(this.#program.log))
    let pending = this.#inputs.map((_, index) => index)
    // Events of a later attempt failed together with others, so each gets a document of its own.
    for (let attempt = 0; pending.length > 0; attempt += 1) {
      // Every attempt except a repeated one completes at least one event.
      if (attempt > this.#inputs.length + 1) throw new InvariantError('a batch does not end')
      pending = await this.#attempt(pending, attempt > 0)
    }
    const log = this.#log.lines
    // Whatever user code broke, there is one outcome per input.
    const silent: GuestAnswer['result'] = { error: unreadable(this.#program.entry, undefined) }
    if (this.#program.entry === 'transformEvent')
      return { outcomes: this.#results.map((result) => toOutcome(result ?? silent)), log, bytes: this.#bytes }
    return { ...this.#wholeOutcomes(), log, bytes: this.#bytes }
  }

  /** Runs these events and returns those that must run again. */
  async #attempt(pending: readonly number[], singly: boolean): Promise<number[]> {
    const { isolation, limits, encoder } = this.#parts
    const options = {
      isolation,
      singly,
      eager: singly || this.#program.eager,
      timeMs: Math.max(0, limits.batchTimeMs - this.#spentMs),
      room: this.#room,
      usesMetadata: this.#program.usesMetadata,
    }
    const inputs = pending.map((index) => this.#inputs[index] ?? missing())
    const { request, unsendable } = encodeBatch(encoder, inputs, options)
    if (unsendable.length > 0) {
      for (const { index, message } of unsendable) this.#results[pending[index] ?? -1] = { error: cannotCross(message) }
      const refused = new Set(unsendable.map(({ index }) => index))
      return pending.filter((_, place) => !refused.has(place))
    }
    const { execute, onEnter } = this.#parts
    const reply = await execute(request, this.#signal, (place) => onEnter?.(pending[place] ?? place))
    this.#spentMs += reply.spentMs
    const logBefore = this.#log.mark()
    const unread = await this.#read(reply, pending)
    if (unread.length > 0 && reply.hostCalls === 0 && !options.eager) {
      // No effect of the run is visible outside yet, so the whole batch runs again, with answers read one by one.
      for (const index of pending) this.#results[index] = undefined
      this.#whole = undefined
      this.#log.backTo(logBefore)
      this.#spentMs -= reply.spentMs
      return [...pending]
    }
    let taken = 0
    for (const { indexes, weight } of reply.parts) {
      this.#bytes += weight
      taken += commonBytesOf(weight, indexes.length, this.#room)
    }
    if (taken > 0) this.#room = { ...this.#room, commonBytes: Math.max(0, this.#room.commonBytes - taken) }
    for (const { index, error } of reply.failures) this.#fail(index, pending, error)
    return [...reply.again, ...unread].map((place) => pending[place] ?? missing()).sort((a, b) => a - b)
  }

  /** Reads all answers and returns the places of those to be repeated. Yields to other work when that takes long. */
  async #read({ parts, bytes }: BatchReply, pending: readonly number[]): Promise<readonly number[]> {
    const { decoder } = this.#parts
    const decodeLimits = answerDecodeLimits(this.#parts.limits)
    const unread: number[] = []
    const isLight = bytes.length + parts.reduce((sum, { weight }) => sum + weight, 0) <= lightBytes
    for (const part of parts) {
      if (part.indexes[0] === wholeBatch) {
        await this.#readWhole(bytes, part, pending)
        continue
      }
      const found: unknown[] = []
      let refused: string | undefined
      let isApart = true
      if (part.isList) {
        const take = (answer: unknown): void => {
          found.push(answer)
        }
        const list = decoder.decodeList(bytes, part.start, part.end, decodeLimits, take)
        refused = list.refused
        isApart = list.isApart
      } else {
        const decoded = decoder.decode(bytes, part.start, part.end, decodeLimits)
        if (decoded.ok) found.push(decoded.value)
        else refused = decoded.message
      }
      if (part.indexes.length > 1 && (refused !== undefined || !isApart || found.length !== part.indexes.length)) {
        this.#program.eager = true
        for (const index of part.indexes) unread.push(index)
        continue
      }
      for (let n = 0; n < part.indexes.length; n += 1) {
        if (!isLight && readTurns.isSpent()) await readTurns.next()
        this.#take(part.indexes[n] ?? missing(), pending, found[n], part, refused)
      }
    }
    decoder.release()
    return unread
  }

  /** An answer for the whole batch may be long, so it is read event by event. */
  async #readWhole(bytes: Uint8Array, part: BatchPart, pending: readonly number[]): Promise<void> {
    const list = this.#parts.decoder.openList(bytes, part.start, part.end, answerDecodeLimits(this.#parts.limits))
    const answer: unknown[] = []
    for (let element = list.next(); element !== undefined; element = list.next()) {
      answer.push(element.value)
      if (readTurns.isSpent()) await readTurns.next()
    }
    this.#take(wholeBatch, pending, list.refused === undefined ? answer : undefined, part, list.refused)
  }

  #take(
    index: number,
    pending: readonly number[],
    answer: unknown,
    { isFull }: BatchPart,
    refused: string | undefined,
  ): void {
    const read = readAnswer(answer, this.#program.modules)
    if (read === undefined) {
      this.#answer(index, pending, { error: unreadable(this.#program.entry, refused) })
      return
    }
    if (!this.#log.isFull) this.#log.add(readLog(read.log))
    if (read.result === undefined) return
    const exception = 'exception' in read.result ? read.result.exception : undefined
    // When no memory is left to create an error, the engine throws null.
    const isMemory = isFull && exception?.isNullish === true
    this.#answer(index, pending, isMemory ? { error: outOfMemory(this.#parts.limits) } : read.result)
  }

  /** Stores an answer of the guest. Even a broken guest may answer only pending events, and each only once. */
  #answer(place: number, pending: readonly number[], result: NonNullable<GuestAnswer['result']>): void {
    if (this.#program.entry === 'transformBatch') {
      if (place === wholeBatch) this.#whole ??= result
      return
    }
    const index = pending[place]
    if (index !== undefined) this.#results[index] ??= result
  }

  #fail(index: number, pending: readonly number[], error: StageError): void {
    if (index !== wholeBatch) this.#results[pending[index] ?? missing()] = { error }
    else if (this.#program.entry === 'transformBatch') this.#whole = { error }
    else for (const place of pending) this.#results[place] = { error }
  }

  #wholeOutcomes(): BatchOutcomes {
    const events = this.#inputs.map(({ event }) => event)
    const result = this.#whole
    if (result === undefined || 'error' in result) {
      const error = result?.error ?? unreadable('transformBatch', undefined)
      const outcomes = this.#results.map((own) => fail(own && 'error' in own ? own.error : error))
      return { outcomes, origins: new Map() }
    }
    return toBatchOutcomes(events, result.outputs)
  }
}

function toOutcome(result: NonNullable<GuestAnswer['result']>): Outcome<Event> {
  if ('error' in result) return fail(result.error)
  const items = result.outputs.filter((output) => output !== null)
  return items.length === 0 ? drop(nothingReturned) : { kind: 'pass', items }
}

function missing(): never {
  throw new InvariantError('an answer is for an event that is not pending')
}

function cannotCross(message: string): StageError {
  const isDeep = message.startsWith('nested')
  return isDeep
    ? { code: 'transform.stack', message: `RangeError: the event is ${message}` }
    : { code: 'transform.threw', message: `TypeError: ${message}` }
}

function unreadable(entry: EntryPoint, refused: string | undefined): StageError {
  const message = refused ?? `Error: the result of ${entry} could not be read; was a built-in overwritten?`
  return { code: 'transform.output', message }
}
