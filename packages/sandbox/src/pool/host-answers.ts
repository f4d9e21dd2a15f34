import type { JsonValue } from '@sluice/core'
import type { AsyncHostCall, HostCallContext } from '../guest-api.ts'
import { newAbortController } from '../vm/abort-controller.ts'
import type { MessageFromWorker, MessageToWorker } from './messages/worker-messages.ts'

/** Main-thread side of one worker's asynchronous host calls: makes the calls and sends the results back. */
export class HostAnswers {
  readonly #calls: Readonly<Record<string, AsyncHostCall>>
  readonly #post: (message: MessageToWorker) => void
  /** One controller per batch, so that its calls end with it. */
  readonly #batches = new Map<number, AbortController>()

  constructor(calls: Readonly<Record<string, AsyncHostCall>>, post: (message: MessageToWorker) => void) {
    this.#calls = calls
    this.#post = post
  }

  make({ call, batch, name, args, credentials }: Extract<MessageFromWorker, { kind: 'call' }>): void {
    const controller = this.#batches.get(batch) ?? newAbortController()
    this.#batches.set(batch, controller)
    const { signal } = controller
    void this.#ask(name, args, { signal, credentials }).then(
      (value) => signal.aborted || this.#post({ kind: 'answer', call, value }),
      (error: unknown) => {
        // Only name and message are sent: the stack would show host paths.
        const { name: kind, message } = error instanceof Error ? error : new Error(String(error))
        if (!signal.aborted) this.#post({ kind: 'refusal', call, name: kind, message })
      },
    )
  }

  over(batch: number): void {
    this.#batches.get(batch)?.abort()
    this.#batches.delete(batch)
  }

  /** Call this when the worker is gone: aborts all calls. */
  end(): void {
    for (const batch of [...this.#batches.keys()]) this.over(batch)
  }

  async #ask(name: string, args: string, context: HostCallContext): Promise<JsonValue> {
    const call = Object.hasOwn(this.#calls, name) ? this.#calls[name] : undefined
    if (call === undefined) throw new Error(`unknown host call ${name}`)
    return call(JSON.parse(args) as readonly JsonValue[], context)
  }
}
