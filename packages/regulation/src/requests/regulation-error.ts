/** Every reason for refusing a request about regulations. */
export const regulationErrors = {
  regulationTypeUnknown: 'The regulationType is unknown.',
  sourcesNotAllowed: 'sourceIds is not allowed with suppress_with_delete.',
  destinationsNotAllowed: 'destinationIds is not allowed with suppress.',
  sourcesMissing: 'sourceIds is an empty list.',
  destinationsMissing: 'destinationIds is an empty list.',
  sourceUnknown: 'The workspace has no source with that id.',
  destinationUnknown: 'The workspace has no destination with that id.',
  usersMissing: 'The request names no user.',
  usersTooMany: 'The request names too many users.',
  usersInvalid: 'One or more users are invalid; the details say which and why.',
  deletionsTooMany: 'The request exceeds the hourly limit of deletions.',
  cursorInvalid: 'after_cursor is not a cursor of an earlier page.',
  regulationUnknown: 'The workspace has no regulation with that id.',
  deletionsNone: 'The regulation deletes nothing.',
  deletionNotWaiting: 'The deletion at this destination does not wait to be tried again.',
  deletionNotAborted: 'The deletion at this destination was not aborted.',
  deletionsOpen: 'Deletions of the regulation are not over yet.',
  ledgerMissing: 'The server keeps no ledger of regulations.',
  ledgerUnreadable: 'The ledger cannot be read, or does not have the regulation.',
  identityUnknown: 'An id is not one of the person in the regulation.',
  certificateInvalid: 'This is no certificate of the regulation.',
  subjectRequestInvalid: 'The request is none of OpenDSR 2.0, or asks for something that is not supported.',
  subjectRequestTaken: 'Another request has the same subject_request_id.',
  subjectRequestUnknown: 'The workspace has no request with that subject_request_id.',
  subjectRequestBegun: 'The request is no longer pending, so it cannot be cancelled.',
  subjectUnknown: 'No user with these identities is known.',
  subjectAmbiguous: 'Several users have these identities.',
  resultsMissing: 'The request has no results yet.',
} as const satisfies Record<string, string>

export type RegulationErrorCode = keyof typeof regulationErrors

/** What is wrong with a user of a request, by index. Never contains the user's identifiers. */
export interface UserProblem {
  readonly index: number
  readonly message: string
}

/** A request was refused; nothing was changed. */
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
