import { Worker } from 'node:worker_threads'
import { InvariantError, type StageError } from '@sluice/core'
import { requireThreadFile } from '@sluice/core/thread-file'
import type { Crossing } from '../crossing/crossing.ts'
import type { EngineChoice } from '../engine-choice.ts'
import type { AsyncHostCall } from '../guest-api.ts'
import type { ProbeMemory } from '../probes.ts'
import type { ProgramSource } from '../program.ts'
import type { SandboxLimits } from '../sandbox-limits.ts'
import type { WarmPrograms } from '../vm/machine-slot.ts'
import { HostAnswers } from './host-answers.ts'
import { unpackReplies } from './messages/packed-replies.ts'
import { packRuns } from './messages/packed-runs.ts'
import {
  type Job,
  type JobMessage,
  type MessageFromWorker,
  type MessageToWorker,
  programsMax,
  type WorkerSetup,
} from './messages/worker-messages.ts'
import type { RunJob } from './run-job.ts'
import { ThreadMemory } from './thread-memory.ts'
import { noJob, WorkerProgress } from './worker-progress.ts'

/** Interval at which a worker that has work is checked. */
const lookMs = 20
/**
 * Slots for jobs per machine: twice as many as jobs are sent, because recalled jobs keep their slot for a while; see
 * WorkerProgress.
 */
const placesPerMachine = 4
/** Number of checks without work after which checking stops until there is work again. */
const idleLooksMax = 50
/** Size of the collected runs from which they are sent at once. */
const messageBytes = 16 * 1024
/** Time limit for starting a thread; it usually takes some 0.2 s. */
const startMs = 60_000
/**
 * Time after the limit of a call until its thread is terminated. It lets the engine stop a loop by itself, which is
 * cheaper.
 */
const graceMs = 80

/** How a worker ended, and what it was doing at that time. */
export interface WorkerEnd {
  readonly job: number
  /** The event that was running, or `loading`. */
  readonly index: number
  readonly error: StageError
  /**
   * Whether the job is known to have blocked the thread. False when the thread crashed, because any started job may be
   * the cause.
   */
  readonly isCertain: boolean
}

/** A message of a worker about a job that was not recalled. */
export type WorkMessage = Exclude<JobMessage, { kind: 'recalled' }>

/** A job for the worker, without the slot, which is chosen when the job is sent. */
export type PlacelessJob = Omit<Extract<Job, { kind: 'load' }>, 'place'> | Omit<RunJob, 'place'>

interface PoolWorkerOptions {
  readonly engine: EngineChoice
  readonly crossing: Crossing
  readonly limits: SandboxLimits
  readonly machines: number
  readonly warm: WarmPrograms
  readonly asyncCalls: Readonly<Record<string, AsyncHostCall>>
  readonly probes?: ProbeMemory
  /** Returns the time limit of one call into this job. */
  limitMs(job: number, index: number): number
  onMessage(message: WorkMessage): void
  /** Called at every check while user code blocks the thread for longer than a moment. */
  onStall(): void
  /** Called once, when the worker does no more work. */
  onEnd(end: WorkerEnd): void
}

/**
 * One worker thread with a watchdog. The engine's own interrupt stops most code. It cannot stop a native loop over a
 * huge array, which blocks the worker's event loop. The watchdog notices that and terminates the thread.
 */
export class PoolWorker {
  /** Programs that the worker has. */
  readonly #programs = new Set<number>()
  readonly #options: PoolWorkerOptions
  readonly #worker: Worker
  readonly #progress: WorkerProgress
  readonly #answers: HostAnswers
  #looking: NodeJS.Timeout | undefined
  #isAwake = false
  #idleLooks = 0
  /** Runs that will be sent together at the end of this turn of the event loop. */
  #runs: RunJob[] = []
  #runBytes = 0
  /** Slots of the jobs that were sent and not answered yet; see WorkerProgress. */
  readonly #places = new Map<number, number>()
  readonly #freePlaces: number[]
  #beats = -1
  #stalledSince = 0
  #looks = 0
  readonly #memory: ThreadMemory | undefined
  #ended = false

