import { availableParallelism } from 'node:os'
import { requireWorkerFile } from '../pool/pool-worker.ts'
import type { ThreadsPort } from '../pool/threads-port.ts'
import { WorkerPool } from '../pool/worker-pool.ts'

export const threads: ThreadsPort | undefined = {
  workersByDefault: Math.max(1, availableParallelism() - 1),
  createPool: (options) => {
    requireWorkerFile()
    return new WorkerPool(options)
  },
}
