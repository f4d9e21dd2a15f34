/** Every way in which a request about regulations is refused. */
export const regulationErrors = {
  regulationTypeUnknown: 'The regulationType is none of those there are.',
  sourcesNotAllowed: 'sourceIds came with suppress_with_delete.',
  destinationsNotAllowed: 'destinationIds came with suppress.',
  sourceUnknown: 'The workspace has no source of that id.',
  destinationUnknown: 'The workspace has no destination of that id.',
  usersMissing: 'No user was named.',
  usersTooMany: 'More users were named than one request may have.',
  usersInvalid: 'One or more users cannot be regulated as they are; the details say which and why.',
  deletionsTooMany: 'More deletions were asked for than an hour may have.',
  cursorInvalid: 'after_cursor is not one that a list gave.',
  regulationUnknown: 'The workspace has no regulation of that id.',
} as const satisfies Record<string, string>

export type RegulationErrorCode = keyof typeof regulationErrors

/** What is wrong with a user of a request, by place in it. Never holds the user's identifiers. */
export interface UserProblem {
  readonly index: number
  readonly message: string
}

/** A request was refused; nothing was done. */
export class RegulationError extends Error {
  override readonly name = 'RegulationError'
  readonly code: RegulationErrorCode
  readonly users: readonly UserProblem[]

  constructor(code: RegulationErrorCode, message: string, users: readonly UserProblem[] = []) {
    super(message)
    this.code = code
    this.users = users
  }
}
