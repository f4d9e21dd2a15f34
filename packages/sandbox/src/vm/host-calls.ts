import type { JsonValue } from '@sluice/core'
import type { Crossing, DocumentDecoder, DocumentEncoder } from '../crossing/crossing.ts'
import type { DocumentMeter } from '../crossing/document-meter.ts'
import type { GuestApi, RunContext } from '../guest-api.ts'
import { answerDecodeLimits, type SandboxLimits, valuesMax } from '../sandbox-limits.ts'
import { newAbortController } from './abort-controller.ts'
import type { GuestCallPorts } from './guest/prelude-link.ts'

/** A host call whose result has arrived. */
export interface OpenCall {
  readonly id: number
  /** Index of the event that made the call. */
  readonly owner: number
  readonly reply: Reply
}

type Reply = readonly [0, JsonValue] | readonly [1, string, string]

/** Largest number of open calls of one guest. */
const openMax = 1_000
/** Arguments smaller than this are not measured. */
const smallBytes = 16 * 1024
/** See quickjs-machine.ts: guest memory that a value takes at most for each byte of its document. */
const crossingFactor = 4
const crossingBytes = 64 * 1024

/** How values are read and made in one guest. */
export interface GuestValues<Handle> {
  /** Bytes that the guest can still take. */
  roomBytes(): number
  textOf(value: Handle): string
  /** Converts a document to a value in the guest. */
  toGuest(bytes: Uint8Array): Handle
  /** Converts a value to a document; undefined when it must be converted to JSON text in the guest first. */
  fromGuest(value: Handle): Uint8Array<ArrayBuffer> | undefined
}

/** What a run needs of the host calls of its machine. */
export type RunCalls = Pick<HostCalls<never>, 'open' | 'made' | 'shift' | 'wait' | 'forget' | 'context'>

/**
 * Connects one guest with the host functions of its GuestApi.
 *
 * Ids of calls are never reused, and `forget` closes all open calls. Otherwise a result that arrives after the guest's
 * memory was restored would reach a promise of another event.
 */
export class HostCalls<Handle> implements GuestCallPorts<Handle> {
  readonly #api: GuestApi
  readonly #values: GuestValues<Handle>
  readonly #encoder: DocumentEncoder
  readonly #decoder: DocumentDecoder
  readonly #meter: DocumentMeter
  readonly #limits: SandboxLimits
  /** Argument bytes of open calls, by call id. */
  readonly #open = new Map<number, number>()
  #openBytes = 0
  /** Aborts the calls of the current batch; created with its first call. */
  #aborting: AbortController | undefined
  #answered: OpenCall[] = []
  #lastId = 0
  #made = 0
  #wake: (() => void) | undefined
  /** Index of the event whose code runs. */
  owner = -1
  /** Context of the current run. */
  context: RunContext = {}
  /** Whether modules are being loaded. Asynchronous calls are then not made, because no code would get their result. */
  isLoading = false

  constructor(
    { api, crossing, limits }: { api: GuestApi; crossing: Crossing; limits: SandboxLimits },
    values: GuestValues<Handle>,
  ) {
    this.#api = api
    this.#values = values
    this.#encoder = crossing.createEncoder()
    this.#decoder = crossing.createDecoder()
    this.#meter = crossing.createMeter()
    this.#limits = limits
  }

  /** Number of open calls. */
  get open(): number {
    return this.#open.size
  }

  /** Number of calls made since the machine was created. */
  get made(): number {
    return this.#made
  }

  /** Takes the next result that has arrived. */
  shift(): OpenCall | undefined {
    const call = this.#answered.shift()
    if (call) {
      this.#openBytes -= this.#open.get(call.id) ?? 0
      this.#open.delete(call.id)
    }
    return call
  }

  /** Resolves when a result arrives, after `milliseconds`, or when `signal` aborts. */
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

  /** Ends the batch: aborts its calls and ignores results that arrive later. */
  forget(): void {
    this.#aborting?.abort()
    this.#aborting = undefined
    this.#open.clear()
    this.#openBytes = 0
    this.#answered = []
  }

  call(name: Handle, args: Handle): Handle | undefined {
    return this.#received(name, args, (key, values) => {
      const target = own(this.#api.syncCalls, key)
      return target ? [0, target(values, this.context)] : unknown(key)
    })
  }

  start(name: Handle, args: Handle): Handle | undefined {
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

  /** Converts the result to a value in the guest. */
  replyOf({ reply }: OpenCall): Handle {
    return this.#toGuest(reply)
  }

  #received(
    name: Handle,
    args: Handle,
    run: (key: string, values: readonly JsonValue[], bytes: number) => Reply,
  ): Handle | undefined {
    const bytes = this.#values.fromGuest(args)
    if (bytes === undefined) return undefined
    this.#made += 1
    const weight = this.#weightOf(bytes)
    if (typeof weight === 'string') return this.#toGuest([1, 'RangeError', weight])
    const decoded = this.#decoder.decode(bytes, 0, bytes.length, answerDecodeLimits(this.#limits))
    if (!decoded.ok) return this.#toGuest(refusal(decoded.message))
    try {
      return this.#toGuest(run(this.#values.textOf(name), decoded.value as JsonValue[], weight))
    } catch (thrown) {
      return this.#toGuest(failure(thrown))
    }
  }

  /** Returns the size of the arguments of a call in bytes, or a message that they are too large. */
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

  #toGuest(reply: Reply): Handle {
    this.#encoder.append(reply)
    const bytes = this.#encoder.take()
    // The glue code of the engine does not notice when there is no room for a value.
    if (this.#values.roomBytes() < bytes.length * crossingFactor + crossingBytes)
      throw new RangeError('the answer of the host does not fit into the memory that is left')
    return this.#values.toGuest(bytes)
  }
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

const unknown = (key: string): Reply => [1, 'TypeError', `the host has no function ${key}`]

const tooManyBytes = (bytes: number, bytesMax: number): string =>
  `the calls to the host under way take ${bytes} bytes with this one, at most ${bytesMax} are allowed; await earlier ones first`

/** Converts a message of the decoder, which begins with the name of the error. */
function refusal(message: string): Reply {
  const [name = 'Error', ...rest] = message.split(': ')
  return [1, name, rest.join(': ')]
}

// Converts an error without its stack, which contains paths of the host.
function failure(thrown: unknown): Reply {
  return thrown instanceof Error ? [1, thrown.name, thrown.message] : [1, 'Error', String(thrown)]
}
