import { readFileSync } from 'node:fs'

/** CPU time of this thread, so that other work on a busy machine does not count. Where Linux is missing, the time. */
function threadMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
  } catch {
    return performance.now()
  }
}

/** Returns the longest turn of the event loop while `work` ran, in milliseconds of this thread. */
export async function longestTurn<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly turnMs: number }> {
  let turnMs = 0
  let last = threadMs()
  const look = (): void => {
    const now = threadMs()
    turnMs = Math.max(turnMs, now - last)
    last = now
  }
  const timer = setInterval(look, 5)
  const result = await work()
  look()
  clearInterval(timer)
  return { result, turnMs }
}
