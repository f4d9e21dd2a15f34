import { SandboxBusyError } from '@sluice/core'
import { type Result, refused } from '../transformation-error.ts'

/** Runs work that tests code. @returns a refusal where too much code waits for the sandbox already. */
export async function unlessBusy<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SandboxBusyError)
      return refused('busy', 'too much code is waiting for the sandbox; try again later')
    throw error
  }
}
