import { parentPort, workerData } from 'node:worker_threads'
import { InvariantError } from '@sluice/core'
import { LRUCache } from '#inlined/lru-cache'
import { createGuestApi } from '../api/create-guest-api.ts'
import { runBatch } from '../batch/batch-run.ts'
import { loading, waitingForHost } from '../batch/on-enter.ts'
import { createModuleSet, type ModuleSet } from '../code/module-set.ts'
import type { AsyncHostCall } from '../guest-api.ts'
import { crossingNamed } from '../vm/choose-crossing.ts'
import { MachineSlot } from '../vm/machine-slot.ts'
import { JobEnvironment } from './job-environment.ts'
import { machineMaker } from './machine-maker.ts'
import { packReplies } from './messages/packed-replies.ts'
import { unpackRuns } from './messages/packed-runs.ts'
import {
  type Job,
  type MessageFromWorker,
  type MessageToWorker,
  programsMax,
  type WorkerSetup,
} from './messages/worker-messages.ts'
import { RemoteCalls } from './remote-calls.ts'
import type { RanJob } from './run-job.ts'
import { WorkerProgress } from './worker-progress.ts'

/** Interval at which the worker signals that its event loop turns, while there is work. */
const beatMs = 20
/**
 * Number of beats without work after which beating stops until there is work again. Starting and stopping it for each
 * job would take longer.
 */
const idleBeatsMax = 50
/** Total running time up to which the replies of runs are sent together. */
const repliesMs = 0.1
const port = parentPort
if (port === null) throw new InvariantError('this module runs in a worker only')
const setup = workerData as WorkerSetup
const progress = new WorkerProgress(setup.progress)
const post = (message: MessageFromWorker, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer)

interface Station {
  readonly slot: MachineSlot
  readonly environment: JobEnvironment
  /** The job in progress. */
  job: Job | undefined
  /**
   * Aborts the job. It is replaced only after it has been used, because creating one for each job would take a tenth of
   * the time of a short run.
   */
  abort: AbortController
}

const calls = new RemoteCalls(post)
const newMachine = machineMaker(setup.engine)
const crossing = crossingNamed(setup.crossing)
const probes = setup.probes && { probes: setup.probes }
const stations = Array.from({ length: setup.machines }, (): Station => {
  const environment = new JobEnvironment()
  const own = createGuestApi({ clock: environment, random: environment, ...probes })
  const asyncCalls = Object.fromEntries(
    setup.asyncCalls.map((name): [string, AsyncHostCall] => [name, calls.proxy(name)]),
  )
  const api = { ...own, asyncCalls }
  const parts = { crossing, limits: setup.limits, clock: environment, random: environment, api, ...probes }
  const slot = new MachineSlot(parts, () => newMachine(parts), setup.warm)
  return { slot, environment, job: undefined, abort: new AbortController() }
})
const programs = new LRUCache<number, ModuleSet>({ max: programsMax })
let waiting: Job[] = []
let beating: NodeJS.Timeout | undefined
let idleBeats = 0
let isTurnPlanned = false
let replies: RanJob[] = []
let repliedMs = 0

port.on('message', (message: MessageToWorker) => {
  switch (message.kind) {
    case 'answer':
      return calls.answer(message.call, message.value)
    case 'refusal':
      return calls.refuse(message.call, message.name, message.message)
    case 'abort':
      return abort(message.job)
    case 'program':
      programs.set(message.program, createModuleSet(message.source))
      return
    case 'load':
      return accept(message)
    default:
      for (const job of unpackRuns(message.runs)) accept(job)
  }
})

/**
 * Work starts after all messages that have arrived are read, so that the replies of jobs which arrive together can be
 * sent together.
 */
function accept(job: Job): void {
  waiting.push(job)
  planTurn()
}

function abort(job: number): void {
  const station = stations.find((one) => one.job?.job === job)
  station?.abort.abort()
  if (!waiting.some((one) => one.job === job)) return
  waiting = waiting.filter((one) => one.job !== job)
  post({ kind: 'aborted', job })
}

function beat(): void {
  progress.beat()
  const isIdle = waiting.length === 0 && stations.every(({ job }) => job === undefined)
  idleBeats = isIdle ? idleBeats + 1 : 0
  if (idleBeats <= idleBeatsMax) return
  clearInterval(beating)
  beating = undefined
}

/**
 * Starts one job. The next one starts when this one is done or, if this one waits for the host, in the next turn of the
 * event loop. That way most work is done by one machine, whose memory is in the cache of the processor.
 */
function startNext(): void {
  beating ??= setInterval(beat, beatMs)
  // The first free one is the most likely to have the program loaded.
  const station = stations.find(({ job }) => job === undefined)
  const job = station && nextJob()
  if (job === undefined || station === undefined) return
  station.job = job
  if (station.abort.signal.aborted) station.abort = new AbortController()
  if (waiting.length > 0) planTurn()
  void perform(job, station).finally(() => {
    station.job = undefined
    progress.leave()
    startNext()
  })
}

/** Returns the next job that was not recalled. */
function nextJob(): Job | undefined {
  for (let job = waiting.shift(); job; job = waiting.shift()) {
    if (progress.begin(job.place)) return job
    post({ kind: 'recalled', job: job.job })
  }
  return undefined
}

function planTurn(): void {
  if (isTurnPlanned) return
  isTurnPlanned = true
  setImmediate(() => {
    isTurnPlanned = false
    sendReplies()
    startNext()
  })
}

/**
 * Adds a reply, and sends replies of short runs of one program together. The reply of a run that called the host is
 * sent immediately: if the next run ended this thread, runs with unsent replies would be repeated, and their host calls
 * too.
 */
function reply(ran: RanJob, program: number): void {
  replies.push(ran)
  repliedMs += ran.reply.spentMs
  if (ran.reply.hostCalls > 0 || waiting[0]?.program !== program || repliedMs > repliesMs) sendReplies()
  else planTurn()
}

function sendReplies(): void {
  if (replies.length === 0) return
  const packed = packReplies(replies)
  replies = []
  repliedMs = 0
  post({ kind: 'ran', replies: packed }, [packed.bytes.buffer])
}

async function perform(job: Job, { slot, environment, abort: { signal } }: Station): Promise<void> {
  // No user code runs while the engine starts. Another guest may have made the previous turn of the event loop long: the
  // beat makes the watchdog measure from now.
  progress.leave()
  progress.beat()
  try {
    const modules = programs.get(job.program)
    if (modules === undefined) return post({ kind: 'unknown', job: job.job })
    if (job.kind === 'load') {
      const opened = await slot.open(modules, setup.limits.eventTimeMs, (load) => {
        progress.enter(job.job, loading)
        return load()
      })
      if ('code' in opened) return post({ kind: 'loaded', job: job.job, result: opened })
      const { entry, usesMetadata, log, stateBytes } = opened.program
      return post({ kind: 'loaded', job: job.job, result: { entry, usesMetadata, log, stateBytes } })
    }
    environment.use(job.environment)
    const onEnter = (whose: number): void =>
      whose === waitingForHost ? progress.leave() : progress.enter(job.job, whose)
    const { request, credentials } = job
    const answered = await runBatch(request, modules, slot, setup.limits, signal, onEnter, credentials)
    reply({ kind: 'ran', job: job.job, reply: answered }, job.program)
  } catch (error) {
    if (signal.aborted) return post({ kind: 'aborted', job: job.job })
    slot.discard()
    post({
      kind: 'broken',
      job: job.job,
      message: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    })
  }
}
