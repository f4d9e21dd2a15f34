import { parentPort, workerData } from 'node:worker_threads'
import { type Clock, createSeededRandom, InvariantError, type Random, systemClock, systemRandom } from '@sluice/core'
import { LRUCache } from 'lru-cache'
import { createGuestApi } from '../api/create-guest-api.ts'
import { chooseCrossing } from '../crossing/choose-crossing.ts'
import type { AsyncHostCall } from '../guest-api.ts'
import { createModuleSet, type ModuleSet } from '../module-set.ts'
import { runBatch } from '../vm/batch-run.ts'
import { MachineSlot } from '../vm/machine-slot.ts'
import { loading, Progress } from './progress.ts'
import { RemoteCalls } from './remote-calls.ts'
import type { FromWorker, Job, RunAmbience, ToWorker, WorkerSetup } from './worker-messages.ts'

/** How often the main thread sees that the event loop runs, while there is work. */
const beatMs = 20
/** Programs a worker remembers the source of. */
const programsMax = 1_000

const port = parentPort
if (port === null) throw new InvariantError('this module runs in a worker only')
const setup = workerData as WorkerSetup
const progress = new Progress(setup.progress)
const post = (message: FromWorker, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer)

/** The clock and randomness of the run under way; a machine runs one batch at a time, and each has its own. */
class Ambience implements Clock, Random {
  #startedAt = 0
  #nowMs: number | undefined
  #random: Random = systemRandom

  use({ nowMs, seed }: RunAmbience): void {
    this.#startedAt = performance.now()
    this.#nowMs = nowMs
    this.#random = seed === undefined ? systemRandom : createSeededRandom(seed)
  }

  now(): number {
    return this.#nowMs === undefined ? systemClock.now() : this.#nowMs + performance.now() - this.#startedAt
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(milliseconds, signal)
  }

  fill(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    return this.#random.fill(bytes)
  }
}

interface Station {
  readonly slot: MachineSlot
  readonly ambience: Ambience
  isFree: boolean
}

const calls = new RemoteCalls(post)
const crossing = await chooseCrossing(setup.build)
const stations = Array.from({ length: setup.machines }, (): Station => {
  const ambience = new Ambience()
  const own = createGuestApi({ clock: ambience, random: ambience })
  const asyncCalls = Object.fromEntries(
    setup.asyncCalls.map((name): [string, AsyncHostCall] => [name, calls.proxy(name)]),
  )
  const api = { ...own, asyncCalls }
  const { build, limits } = setup
  const slot = new MachineSlot({ build, crossing, limits, clock: ambience, random: ambience, api }, setup.warm)
  return { slot, ambience, isFree: true }
})
const programs = new LRUCache<number, ModuleSet>({ max: programsMax })
const aborts = new Map<number, AbortController>()
const waiting: Job[] = []
let beating: NodeJS.Timeout | undefined

port.on('message', (message: ToWorker) => {
  if (message.kind === 'answer') calls.answer(message.call, message.value)
  else if (message.kind === 'refusal') calls.refuse(message.call, message.name, message.message)
  else if (message.kind === 'abort') abort(message.job)
  else {
    waiting.push(message)
    aborts.set(message.job, new AbortController())
    startWaiting()
  }
})

function abort(job: number): void {
  aborts.get(job)?.abort()
}

function startWaiting(): void {
  beating ??= setInterval(() => progress.beat(), beatMs)
  while (waiting.length > 0) {
    // The first free one: it is the likeliest to have the program loaded.
    const station = stations.find(({ isFree }) => isFree)
    const job = station && waiting.shift()
    if (job === undefined || station === undefined) return
    station.isFree = false
    void perform(job, station).finally(() => {
      station.isFree = true
      aborts.delete(job.job)
      if (aborts.size === 0) {
        clearInterval(beating)
        beating = undefined
      }
      startWaiting()
    })
  }
}

async function perform(job: Job, { slot, ambience }: Station): Promise<void> {
  // The turn of the event loop in which the message came may have been a long one of another guest's.
  progress.beat()
  try {
    const modules = modulesOf(job)
    if (modules === undefined) return post({ kind: 'unknown', job: job.job })
    const signal = aborts.get(job.job)?.signal ?? AbortSignal.abort()
    if (signal.aborted) return post({ kind: 'aborted', job: job.job })
    progress.enter(job.job, loading)
    if (job.kind === 'load') {
      const opened = await slot.open(modules, setup.limits.eventTimeMs)
      if ('code' in opened) return post({ kind: 'loaded', job: job.job, result: opened })
      const { entry, usesMetadata, log } = opened.program
      return post({ kind: 'loaded', job: job.job, result: { entry, usesMetadata, log } })
    }
    ambience.use(job.ambience)
    const onEventStart = (index: number): void => progress.enter(job.job, index)
    const reply = await runBatch(job.request, modules, slot, setup.limits, signal, onEventStart, job.credentials)
    post({ kind: 'ran', job: job.job, reply }, [reply.bytes.buffer])
  } catch (error) {
    if (aborts.get(job.job)?.signal.aborted) return post({ kind: 'aborted', job: job.job })
    slot.discard()
    post({
      kind: 'broken',
      job: job.job,
      message: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    })
  }
}

function modulesOf({ program, source }: Job): ModuleSet | undefined {
  const known = programs.get(program)
  if (known !== undefined || source === undefined) return known
  const modules = createModuleSet(source)
  programs.set(program, modules)
  return modules
}
