import { Worker } from 'node:worker_threads'
import { InvariantError, type StageError } from '@sluice/core'
import type { AsyncHostCall } from '../guest-api.ts'
import type { SandboxLimits } from '../sandbox-limits.ts'
import type { EngineBuild } from '../vm/engine.ts'
import type { WarmPrograms } from '../vm/machine-slot.ts'
import { HostAnswers } from './host-answers.ts'
import { Progress } from './progress.ts'
import type { FromWorker, Job, JobMessage, WorkerSetup } from './worker-messages.ts'

/** How often a worker with work is looked at. */
const lookMs = 20
/** What a call may take beyond its limit: the engine stops most loops by itself, which is gentler. */
const graceMs = 80

/** How a worker came to its end, and what it was at. */
export interface WorkerEnd {
  readonly job: number
  /** The event that ran, or `loading`. */
  readonly index: number
  readonly error: StageError
}

export interface PoolWorkerOptions {
  readonly build: EngineBuild
  readonly limits: SandboxLimits
  readonly machines: number
  readonly warm: WarmPrograms
  readonly asyncCalls: Readonly<Record<string, AsyncHostCall>>
  /** The longest that one call into this job may take. */
  limitMs(job: number, index: number): number
  onMessage(message: JobMessage): void
  /** Called once, when the worker does no more work. */
  onEnd(end: WorkerEnd): void
}

/**
 * One worker thread under a watchdog. The engine's own interrupt stops most code; what it does not reach, a native loop
 * over a huge array, keeps the worker's event loop from turning, which is seen from here: the thread is terminated then.
 */
export class PoolWorker {
  /** Programs the worker has had the source of. */
  readonly programs = new Set<number>()
  readonly #options: PoolWorkerOptions
  readonly #worker: Worker
  readonly #progress: Progress
  readonly #answers: HostAnswers
  #looking: NodeJS.Timeout | undefined
  #outstanding = 0
  #beats = -1
  #stalledSince = 0
  #looks = 0
  #ended = false

  constructor(options: PoolWorkerOptions) {
    this.#options = options
    const { build, limits, machines, warm, asyncCalls } = options
    const progress = Progress.newBuffer()
    this.#progress = new Progress(progress)
    const setup: WorkerSetup = { build, limits, warm, machines, asyncCalls: Object.keys(asyncCalls), progress }
    this.#worker = new Worker(entry, {
      workerData: setup,
      // The guest's stack is part of the thread's. Source: sandbox facts (recursion, 22 kinds, clean at 16 MB and 256 KiB).
      resourceLimits: { stackSizeMb: 16, maxOldGenerationSizeMb: 512 },
      env: {},
      execArgv: [],
      stdin: false,
    })
    this.#answers = new HostAnswers(asyncCalls, (message) => this.#worker.postMessage(message))
    this.#worker.unref()
    this.#worker.on('message', (message: FromWorker) => this.#take(message))
    this.#worker.on('error', (error) => this.#end(crash(error)))
    this.#worker.on('exit', () => this.#end(crash(undefined)))
  }

  get outstanding(): number {
    return this.#outstanding
  }

  send(job: Job): void {
    if (this.#outstanding === 0) this.#watch()
    this.#outstanding += 1
    this.#worker.postMessage(job)
  }

  abort(job: number): void {
    if (!this.#ended) this.#worker.postMessage({ kind: 'abort', job })
  }

  async close(): Promise<void> {
    this.#ended = true
    this.#rest()
    this.#answers.end()
    await this.#worker.terminate()
  }

  #take(message: FromWorker): void {
    if (this.#ended) return
    if (message.kind === 'call') this.#answers.make(message)
    else if (message.kind === 'callsOver') this.#answers.over(message.batch)
    else {
      this.#outstanding -= 1
      if (this.#outstanding === 0) this.#rest()
      this.#options.onMessage(message)
    }
  }

  #watch(): void {
    // While there is work, the process must not end.
    this.#worker.ref()
    this.#beats = -1
    this.#looking = setInterval(() => this.#look(), lookMs)
  }

  #rest(): void {
    clearInterval(this.#looking)
    this.#worker.unref()
  }

  #look(): void {
    const { beats, job, index } = this.#progress
    const now = performance.now()
    if (beats !== this.#beats) {
      this.#beats = beats
      this.#stalledSince = now
      this.#looks = 0
      return
    }
    // Counted too, because this thread may have been busy: then one look says little.
    this.#looks += 1
    const limitMs = this.#options.limitMs(job, index) + graceMs
    if (now - this.#stalledSince < limitMs || this.#looks * lookMs < limitMs / 2) return
    const message = `Error: Script execution timed out. A built-in function ran longer than ${Math.round(limitMs - graceMs)} ms and could not be interrupted.`
    this.#end({ code: 'transform.timeout', message })
  }

  #end(error: StageError): void {
    if (this.#ended) return
    this.#ended = true
    this.#rest()
    this.#answers.end()
    void this.#worker.terminate()
    this.#options.onEnd({ job: this.#progress.job, index: this.#progress.index, error })
  }
}

/** The compiled entry, also for whoever runs the sources: a thread of Node 20 cannot load TypeScript. */
const entry = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/pool/worker-main.js' : './worker-main.js',
  import.meta.url,
)

function crash(error: unknown): StageError {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return { code: 'transform.memory', message: 'Error: out of memory. User code used up the memory of its thread.' }
  if (error instanceof InvariantError) throw error
  return { code: 'transform.memory', message: 'Error: the thread that ran user code ended unexpectedly.' }
}
