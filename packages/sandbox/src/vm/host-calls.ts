import { setMaxListeners } from 'node:events'
import type { JsonValue } from '@sluice/core'
import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten'
import type { Crossing, DocumentDecoder, DocumentEncoder, GuestCrossing } from '../crossing/crossing.ts'
import type { DocumentMeter } from '../crossing/document-meter.ts'
import type { GuestApi, RunContext } from '../guest-api.ts'
import { answerDecodeLimits, type SandboxLimits, valuesMax } from '../sandbox-limits.ts'
import type { Engine } from './engine.ts'
import type { GuestCallPorts } from './prelude-link.ts'

/** A call that has its answer. */
export interface OpenCall {
  readonly id: number
  /** Index of the event that made it. */
  readonly owner: number
  readonly reply: Reply
}

type Reply = readonly [0, JsonValue] | readonly [1, string, string]

/** Calls of one guest that may be open at a time. */
const openMax = 1_000
/** Arguments that are surely smaller than this are not measured. */
const smallBytes = 16 * 1024
/** See machine.ts: what a value takes in the guest, at most, for each byte of its document. */
const crossingFactor = 4
const crossingBytes = 64 * 1024

/**
 * The bridge from one guest to the host functions of its GuestApi.
 *
 * Ids of calls are never used twice, and `forget` closes all that are open: an answer that comes after the guest's memory
 * was put back would otherwise reach a promise of another event.
 */
export class HostCalls implements GuestCallPorts {
  readonly #api: GuestApi
  readonly #engine: Engine
  readonly #context: QuickJSContext
  readonly #crossing: GuestCrossing
  readonly #encoder: DocumentEncoder
  readonly #decoder: DocumentDecoder
  readonly #meter: DocumentMeter
  readonly #limits: SandboxLimits
  /** Bytes of the arguments of the calls that are not answered yet, by id. */
  readonly #open = new Map<number, number>()
  #openBytes = 0
  /** Of the batch that runs, once it has made a call. */
  #aborting: AbortController | undefined
  #answered: OpenCall[] = []
  #lastId = 0
  #made = 0
  #wake: (() => void) | undefined
  /** Index of the event whose code runs. */
  owner = -1
  /** Of the run under way. */
  context: RunContext = {}
  /** While modules are loaded, calls that are to be answered later are not made: nobody would wait for the answer. */
  isLoading = false

  constructor(
    { api, crossing, limits }: { api: GuestApi; crossing: Crossing; limits: SandboxLimits },
    engine: Engine,
    context: QuickJSContext,
    guestCrossing: GuestCrossing,
  ) {
    this.#api = api
    this.#engine = engine
    this.#context = context
    this.#crossing = guestCrossing
    this.#encoder = crossing.createEncoder()
    this.#decoder = crossing.createDecoder()
    this.#meter = crossing.createMeter()
    this.#limits = limits
  }

  /** Calls the guest waits for. */
  get open(): number {
    return this.#open.size
  }

  /** Calls made since the machine began. */
  get made(): number {
    return this.#made
  }

  /** Takes the next answer that has come. */
  shift(): OpenCall | undefined {
    const call = this.#answered.shift()
    if (call) {
      this.#openBytes -= this.#open.get(call.id) ?? 0
      this.#open.delete(call.id)
    }
    return call
  }

  /** Ends when an answer has come, after `milliseconds`, or when `signal` aborts. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (this.#answered.length > 0 || signal.aborted) return
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      const timer = setTimeout(wake, milliseconds)
      signal.addEventListener('abort', wake)
      this.#wake = wake
    })
    this.#wake = undefined
  }

  /** Ends the batch: answers that are still to come will be ignored. */
  forget(): void {
    this.#aborting?.abort()
    this.#aborting = undefined
    this.#open.clear()
    this.#openBytes = 0
    this.#answered = []
  }