  constructor(options: PoolWorkerOptions) {
    this.#options = options
    this.#memory = options.engine.name === 'v8' ? new ThreadMemory(options.limits) : undefined
    const { engine, crossing, limits, machines, warm, asyncCalls, probes } = options
    // Recalled jobs keep their slot until the worker has skipped them.
    const places = machines * placesPerMachine
    this.#freePlaces = Array.from({ length: places }, (_, place) => place)
    const progress = WorkerProgress.newBuffer(places)
    this.#progress = new WorkerProgress(progress)
    const setup: WorkerSetup = {
      engine,
      crossing: crossing.name,
      limits,
      warm,
      machines,
      asyncCalls: Object.keys(asyncCalls),
      progress,
      probes,
    }
    this.#worker = new Worker(entry, {
      workerData: setup,
      // The guest's stack is part of the thread's stack. Source:
      // packages/docs/decisions/0006-limits-around-the-engine.md.
      resourceLimits: { stackSizeMb: 16, maxOldGenerationSizeMb: heapMb[engine.name] },
      env: {},
      execArgv: [],
      stdin: false,
    })
    this.#answers = new HostAnswers(asyncCalls, (message) => this.#post(message))
    this.#worker.unref()
    this.#worker.on('message', (message: MessageFromWorker) => this.#take(message))
    this.#worker.on('error', (error) => this.#end(crash(error), false))
    this.#worker.on('exit', () => this.#end(crash(undefined), false))
  }

  /** Whether there is a slot for one more job. */
  get hasPlace(): boolean {
    return this.#freePlaces.length > 0
  }

  /** For how long user code has blocked the thread's event loop, in milliseconds, in steps of 20 ms. */
  get stalledMs(): number {
    return this.#looks * lookMs
  }

  /** Whether no user code runs, because the last job that ran waits or has ended. */
  get isWaiting(): boolean {
    return this.#progress.job === noJob
  }

  /** @throws InvariantError when no slot is free. */
  send(placeless: PlacelessJob, source: ProgramSource): void {
    const place = this.#freePlaces.pop()
    if (place === undefined) throw new InvariantError('a worker was sent more jobs than it has slots')
    this.#wake()
    this.#progress.send(place)
    this.#places.set(placeless.job, place)
    const job: Job = { ...placeless, place }
    if (!this.#programs.has(job.program)) {
      // The worker may have evicted some programs by now, so they are sent again. Sending a program twice is harmless.
      if (this.#programs.size >= programsMax) this.#programs.clear()
      this.#programs.add(job.program)
      this.#post({ kind: 'program', program: job.program, source })
    }
    if (job.kind === 'load') this.#post(job)
    else this.#addRun(job)
  }

  /** Whether code of this job was the last to run. */
  isHeldBy(job: number): boolean {
    return this.#progress.job === job
  }

  /** Recalls a job that has not started. @returns false when it has. */
  recall(job: number): boolean {
    const place = this.#places.get(job)
    return place !== undefined && this.#progress.recall(place)
  }

  hasBegun(job: number): boolean {
    const place = this.#places.get(job)
    return place !== undefined && this.#progress.hasBegun(place)
  }

  abort(job: number): void {
    this.#sendRuns()
    this.#post({ kind: 'abort', job })
  }

  async close(): Promise<void> {
    this.#ended = true
    clearInterval(this.#looking)
    this.#answers.end()
    await this.#worker.terminate()
  }

  #post(message: MessageToWorker, transfer: ArrayBuffer[] = []): void {
    if (!this.#ended) this.#worker.postMessage(message, transfer)
  }

  /** Collects small runs of this turn of the event loop in one message. A large run is sent at once. */
  #addRun(job: RunJob): void {
    this.#runs.push(job)
    this.#runBytes += job.request.bytes.length
    if (this.#runBytes >= messageBytes) this.#sendRuns()
    else if (this.#runs.length === 1) process.nextTick(() => this.#sendRuns())
  }

  #sendRuns(): void {
    if (this.#runs.length === 0) return
    const runs = packRuns(this.#runs)
    this.#runs = []
    this.#runBytes = 0
    this.#post({ kind: 'runs', runs })
  }

  #take(message: MessageFromWorker): void {
    if (this.#ended) return
    if (message.kind === 'call') this.#answers.make(message)
    else if (message.kind === 'callsOver') this.#answers.over(message.batch)
    else if (message.kind === 'ran') for (const ran of unpackReplies(message.replies)) this.#report(ran)
    else this.#report(message)
  }

  #report(message: JobMessage): void {
    const place = this.#places.get(message.job)
    this.#places.delete(message.job)
    if (place !== undefined) this.#freePlaces.push(place)
    if (message.kind === 'unknown') this.#programs.clear()
    if (message.kind !== 'recalled') this.#options.onMessage(message)
  }

  #wake(): void {
    if (this.#places.size === 0) this.#beats = -1
    if (!this.#isAwake) {
      this.#isAwake = true
      // Keeps the process alive while there is work.
      this.#worker.ref()
    }
    this.#looking ??= setInterval(() => this.#look(), lookMs).unref()
  }

  /** Checking continues for a while without work, because starting and stopping it for each job would take longer. */
  #rest(): void {
    this.#isAwake = false
    this.#worker.unref()
    this.#idleLooks += 1
    if (this.#idleLooks < idleLooksMax) return
    clearInterval(this.#looking)
    this.#looking = undefined
    this.#idleLooks = 0
  }

  #look(): void {
    if (this.#places.size === 0) {
      this.#looks = 0
      this.#rest()
      return
    }
    this.#idleLooks = 0
    const { beats, job, index } = this.#progress
    const now = performance.now()
    if (beats !== this.#beats) {
      this.#beats = beats
      this.#stalledSince = now
      this.#looks = 0
      this.#memory?.begin()
      return
    }
    // No user code runs: the thread or its engine is starting, which takes longer on a busy computer.
    if (job === noJob || !this.#hasBegunAny()) {
      this.#looks = 0
      if (now - this.#stalledSince > startMs) this.#end(crash(undefined), false)
      return
    }
    // This thread may itself have been blocked, so not only the time but also the number of checks must show the stall.
    this.#looks += 1
    if (this.#memory?.isUsedUp()) {
      this.#end(usedUp, true)
      return
    }
    this.#options.onStall()
    const limitMs = this.#options.limitMs(job, index) + graceMs
    if (now - this.#stalledSince < limitMs || this.#looks * lookMs < limitMs / 2) return
    const ranLonger = `ran longer than ${Math.round(limitMs - graceMs)} ms`
    const message =
      this.#options.engine.name === 'v8'
        ? `Error: Script execution timed out. The code ${ranLonger}.`
        : `Error: Script execution timed out. A built-in function ${ranLonger} and could not be interrupted.`
    this.#end({ code: 'transform.timeout', message }, true)
  }

  #hasBegunAny(): boolean {
    for (const place of this.#places.values()) if (this.#progress.hasBegun(place)) return true
    return false
  }

  #end(error: StageError, isCertain: boolean): void {
    if (this.#ended) return
    this.#ended = true
    clearInterval(this.#looking)
    this.#answers.end()
    void this.#worker.terminate()
    this.#options.onEnd({ job: this.#progress.job, index: this.#progress.index, error, isCertain })
  }
}

/** The compiled entry, even when this module runs from its source: threads of Node 20 cannot load TypeScript. */
const entry = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/pool/worker-main.js' : './worker-main.js',
  import.meta.url,
)

/** @throws ThreadFileMissingError when threads cannot start at all. */
export const requireWorkerFile = (): void => requireThreadFile(entry, 'of user code')

/** Heap of a thread in MiB. */
const heapMb = { quickjs: 512, v8: 4_096 } as const

const usedUp: StageError = {
  code: 'transform.memory',
  message: 'Error: out of memory. User code used up the memory of its thread.',
}

function crash(error: unknown): StageError {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') return usedUp
  if (error instanceof InvariantError) throw error
  return { code: 'transform.memory', message: 'Error: the thread that ran user code ended unexpectedly.' }
}
