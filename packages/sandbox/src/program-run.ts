import { drop, type Event, fail, InvariantError, type Outcome, type StageError } from '@sluice/core'
import { toBatchOutcomes } from './batch-outcomes.ts'
import type { DocumentDecoder, DocumentEncoder } from './crossing/crossing.ts'
import { type GuestAnswer, readAnswer, readLog } from './guest-answer.ts'
import type { ModuleSet } from './module-set.ts'
import { type GuestInput, nothingReturned, type ProgramRun } from './program.ts'
import { answerDecodeLimits, type SandboxLimits } from './sandbox-limits.ts'
import { type BatchPart, type BatchReply, type BatchRequest, encodeBatch, type Isolation } from './vm/batch-message.ts'
import { wholeBatch } from './vm/guest-prelude.ts'
import type { EntryPoint } from './vm/load-modules.ts'
import { tooMuchMemory } from './vm/machine.ts'

/** A program as callers keep it: what its code is, and what was learnt about it. */
export interface CompiledProgram {
  readonly modules: ModuleSet
  readonly entry: EntryPoint
  readonly usesMetadata: boolean
  /** What the top level logged; each run begins with it. */
  readonly log: string
  /** Set once its events returned something that can only be read event by event. */
  eager: boolean
}

/** What one run needs beside the program. */
export interface RunParts {
  readonly isolation: Isolation
  readonly limits: SandboxLimits
  readonly encoder: DocumentEncoder
  readonly decoder: DocumentDecoder
  /** Runs a batch where the machine is; see vm/batch-run.ts. */
  execute(request: BatchRequest, signal: AbortSignal): Promise<BatchReply>
}

/** Runs one batch: see Program.run. Writes the events, has the batch executed, reads the answers. */
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
  #log: string[] = []
  #spentMs = 0

  constructor(inputs: readonly GuestInput[], signal: AbortSignal, program: CompiledProgram, parts: RunParts) {
    this.#inputs = inputs
    this.#signal = signal
    this.#program = program
    this.#parts = parts
    this.#results = inputs.map(() => undefined)
  }

  async run(): Promise<ProgramRun> {
    this.#signal.throwIfAborted()
    if (this.#inputs.length === 0) return { outcomes: [], log: [] }
    let pending = this.#inputs.map((_, index) => index)
    // Events of a later round failed with others, so each gets a document of its own.
    for (let round = 0; pending.length > 0; round += 1) {
      // Every round but a repeated one leaves at least one event behind.
      if (round > this.#inputs.length + 1) throw new InvariantError('a batch does not come to an end')
      pending = await this.#round(pending, round > 0)
    }
    const log = [...readLog(this.#program.log), ...this.#log]
    // Whatever user code broke, there is one outcome per input.
    const silent: GuestAnswer['result'] = { error: unreadable(this.#program.entry, undefined) }
    if (this.#program.entry === 'transformEvent')
      return { outcomes: this.#results.map((result) => toOutcome(result ?? silent)), log }
    return { outcomes: this.#wholeOutcomes(), log }
  }

  /** Runs these events and gives those that must be run again. */
  async #round(pending: readonly number[], singly: boolean): Promise<number[]> {
    const { isolation, limits, encoder } = this.#parts
    const options = {
      isolation,
      singly,
      eager: singly || this.#program.eager,
      timeMs: Math.max(0, limits.batchTimeMs - this.#spentMs),
      usesMetadata: this.#program.usesMetadata,
    }
    const inputs = pending.map((index) => this.#inputs[index] ?? missing())
    const { request, unsendable } = encodeBatch(encoder, inputs, options)
    if (unsendable.length > 0) {
      for (const { index, message } of unsendable) this.#results[pending[index] ?? -1] = { error: cannotCross(message) }
      const refused = new Set(unsendable.map(({ index }) => index))
      return pending.filter((_, place) => !refused.has(place))
    }
    const reply = await this.#parts.execute(request, this.#signal)
    this.#spentMs += reply.spentMs
    const logBefore = this.#log.length
    const unread = this.#read(reply, pending)
    if (unread.length > 0 && reply.hostCalls === 0 && !options.eager) {
      // Nobody outside has seen anything of it, so the whole batch runs once more, answers read one by one.
      for (const index of pending) this.#results[index] = undefined
      this.#whole = undefined
      this.#log.length = logBefore
      this.#spentMs -= reply.spentMs
      return [...pending]
    }
    for (const { index, error } of reply.failures) this.#fail(index, pending, error)
    return [...reply.again, ...unread].map((place) => pending[place] ?? missing()).sort((a, b) => a - b)
  }

  /** Reads all answers, and gives the places of those that must be made again. */
  #read({ parts, bytes }: BatchReply, pending: readonly number[]): readonly number[] {
    const { decoder } = this.#parts
    const unread: number[] = []
    for (const part of parts) {
      const eventCount = part.indexes[0] === wholeBatch ? this.#inputs.length : 1
      const decodeLimits = answerDecodeLimits(this.#parts.limits, eventCount)
      const found: [unknown, number][] = []
      let refused: string | undefined
      let isApart = true
      if (part.isList) {
        const take = (answer: unknown, chars: number): void => {
          found.push([answer, chars])
        }
        const list = decoder.decodeList(bytes, part.start, part.end, decodeLimits, take)
        refused = list.refused
        isApart = list.isApart
      } else {
        const decoded = decoder.decode(bytes, part.start, part.end, decodeLimits)
        if (decoded.ok) found.push([decoded.value, decoded.chars])
        else refused = decoded.message
      }
      if (part.indexes.length > 1 && (refused !== undefined || !isApart || found.length !== part.indexes.length)) {
        this.#program.eager = true
        unread.push(...part.indexes)
        continue
      }
      part.indexes.forEach((index, n) => {
        const [answer, chars] = found[n] ?? [undefined, 0]
        this.#take(index, pending, answer, chars, part, refused)
      })
    }
    decoder.release()
    return unread
  }

  #take(
    index: number,
    pending: readonly number[],
    answer: unknown,
    chars: number,
    { isFull }: BatchPart,
    refused: string | undefined,
  ): void {
    const { limits } = this.#parts
    const eventCount = index === wholeBatch ? this.#inputs.length : 1
    const read = readAnswer(answer, chars, limits.outputBytesPerEvent * eventCount, this.#program.modules)
    if (read === undefined) {
      this.#answer(index, pending, { error: unreadable(this.#program.entry, refused) })
      return
    }
    this.#log.push(...read.log)
    if (read.result === undefined) return
    const exception = 'exception' in read.result ? read.result.exception : undefined
    // With no room left to make an error, the engine throws null.
    if (isFull && exception?.isNullish) {
      const error: StageError = { code: 'transform.memory', message: tooMuchMemory(limits) }
      this.#answer(index, pending, { error })
    } else this.#answer(index, pending, read.result)
  }

  /** Sets what a guest answered. Whatever broke it: it answers what was asked, and once. */
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

  #wholeOutcomes(): readonly Outcome<Event>[] {
    const events = this.#inputs.map(({ event }) => event)
    const result = this.#whole
    if (result === undefined || 'error' in result) {
      const error = result?.error ?? unreadable('transformBatch', undefined)
      return this.#results.map((own) => fail(own && 'error' in own ? own.error : error))
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
  throw new InvariantError('an answer is for an event that was not asked for')
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