  call(name: QuickJSHandle, args: QuickJSHandle): QuickJSHandle | undefined {
    return this.#received(name, args, (key, values) => {
      const target = own(this.#api.syncCalls, key)
      return target ? [0, target(values, this.context)] : unknown(key)
    })
  }

  start(name: QuickJSHandle, args: QuickJSHandle): QuickJSHandle | undefined {
    return this.#received(name, args, (key, values, bytes) => {
      const target = own(this.#api.asyncCalls, key)
      if (target === undefined) return unknown(key)
      if (this.open >= openMax) return [1, 'RangeError', `more than ${openMax} calls to the host at a time`]
      const bytesMax = this.#limits.hostCallBytesPerBatch
      if (this.#openBytes + bytes > bytesMax) return [1, 'RangeError', tooManyBytes(this.#openBytes + bytes, bytesMax)]
      this.#lastId += 1
      const id = this.#lastId
      const { owner } = this
      this.#open.set(id, bytes)
      this.#openBytes += bytes
      if (this.isLoading) return [0, id]
      this.#aborting ??= newAbortController()
      const settle = (reply: Reply): void => {
        if (!this.#open.has(id)) return
        this.#answered.push({ id, owner, reply })
        this.#wake?.()
      }
      target(values, { ...this.context, signal: this.#aborting.signal }).then(
        (value) => settle([0, value]),
        (thrown: unknown) => settle(failure(thrown)),
      )
      return [0, id]
    })
  }

  /** The answer as a value of the guest. */
  replyOf({ reply }: OpenCall): QuickJSHandle {
    return this.#toGuest(reply)
  }

  #received(
    name: QuickJSHandle,
    args: QuickJSHandle,
    run: (key: string, values: readonly JsonValue[], bytes: number) => Reply,
  ): QuickJSHandle | undefined {
    const bytes = this.#crossing.fromGuest(args, true)
    if (bytes === undefined) return undefined
    this.#made += 1
    const weight = this.#weightOf(bytes)
    if (typeof weight === 'string') return this.#toGuest([1, 'RangeError', weight])
    const decoded = this.#decoder.decode(bytes, 0, bytes.length, answerDecodeLimits(this.#limits))
    if (!decoded.ok) return this.#toGuest(refusal(decoded.message))
    try {
      return this.#toGuest(run(this.#context.getString(name), decoded.value as JsonValue[], weight))
    } catch (thrown) {
      return this.#toGuest(failure(thrown))
    }
  }

  /** Bytes that the arguments of a call take, or why they are too many. */
  #weightOf(bytes: Uint8Array): number | string {
    const size = this.#meter.mayExceed(bytes, smallBytes) ? this.#meter.value(bytes) : undefined
    if (size === undefined) return bytes.length
    const { outputBytesPerEvent } = this.#limits
    if (size.values > valuesMax)
      return `the arguments of a host call hold ${size.values} values, at most ${valuesMax} are allowed`
    if (size.jsonBytes > outputBytesPerEvent)
      return `the arguments of a host call take ${size.jsonBytes} bytes of JSON text, at most ${outputBytesPerEvent} are allowed`
    return Math.max(size.jsonBytes, bytes.length)
  }

  #toGuest(reply: Reply): QuickJSHandle {
    this.#encoder.append(reply)
    const bytes = this.#encoder.take()
    // The glue of the engine does not notice when there is no room for what it is given.
    if (this.#engine.roomBytes() < bytes.length * crossingFactor + crossingBytes)
      throw new RangeError('the answer of the host does not fit into the memory that is left')
    return this.#crossing.toGuest(bytes, true)
  }
}

/** For the calls of one batch. Each of them may listen to it, more than once: their number is bounded, so Node need not warn of it. */
export function newAbortController(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

const unknown = (key: string): Reply => [1, 'TypeError', `the host has no function ${key}`]

const tooManyBytes = (bytes: number, bytesMax: number): string =>
  `the calls to the host under way take ${bytes} bytes with this one, at most ${bytesMax} are allowed; await earlier ones first`

/** A message of the decoder, which begins with the name of the error. */
function refusal(message: string): Reply {
  const [name = 'Error', ...rest] = message.split(': ')
  return [1, name, rest.join(': ')]
}

// Never the stack: it holds paths of the host.
function failure(thrown: unknown): Reply {
  return thrown instanceof Error ? [1, thrown.name, thrown.message] : [1, 'Error', String(thrown)]
}
