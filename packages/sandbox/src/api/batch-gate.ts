/** Lets in a few calls of each batch at a time, and so many in all. */
export interface BatchGate {
  /**
   * Runs `call` when its turn has come. `signal` stands for the batch: all calls of one batch come with the same.
   * @throws Error when the batch has had its calls, or is over before its turn.
   */
  enter<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T>
}

interface BatchState {
  calls: number
  running: number
  readonly waiting: (() => void)[]
}

export function createBatchGate(concurrency: number, callsPerBatchMax: number): BatchGate {
  // A batch that is over takes its state with it.
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
        // The place goes to the next in line, else it becomes free.
        const next = state.waiting.shift()
        if (next === undefined) state.running -= 1
        else next()
      }
    },
  }
}
