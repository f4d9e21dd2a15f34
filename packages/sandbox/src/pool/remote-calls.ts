import type { JsonObject, JsonValue } from '@sluice/core'
import type { AsyncHostCall } from '../guest-api.ts'
import type { MessageFromWorker } from './messages/worker-messages.ts'

/**
 * Largest number of calls of one batch that are sent at a time. The main thread accepts all of them in one turn of its
 * event loop, so more would block it.
 */
const sentCallsMax = 250
/** Largest number of characters in the arguments of these calls. A single call may have more. */
const sentCharsMax = 4 * 1024 * 1024

interface Call {
  readonly id: number
  readonly name: string
  readonly args: string
  readonly credentials: JsonObject
  readonly resolve: (value: JsonValue) => void
  readonly reject: (error: Error) => void
}

/** The calls of one batch. Those beyond the limits wait here, in order. */
interface Batch {
  readonly number: number
  readonly waiting: Call[]
  readonly sent: Map<number, Call>
  sentChars: number
}

/**
 * Worker side of asynchronous host calls: sends a limited number of them to the main thread and waits for the results.
 */
export class RemoteCalls {
  readonly #post: (message: MessageFromWorker) => void
  /** Batches by their abort signal, which all calls of a batch have in common. */
  readonly #batches = new Map<AbortSignal, Batch>()
  /** The batch of each call, by id of the call. */
  readonly #batchOf = new Map<number, Batch>()
  #lastCall = 0
  #lastBatch = 0

  constructor(post: (message: MessageFromWorker) => void) {
    this.#post = post
  }

  /** Returns a function that makes the main thread call the host function of this name. */
  proxy(name: string): AsyncHostCall {
    return (args, { signal, credentials = {} }) =>
      new Promise((resolve, reject) => {
        this.#lastCall += 1
        const batch = this.#batches.get(signal) ?? this.#newBatch(signal)
        batch.waiting.push({ id: this.#lastCall, name, args: JSON.stringify(args), credentials, resolve, reject })
        this.#sendNext(batch)
      })
  }

  answer(call: number, value: JsonValue): void {
    this.#settled(call)?.resolve(value)
  }

  refuse(call: number, name: string, message: string): void {
    const error = new Error(message)
    error.name = name
    this.#settled(call)?.reject(error)
  }

  #sendNext(batch: Batch): void {
    for (let next = batch.waiting[0]; next !== undefined; next = batch.waiting[0]) {
      const isFull = batch.sent.size >= sentCallsMax || batch.sentChars + next.args.length > sentCharsMax
      if (isFull && batch.sent.size > 0) return
      batch.waiting.shift()
      batch.sent.set(next.id, next)
      batch.sentChars += next.args.length
      this.#batchOf.set(next.id, batch)
      const { id: call, name, args, credentials } = next
      this.#post({ kind: 'call', call, batch: batch.number, name, args, credentials })
    }
  }

  /** Removes a finished call and returns it. Then sends the next one. */
  #settled(id: number): Call | undefined {
    const batch = this.#batchOf.get(id)
    const call = batch?.sent.get(id)
    if (batch === undefined || call === undefined) return undefined
    this.#batchOf.delete(id)
    batch.sent.delete(id)
    batch.sentChars -= call.args.length
    this.#sendNext(batch)
    return call
  }

  #newBatch(signal: AbortSignal): Batch {
    this.#lastBatch += 1
    const batch: Batch = { number: this.#lastBatch, waiting: [], sent: new Map(), sentChars: 0 }
    this.#batches.set(signal, batch)
    signal.addEventListener('abort', () => this.#end(signal, batch), { once: true })
    return batch
  }

  #end(signal: AbortSignal, batch: Batch): void {
    this.#batches.delete(signal)
    const open = [...batch.sent.values(), ...batch.waiting]
    for (const { id } of open) this.#batchOf.delete(id)
    batch.sent.clear()
    batch.waiting.length = 0
    this.#post({ kind: 'callsOver', batch: batch.number })
    for (const { reject } of open) reject(new Error('the batch is over'))
  }
}
