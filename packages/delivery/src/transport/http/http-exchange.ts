import { onAbort } from '@sluice/core'
import type { DeliveryRequest } from '@sluice/destinations'
import type { Dispatcher } from 'undici'
import { HeldBackError } from '../held-back-error.ts'
import { sendFailure } from '../send-failure.ts'
import type { Deadlined, DeadlineQueue } from '../time/deadline-queue.ts'
import { hostOf, type SendOptions, type TransportResult } from '../transport.ts'
import { joinHeaders } from './join-headers.ts'

const decoder = new TextDecoder()

interface HttpExchangeOptions extends Pick<SendOptions, 'signal' | 'timeMs'> {
  /** Most bytes that are read of the reply. */
  readonly bytesMax: number
  /** Asked right before the request is written. */
  readonly mayLeave: () => boolean
  readonly deadlines: DeadlineQueue
}

/** What becomes of an exchange. One of them is called, once. */
interface Ends {
  resolve(result: TransportResult): void
  /** @param reason that of the signal. */
  reject(reason: unknown): void
}

/**
 * One request and its reply, as undici dispatches it: one object in place of the streams and promises of `undici.request`,
 * which cost more than the request. It ends with the reply, a failure, or at its time limit, and at once when its signal
 * aborts; whatever of it is still under way then is stopped with its connection.
 */
export class HttpExchange implements Dispatcher.DispatchHandler, Deadlined {
  readonly dueAt: number
  earlier: Deadlined | undefined
  later: Deadlined | undefined
  readonly #request: DeliveryRequest
  readonly #options: HttpExchangeOptions
  readonly #ends: Ends
  readonly #unwatch: () => void
  #controller: Dispatcher.DispatchController | undefined
  #hasEnded = false
  #status = 0
  #headers: Dispatcher.ResponseData['headers'] = {}
  readonly #chunks: Buffer[] = []
  #bytes = 0

  /** @param options.signal not aborted yet. */
  constructor(request: DeliveryRequest, options: HttpExchangeOptions, ends: Ends) {
    this.#request = request
    this.#options = options
    this.#ends = ends
    this.dueAt = performance.now() + options.timeMs
    this.#unwatch = onAbort(options.signal, (reason) => {
      if (!this.#end()) return
      ends.reject(reason)
      this.#stop()
    })
    options.deadlines.add(this)
  }

  /** Whether nothing more is to be sent. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** The request cannot be sent as it was given. */
  failed(error: unknown): void {
    if (this.#end()) this.#ends.resolve(sendFailure(error, this.#request))
  }

  late(): void {
    if (!this.#end()) return
    const message = `${hostOf(this.#request)} gave no complete reply within ${this.#options.timeMs} ms.`
    this.#ends.resolve({ kind: 'network', code: 'ETIMEDOUT', message })
    this.#stop()
  }

  // Called when the request has its connection, right before it is written. Nothing is awaited in between.
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#hasEnded) this.#stop()
    else if (!this.#options.mayLeave()) controller.abort(new HeldBackError())
  }

  // Also called for informational replies (1xx), which come before the final one.
  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Dispatcher.ResponseData['headers']): void {
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#hasEnded) return
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes <= this.#options.bytesMax || !this.#end()) return
    this.#ends.resolve({ ...this.#reply(), isCut: true })
    // An endless reply ends with its connection.
    this.#stop()
  }

  onResponseEnd(): void {
    if (this.#end()) this.#ends.resolve(this.#reply())
  }

  onResponseError(_: unknown, error: Error): void {
    this.failed(error)
  }

  #reply() {
    return { kind: 'reply', status: this.#status, headers: joinHeaders(this.#headers), body: this.#text() } as const
  }

  #text(): string {
    const [only] = this.#chunks
    if (only === undefined) return ''
    const all = this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks)
    return decoder.decode(all.subarray(0, this.#options.bytesMax))
  }

  /** @returns false when it had ended before. */
  #end(): boolean {
    if (this.#hasEnded) return false
    this.#hasEnded = true
    this.#unwatch()
    this.#options.deadlines.remove(this)
    return true
  }

  /** Without a connection yet, it is stopped when it gets one. */
  #stop(): void {
    this.#controller?.abort(new Error('the exchange has ended'))
  }
}
