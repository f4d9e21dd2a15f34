import { availableParallelism } from 'node:os'
import { WorkerPool } from './pool/worker-pool.ts'
import type { ThreadsPort } from './threads-port.ts'

export const threads: ThreadsPort | undefined = {
  workersByDefault: Math.max(1, availableParallelism() - 1),
  createPool: (options) => new WorkerPool(options),
}
