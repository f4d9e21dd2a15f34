import type { EngineSource, SandboxLimits } from '@sluice/sandbox'
import type { CodeToTry, CodeTrial } from '@sluice/transformations'
import { startWorker } from '../workers/start-worker.ts'
import { fetchEngine } from './fetch-engine.ts'
import { type FromWorker, loading, type ToWorker, waiting, whole } from './sandbox-messages.ts'
import workerUrl from './sandbox-worker.ts?worker&url'

/** What a trial ends with: what became of the events, or whose code had to be ended after how many milliseconds. */
type Ended = { readonly trial: CodeTrial } | { readonly hung: number; readonly limitMs: number }

/** Time beyond the limit of user code, in which the engine itself interrupts almost all code. */
const graceMs = 120
/** Time for loading the Worker and compiling the engine; 0.1 s are usual. */
const startMs = 30_000

let engine: Promise<EngineSource> | undefined

/** A Worker that runs one trial at a time, under a watchdog. */
export interface WorkerThread {
  /**
   * Runs code on events. After `hung` or an error, only `end` may be called.
   * @throws Error when the Worker cannot start or breaks.
   */
  run(code: CodeToTry): Promise<Ended>
  /** Ends the Worker, whatever it does. */
  end(): void
}

/**
 * Starts a Worker. The engine is fetched by the page, because the policy of the Worker lets it reach nothing. Each Worker
 * compiles it, about 10 ms: Firefox refuses the page, which may run no WebAssembly, a compiled engine to pass on.
 */
export function startThread(limits: SandboxLimits): WorkerThread {
  const worker = startWorker(workerUrl, 'sandbox')
  const send = (message: ToWorker): void => worker.postMessage(message)
  engine ??= fetchEngine()
  const failed = engine.then(
    (bytes) => send({ kind: 'start', engine: bytes, limits }),
    () => {
      engine = undefined
    },
  )
  return {
    run: (code) =>
      new Promise((resolve, reject) => {
        let timer: ReturnType<typeof setTimeout> | undefined
        const watch = (limitMs: number, onTime: () => void): void => {
          clearTimeout(timer)
          // The page itself may have been busy: messages that wait are read first.
          timer = setTimeout(() => {
            timer = setTimeout(onTime)
          }, limitMs)
        }
        const fail = (message: string): void => {
          clearTimeout(timer)
          reject(new Error(message))
        }
        worker.onerror = ({ message }) => fail(message || 'the Worker of the sandbox cannot be loaded')
        worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
          if (data.kind === 'broken') fail(data.message)
          if (data.kind === 'tried') {
            clearTimeout(timer)
            resolve({ trial: data.trial })
          }
          if (data.kind !== 'enter') return
          const limitMs = limitOf(data.whose, code.events.length, limits)
          watch(limitMs + graceMs, () => resolve({ hung: data.whose, limitMs }))
        }
        watch(startMs, () => fail('the Worker of the sandbox did not start'))
        void failed.then(() =>
          engine ? send({ kind: 'try', code }) : fail('the engine of the sandbox cannot be loaded'),
        )
      }),
    end: () => worker.terminate(),
  }
}

function limitOf(whose: number, count: number, { eventTimeMs, batchTimeMs, asyncTimeMs }: SandboxLimits): number {
  if (whose === waiting) return asyncTimeMs
  if (whose === loading) return eventTimeMs
  return Math.min(batchTimeMs, whose === whole ? eventTimeMs * count : eventTimeMs)
}
