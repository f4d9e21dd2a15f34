import { useState } from 'preact/hooks'
import { ApiError } from '../api/request.ts'

export interface Action {
  readonly isBusy: boolean
  /** Why the last run failed. */
  readonly problem: string | undefined
  /** What the last run reported. */
  readonly done: string | undefined
  /** Runs something, unless it still runs. @param work returns what is to be reported. */
  run(work: () => Promise<string | undefined>): Promise<void>
}

/** Keeps whether something that the reader asked for runs, and how it ended. */
export function useAction(): Action {
  const [state, setState] = useState<Omit<Action, 'run'>>({ isBusy: false, problem: undefined, done: undefined })
  return {
    ...state,
    run: async (work) => {
      if (state.isBusy) return
      setState({ isBusy: true, problem: undefined, done: undefined })
      try {
        const done = await work()
        setState({ isBusy: false, problem: undefined, done })
      } catch (error) {
        const problem = error instanceof ApiError || error instanceof Error ? error.message : String(error)
        setState({ isBusy: false, problem, done: undefined })
      }
    },
  }
}
