import { Worker } from 'node:worker_threads'
import { requireThreadFile } from '@sluice/core/thread-file'
import type { PublicDefinition } from '@sluice/destinations'

/** Loading all definitions takes about a second. */
const timeMsMax = 60_000

/** The compiled entry, also when the sources run: a thread of Node 20 cannot load TypeScript. */
const entry = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/family/describe-thread.js' : './describe-thread.js',
  import.meta.url,
)

/**
 * Returns the public descriptions of all definitions of an installed package. They are loaded in a thread that is
 * ended afterwards, so that the 150 MB they take are free again, and the event loop is not held.
 *
 * @param folder of `@segment/action-destinations`.
 * @throws Error when the thread fails, or takes longer than a minute.
 */
export function describeInThread(folder: string): Promise<readonly PublicDefinition[]> {
  return new Promise((resolve, reject) => {
    requireThreadFile(entry, 'of the definitions of Segment')
    const thread = new Worker(entry, { workerData: folder, execArgv: [], env: {} })
    const timer = setTimeout(() => {
      reject(new Error(`Describing the definitions in ${folder} took longer than ${timeMsMax} ms.`))
      void thread.terminate()
    }, timeMsMax)
    thread.unref()
    thread.once('message', (descriptions: readonly PublicDefinition[]) => {
      resolve(descriptions)
      // Modules of definitions may have started timers, which would keep it running.
      void thread.terminate()
    })
    thread.once('error', reject)
    thread.once('exit', () => {
      clearTimeout(timer)
      reject(new Error(`The definitions in ${folder} could not be described.`))
    })
  })
}
