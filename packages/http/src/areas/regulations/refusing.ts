import { RegulationError, SuppressionUnavailableError } from '@sluice/regulation'
import { type Answer, problem } from '../../gate/answer.ts'

/** Answers what the domain refuses with its code and message. */
export async function refusing(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RegulationError) {
      const users = error.users.map(({ index, message }) => ({ index, message }))
      return problem(error.code, error.message, users.length > 0 ? { users } : undefined)
    }
    if (error instanceof SuppressionUnavailableError)
      return problem(
        'suppressionUnavailable',
        `${error.message}; the change is stored and takes effect once they are available. Repeating is safe.`,
      )
    throw error
  }
}
