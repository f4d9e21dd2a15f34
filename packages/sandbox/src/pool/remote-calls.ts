import type { JsonValue } from '@sluice/core'
import type { AsyncHostCall } from '../guest-api.ts'
import type { FromWorker } from './worker-messages.ts'

interface Pending {
  readonly resolve: (value: JsonValue) => void
  readonly reject: (error: Error) => void
}

/** The worker's end of async host calls: sends them to the main thread and waits for the answers. */
export class RemoteCalls {
  readonly #post: (message: FromWorker) => void
  readonly #pending = new Map<number, Pending>()
  /** A batch is known by its signal: all its calls come with the same one. */
  readonly #batches = new WeakMap<AbortSignal, number>()
  #lastCall = 0
  #lastBatch = 0

  constructor(post: (message: FromWorker) => void) {
    this.#post = post
  }

  /** A host call of this name that the main thread answers. */
  proxy(name: string): AsyncHostCall {
    return (args, { signal, credentials = {} }) =>
      new Promise((resolve, reject) => {
        this.#lastCall += 1
        const call = this.#lastCall
        this.#pending.set(call, { resolve, reject })
        signal.addEventListener('abort', () => this.refuse(call, 'Error', 'the batch is over'), { once: true })
        this.#post({ kind: 'call', call, batch: this.#batchOf(signal), name, args, credentials })
      })
  }

  answer(call: number, value: JsonValue): void {
    this.#pending.get(call)?.resolve(value)
    this.#pending.delete(call)
  }

  refuse(call: number, name: string, message: string): void {
    const error = new Error(message)
    error.name = name
    this.#pending.get(call)?.reject(error)
    this.#pending.delete(call)
  }

  #batchOf(signal: AbortSignal): number {
    const known = this.#batches.get(signal)
    if (known !== undefined) return known
    this.#lastBatch += 1
    const batch = this.#lastBatch
    this.#batches.set(signal, batch)
    signal.addEventListener('abort', () => this.#post({ kind: 'callsOver', batch }), { once: true })
    return batch
  }
}
