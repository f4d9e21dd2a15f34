import { InvariantError, type JsonObject, type StageError } from '@sluice/core'
import { runBatch } from './batch/batch-run.ts'
import { loading, type OnEnter } from './batch/on-enter.ts'
import type { BatchExecutor, LoadedProgram, NumberedProgram } from './batch-executor.ts'
import type { BatchReply, BatchRequest } from './vm/batch-request.ts'
import type { GuestParts } from './vm/guest/guest.ts'
import { MachineSlot, type WarmPrograms } from './vm/machine-slot.ts'
import { QuickJsMachine } from './vm/quickjs-machine.ts'

/**
 * Runs batches in this thread, one at a time. It yields to the event loop between events, but one event may block it
 * for its time limit, and a few built-ins over huge arrays for as long as they take.
 */
export class InProcessExecutor implements BatchExecutor {
  readonly #parts: GuestParts
  readonly #slot: MachineSlot
  readonly #onEnter: OnEnter
  #closed = false
  #last: Promise<unknown> = Promise.resolve()

  /** @param onEnter is called before a program is loaded. */
  constructor(parts: GuestParts, warm: WarmPrograms, onEnter: OnEnter = () => {}) {
    this.#parts = parts
    this.#onEnter = onEnter
    this.#slot = new MachineSlot(parts, () => QuickJsMachine.create(parts), warm)
  }

  load({ modules }: NumberedProgram): Promise<LoadedProgram | StageError> {
    return this.#alone(async () => {
      const opened = await this.#slot.open(modules, this.#parts.limits.eventTimeMs, (load) => {
        this.#onEnter(loading)
        return load()
      })
      return 'code' in opened ? opened : opened.program
    })
  }

  run(
    { modules }: NumberedProgram,
    request: BatchRequest,
    credentials: JsonObject,
    signal: AbortSignal,
    onEnter?: OnEnter,
  ): Promise<BatchReply> {
    const { limits } = this.#parts
    return this.#alone(() => runBatch(request, modules, this.#slot, limits, signal, onEnter, credentials))
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#last
    this.#slot.discard()
  }

  /** Runs `task` after all earlier tasks, so that two batches never share the memory of the machine. */
  #alone<T>(task: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new InvariantError('the sandbox is closed'))
    const result = this.#last.then(task)
    this.#last = result.catch(() => {})
    return result
  }
}
