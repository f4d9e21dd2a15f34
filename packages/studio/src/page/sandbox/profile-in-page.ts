import type { Profile } from '@sluice/testing/profile'
import type { CodeToTry } from '@sluice/transformations'
import { startWorker } from '../workers/start-worker.ts'
import { fetchEngine } from './fetch-engine.ts'
import type { FromProfileWorker, ToProfileWorker } from './profile-sandbox-worker.ts'
import workerUrl from './profile-sandbox-worker.ts?worker&url'

/** How long the events are run, and how long the page waits in all: loading, and code that is slow or hangs. */
const timeMs = 500
const answerMs = 20_000

/**
 * Measures which lines of code take time, in a Worker of its own that ends with the answer.
 * @throws Error when the code cannot be loaded, or has not ended in time.
 */
export async function profileInPage(code: CodeToTry): Promise<Profile> {
  const engine = await fetchEngine()
  const worker = startWorker(workerUrl, 'profile')
  try {
    return await new Promise<Profile>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error('The lines could not be measured: the code does not end.')),
        answerMs,
      )
      const over = (problem: string): void => {
        clearTimeout(timer)
        reject(new Error(problem))
      }
      worker.onerror = ({ message }) => over(message || 'The Worker that measures lines cannot be loaded.')
      worker.onmessage = ({ data }: MessageEvent<FromProfileWorker>) => {
        if ('problem' in data) return over(data.problem)
        clearTimeout(timer)
        resolve(data.profile)
      }
      worker.postMessage({ engine, code, timeMs } satisfies ToProfileWorker)
    })
  } finally {
    worker.terminate()
  }
}
