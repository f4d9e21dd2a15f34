import { ProjectError } from '@sluice/testing'
import { CliError } from '../../cli-error.ts'

/** Runs work on a project. @throws CliError in place of its ProjectErrors. */
export async function withProjectErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof ProjectError ? new CliError(error.message) : error
  }
}
