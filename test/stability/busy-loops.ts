import { Worker } from 'node:worker_threads'

/** Keeps processors busy until it is ended, one per loop, as other work on the machine does. */
export function startBusyLoops(count: number): { end(): Promise<void> } {
  const loops = Array.from({ length: count }, () => new Worker('for (;;);', { eval: true }))
  return {
    end: async () => {
      await Promise.all(loops.map((loop) => loop.terminate()))
    },
  }
}
