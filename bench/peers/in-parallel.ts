import PQueue from 'p-queue'

/** Creates the function that runs work, so many at a time. */
export function inParallel(concurrency: number): <T>(work: () => Promise<T>) => Promise<T> {
  const queue = new PQueue({ concurrency })
  return (work) => queue.add(work)
}
