import type { ChildProcess } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onAbort } from '@sluice/core'
import { forkApart, Pulse } from '@sluice/delivery'
import { RefusedRowsError, WarehouseError } from '../load/warehouse-error.ts'
import type { PackedRows } from './packed-rows.ts'
import { type Job, type MessageFromWorker, type MessageToWorker, type Task, workFolderPrefix } from './task.ts'

/** Memory for JavaScript values of a process, in MiB. */
const heapMiB = 640
/** How often a process with a task is asked whether it still runs, and how long it has to answer. */
const pingMs = 5_000
const pongMs = 60_000
/** How long a process has to end a task that was aborted: it rolls back, and closes its connection. */
const abortMs = 5_000

/** The rows of loads, one load after the other. */
export type Loads = Iterator<PackedRows> | AsyncIterator<PackedRows>

/** A process that does one task at a time, from its start to its end. */
export class WorkProcess {
  /** When its last task ended, on the clock of `performance.now()`. */
  idleSince = performance.now()
  readonly #process: ChildProcess
  readonly #folder: string
  readonly #pulse = new Pulse({
    askEveryMs: pingMs,
    silentMaxMs: pongMs,
    ask: () => void this.#post({ kind: 'ping' }),
    onSilent: (reason) => this.#kill(reason),
  })
  #take: ((message: MessageFromWorker) => void) | undefined
  /** Fails the task. */
  #lost: (() => void) | undefined
  #reason: string | undefined
  #isOver = false

  /** @param main the compiled main file. */
  constructor(main: URL) {
    // Files of loads are here. They have data of people, and must not outlive the process.
    this.#folder = mkdtempSync(join(tmpdir(), workFolderPrefix))
    const env = { TMPDIR: this.#folder, TEMP: this.#folder, TMP: this.#folder }
    this.#process = forkApart(main, { heapMiB, env })
    this.#process.on('message', (message: MessageFromWorker) => {
      this.#pulse.heard()
      if (message.kind === 'ending') this.#reason ??= message.reason
      else this.#take?.(message)
    })
    this.#process.on('error', ({ message }) => this.#end(message))
    this.#process.on('exit', (code, signal) => this.#end(signal ?? `code ${code}`))
  }

  /** Whether it can get a task. */
  get isUsable(): boolean {
    return !this.#isOver && this.#take === undefined && this.#reason === undefined
  }

  /**
   * Does a task.
   * @param loads the rows that it asks for. @throws WarehouseError, with the code `WORK_ENDED` when the process ends first; the reason of
   * the signal when it aborts.
   */
  async run(job: Job, task: Task, loads: Loads, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted()
    this.#process.ref()
    this.#process.channel?.ref()
    this.#pulse.start()
    let tooLate: NodeJS.Timeout | undefined
    const unwatch = onAbort(signal, () => {
      this.#post({ kind: 'abort' })
      tooLate = setTimeout(() => this.#kill('it did not stop in time'), abortMs)
    })
    try {
      return await new Promise((resolve, reject) => {
        this.#take = (message) => {
          if (message.kind === 'done') resolve(message.result)
          else if (message.kind === 'failed') reject(failureOf(message))
          else if (message.kind === 'next-load') this.#sendNext(loads).catch(reject)
        }
        this.#lost = () =>
          reject(new WarehouseError(`The process of the warehouse ended (${this.#reason}).`, 'WORK_ENDED'))
        if (this.#isOver) this.#lost()
        else this.#post({ kind: 'begin', job, task })
      })
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      unwatch()
      clearTimeout(tooLate)
      this.#pulse.stop()
      this.#take = undefined
      this.#lost = undefined
      this.#rest()
    }
  }

  /** Ends the process at once. Its tasks fail. */
  kill(): void {
    this.#kill('it is not needed any more')
  }

  /** An idle process must not keep this one alive. */
  #rest(): void {
    this.idleSince = performance.now()
    this.#process.unref()
    this.#process.channel?.unref()
  }

  async #sendNext(loads: Loads): Promise<void> {
    const next = await loads.next()
    if (next.done) return void (await this.#post({ kind: 'no-more-loads' }))
    for (const slice of next.value.slices()) await this.#post({ kind: 'rows', slice })
    await this.#post({ kind: 'load-is-whole' })
  }

  /** @returns when the other process has room for more. */
  #post(message: MessageToWorker): Promise<void> {
    return new Promise((resolve) => {
      // It may have ended meanwhile; then `exit` says so.
      if (this.#process.connected) this.#process.send(message, () => resolve())
      else resolve()
    })
  }

  #kill(reason: string): void {
    this.#reason ??= reason
    this.#process.kill('SIGKILL')
  }

  #end(reason: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#reason ??= reason
    void rm(this.#folder, { recursive: true, force: true }).catch(() => {})
    this.#lost?.()
  }
}

function failureOf({ message, code, refused }: MessageFromWorker & { readonly kind: 'failed' }): WarehouseError {
  return refused === undefined ? new WarehouseError(message, code) : new RefusedRowsError(refused)
}
