import { RegulationError, type RegulationErrorCode } from '../requests/regulation-error.ts'

/** A request of a controller was refused; nothing was changed. */
export class SubjectRequestError extends RegulationError {
  /** Everything that is wrong, without values of the request. */
  readonly problems: readonly string[]

  constructor(code: RegulationErrorCode, problems: readonly [string, ...string[]]) {
    super(code, problems[0])
    this.problems = problems
  }
}
