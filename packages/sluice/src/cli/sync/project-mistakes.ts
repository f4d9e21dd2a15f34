import { ProjectError } from '@sluice/testing'
import { CliError } from '../cli-error.ts'

/** Does work on a project; what is wrong with that is something to mend. @throws CliError for it. */
export async function projectMistakes<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof ProjectError ? new CliError(error.message) : error
  }
}
