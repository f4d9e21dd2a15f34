/** Limits how many calls a batch makes at the same time and in total. */
interface BatchGate {
  /**
   * Runs `call` when its turn comes. `signal` identifies the batch: all calls of a batch pass the same one.
   * @throws Error when the batch has used up its calls, or ends before the turn of this call.
   */
  enter<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T>
}

interface BatchState {
  calls: number
  running: number
  readonly waiting: (() => void)[]
}

export function createBatchGate(concurrency: number, callsPerBatchMax: number): BatchGate {
  // The state of a batch is collected together with its signal.
  const states = new WeakMap<AbortSignal, BatchState>()
  const stateOf = (signal: AbortSignal): BatchState => {
    const state = states.get(signal) ?? { calls: 0, running: 0, waiting: [] }
    states.set(signal, state)
    return state
  }
  return {
    async enter(signal, call) {
      const state = stateOf(signal)
      state.calls += 1
      if (state.calls > callsPerBatchMax)
        throw new Error(`fetch was called more than ${callsPerBatchMax} times in one batch`)
      if (state.running >= concurrency) await new Promise<void>((resolve) => state.waiting.push(resolve))
      else state.running += 1
      try {
        if (signal.aborted) throw new Error('the batch is over')
        return await call()
      } finally {
        // The place passes to the next waiting call, if any; otherwise it becomes free.
        const next = state.waiting.shift()
        if (next === undefined) state.running -= 1
        else next()
      }
    },
  }
}
