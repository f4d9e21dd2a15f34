import type { Clock } from '@sluice/core'
import type { DeletionJob } from '../deletion/deletion-job.ts'
import type { RegulationStore } from '../regulation-store.ts'
import { RegulationError } from '../requests/regulation-error.ts'
import { reportOf, type SubjectRequestState } from './request-state.ts'
import { statusAnswer } from './status-answer.ts'
import { processorDomain, type StatusCallback, type SubjectRequest } from './subject-request.ts'
import { lookMsMax, type StoredSubjectRequest } from './subject-request-store.ts'
import { type SubjectRequests, stateOfRequest } from './subject-requests.ts'

/** The first attempt and seven retries, within 15 hours. */
const callbackAttemptsMax = 8
/** First wait between attempts. Each later wait is four times as long, up to `lookMsMax`. */
const firstWaitMs = 30_000
/** Between two looks at an erasure that is under way; the end of a deletion brings the next look forward. */
const openLookMs = 10 * 60_000
/** Requests looked at in one step, at the same time. */
const looksAtOnce = 8
/** Wait after a store error. */
const storeWaitMs = 5_000
/** Longest wait before the store is looked at again: another process may have taken a request. */
const pauseMsMax = 60_000
/** Requests with nothing more to report are kept this long. */
const keptMs = 400 * 86_400_000
const forgetEveryMs = 86_400_000

/** A call to a controller. */
export interface StatusReport {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Exactly what was signed. */
  readonly body: string
}

interface StatusCallbacksOptions {
  readonly store: Pick<RegulationStore, 'find' | 'deletions' | 'requests'>
  readonly sign: SubjectRequests['sign']
  readonly clock: Clock
  /**
   * Sends a report once, without following redirects, only to addresses that destinations may have.
   * @returns why it was not accepted; undefined when it was. Rejects only when `signal` aborts.
   */
  post(report: StatusReport, workspaceId: string, signal: AbortSignal): Promise<string | undefined>
  /** Whether this process sends them, of several that share the store. */
  isActive(): boolean
  /** Called when a report is given up. */
  onGivenUp(request: SubjectRequest, reason: string): void
  onError(error: unknown): void
}

/** Reports the status of requests to the call-backs of their controllers, at least once each. */
export interface StatusCallbacks {
  start(): void
  /** Call this when there may be something to report. */
  wake(): void
  /** Call this when deletions have ended. */
  deletionsEnded(jobs: readonly DeletionJob[]): Promise<void>
  /** Reports what has not been reported continues after a restart. */
  stop(): Promise<void>
}

export function createStatusCallbacks(options: StatusCallbacksOptions): StatusCallbacks {
  const { store, sign, clock, post, isActive, onGivenUp, onError } = options
  const { requests } = store
  const stopping = new AbortController()
  let wake: () => void = () => {}
  let isAwake = false
  let running: Promise<void> | undefined
  let forgottenAt = Number.NEGATIVE_INFINITY

  /** @returns why the controller did not accept it. */
  async function call(url: string, state: SubjectRequestState): Promise<string | undefined> {
    const { workspaceId, address } = state.request
    const body = JSON.stringify({ ...statusAnswer(state), status_callback_url: url })
    try {
      const headers = {
        'Content-Type': 'application/json',
        'X-OpenDSR-Processor-Domain': processorDomain(address),
        'X-OpenDSR-Signature': await sign(body),
      }
      return await post({ url, headers, body }, workspaceId, stopping.signal)
    } catch (error) {
      // The ledger, with the key, may be gone for a while.
      if (error instanceof RegulationError) return error.message
      throw error
    }
  }

  /** Reports a state to one call-back, unless it was or its time has not come. */
  async function report(callback: StatusCallback, state: SubjectRequestState): Promise<StatusCallback> {
    const present = reportOf(state)
    if (callback.reported === present || callback.dueAt > clock.now()) return callback
    const reason = await call(callback.url, state)
    const now = clock.now()
    if (reason === undefined) return { ...callback, reported: present, attempts: 0, dueAt: now }
    const attempts = callback.attempts + 1
    if (attempts < callbackAttemptsMax)
      return { ...callback, attempts, dueAt: now + Math.min(lookMsMax, firstWaitMs * 4 ** (attempts - 1)) }
    onGivenUp(state.request, reason)
    return { ...callback, reported: present, attempts, dueAt: now }
  }

  async function look({ request, dueAt: seen = 0 }: StoredSubjectRequest): Promise<void> {
    const state = await stateOfRequest(store, request)
    const present = reportOf(state)
    const callbacks = await Promise.all(request.callbacks.map((callback) => report(callback, state)))
    const givenUp = callbacks.filter(({ attempts }) => attempts >= callbackAttemptsMax).length
    const settled = callbacks.map((each) => (each.attempts >= callbackAttemptsMax ? { ...each, attempts: 0 } : each))
    const waiting = settled.filter(({ reported }) => reported !== present)
    const isDone = waiting.length === 0 && state.isOver
    const next = Math.min(
      ...waiting.map(({ dueAt }) => dueAt),
      ...(state.isOver ? [] : [clock.now() + openLookMs]),
      clock.now() + lookMsMax,
    )
    const callbacksFailed = request.callbacksFailed + givenUp
    const looked = { ...request, callbacks: isDone ? [] : settled, callbacksFailed }
    await requests.update({ request: looked, dueAt: isDone ? undefined : next }, seen)
  }

  async function step(now: number): Promise<void> {
    if (!isActive()) return
    const due = await requests.due(now, looksAtOnce)
    await Promise.all(due.map(look))
    if (due.length === looksAtOnce) again()
    if (clock.now() - forgottenAt < forgetEveryMs) return
    forgottenAt = clock.now()
    await requests.forget(forgottenAt - keptMs)
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        isAwake = false
        const now = clock.now()
        await step(now)
        await untilWoken(now)
      } catch (error) {
        if (stopping.signal.aborted) return
        onError(error)
        await clock.sleep(storeWaitMs, stopping.signal)
      }
    }
  }

  function again(): void {
    isAwake = true
    wake()
  }

  /** @param since the last look at the store. */
  async function untilWoken(since: number): Promise<void> {
    const next = isActive() ? await requests.nextDueAt(since) : undefined
    const left = (next ?? Number.POSITIVE_INFINITY) - clock.now()
    if (isAwake || left <= 0 || stopping.signal.aborted) return
    const waiting = new AbortController()
    wake = () => waiting.abort()
    await clock.sleep(Math.min(pauseMsMax, left), waiting.signal)
  }

  return {
    start: () => {
      running ??= run()
    },
    wake: again,
    deletionsEnded: async (jobs) => {
      for (const [workspaceId, regulationIds] of regulationsOf(jobs))
        await requests.bringForward(workspaceId, regulationIds, clock.now())
      if (jobs.length > 0) again()
    },
    stop: async () => {
      stopping.abort(new Error('the pipeline is stopping'))
      again()
      await running
    },
  }
}

/** Returns the ids of the regulations of jobs, by workspace. */
function regulationsOf(jobs: readonly DeletionJob[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const { workspaceId, regulationId } of jobs) {
    const ids = found.get(workspaceId) ?? []
    if (!ids.includes(regulationId)) ids.push(regulationId)
    found.set(workspaceId, ids)
  }
  return found
}
