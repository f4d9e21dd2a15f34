import { byHandReason, type DeletionJob, ownData } from './deletion-job.ts'
import type { DeletionTarget } from './deletion-store.ts'
import { runDeletionTurn, storeWaitMs } from './deletion-turn.ts'
import { DeletionTurns } from './deletion-turns.ts'
import type { DeletionsOptions } from './deletions-options.ts'

/** Longest wait before the store is checked again, because setting the clock back does not shorten a wait. */
const lookMsMax = 60_000

/** Runs deletion jobs until each is complete or aborted. */
export interface Deletions {
  start(): Promise<void>
  /** Call this after adding jobs. */
  wake(): void
  /** Returns the jobs of a regulation, ordered by destination. */
  ofRegulation(workspaceId: string, regulationId: string): Promise<readonly DeletionJob[]>
  /**
   * Notes that a person has deleted the data of a user at a destination where no program could: its job was aborted.
   * @returns false when there is no such job: Sluice's own data, and what waits for ids, is not done by hand.
   */
  doneByHand(workspaceId: string, regulationId: string, done: DoneByHand): Promise<boolean>
  /**
   * Tries a deletion now that failed and waits to be tried again, in whichever process runs deletions.
   * @returns false when none of the regulation waits so at the destination.
   */
  tryNow(workspaceId: string, regulationId: string, destinationId: string): Promise<boolean>
  /** Waits up to `deadlineMs` for running jobs, then aborts them. Unfinished jobs continue after a restart. */
  stop(deadlineMs: number): Promise<void>
}

/** A deletion that a person has done. */
interface DoneByHand {
  readonly destinationId: string
  readonly who: string
  /** How it was done. It appears in reports and certificates. */
  readonly note: string
}

export function createDeletions(options: DeletionsOptions): Deletions {
  const { store, clock, isActive = () => true, onError } = options
  const stopping = new AbortController()
  const turns = new DeletionTurns()
  let stopRequested = false
  let wake: () => void = () => {}
  let isAwake = false
  let running: Promise<void> | undefined
  /** Whether jobs that were running when a process ended are due again. */
  let hasResumed = false

  async function work(target: DeletionTarget): Promise<void> {
    if (stopRequested) return
    try {
      await runDeletionTurn(target, { ...options, stopping: stopping.signal })
    } catch (error) {
      onError(error)
      await clock.sleep(storeWaitMs, stopping.signal)
    }
  }

  /** A process that takes over continues the jobs of the one before it. */
  async function isMine(): Promise<boolean> {
    const wasActive = hasResumed
    hasResumed = isActive()
    if (hasResumed && !wasActive) await store.resume()
    return hasResumed
  }

  async function run(): Promise<void> {
    while (!stopRequested) {
      try {
        isAwake = false
        const due = (await isMine()) ? await store.due(clock.now()) : []
        for (let next = turns.next(due); next; next = turns.next(due)) {
          const target = next
          turns.begin(target, () => work(target), again)
        }
        await untilWoken()
      } catch (error) {
        onError(error)
        await clock.sleep(storeWaitMs, stopping.signal)
      }
    }
  }

  function again(): void {
    isAwake = true
    wake()
  }

  async function untilWoken(): Promise<void> {
    const next = await store.nextDueAt(clock.now())
    if (isAwake || stopRequested) return
    const waiting = new AbortController()
    wake = () => waiting.abort()
    await clock.sleep(
      Math.max(1, Math.min(lookMsMax, (next ?? Number.POSITIVE_INFINITY) - clock.now())),
      waiting.signal,
    )
  }

  return {
    async start() {
      await isMine()
      running ??= run()
    },
    wake() {
      // Another process runs them, or this one soon: it is woken when it does.
      if (isActive()) again()
    },
    ofRegulation: (workspaceId, regulationId) => store.ofRegulation(workspaceId, regulationId),
    async doneByHand(workspaceId, regulationId, { destinationId, who, note }) {
      const jobs = await store.ofRegulation(workspaceId, regulationId)
      const job = jobs.find((each) => each.destinationId === destinationId)
      // One that never began waits for ids, which may be found.
      if (job?.status !== 'aborted' || job.attempts === 0 || destinationId === ownData) return false
      return store.complete(workspaceId, regulationId, destinationId, byHandReason(who, note))
    },
    async tryNow(workspaceId, regulationId, destinationId) {
      if (!(await store.bringForward(workspaceId, regulationId, destinationId, clock.now()))) return false
      if (isActive()) again()
      else options.onBroughtForward?.()
      return true
    },
    async stop(deadlineMs) {
      stopRequested = true
      again()
      const timer = setTimeout(() => stopping.abort(new Error('the pipeline is stopping')), deadlineMs)
      await running
      await turns.ended()
      clearTimeout(timer)
      stopping.abort()
    },
  }
}
