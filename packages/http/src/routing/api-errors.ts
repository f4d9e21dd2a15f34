import { type RegulationErrorCode, regulationErrors } from '@sluice/regulation'
import { type TransformationErrorCode, transformationErrors } from '@sluice/transformations'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

interface ApiErrorTraits {
  readonly status: ContentfulStatusCode
  readonly summary: string
}

/** The refusals of HTTP itself, whatever area they happen in. */
const httpErrors = {
  unauthorized: { status: 401, summary: 'No valid access token was given.' },
  attemptsTooMany: { status: 429, summary: 'Too many wrong credentials came from this address; wait for Retry-After.' },
  scopeMissing: { status: 403, summary: 'The access token does not allow this.' },
  notFound: { status: 404, summary: 'There is nothing at this path.' },
  internal: { status: 500, summary: 'Something failed that is not the fault of the request.' },
  unavailable: { status: 503, summary: 'Too many requests are being read; ask again later.' },
  suppressionUnavailable: { status: 503, summary: 'It is not known who is suppressed; ask again in a second.' },
  queryInvalid: { status: 400, summary: 'A query parameter is not what it should be.' },
  bodyInvalid: { status: 400, summary: 'A member of the body is not what it should be.' },
  bodyInvalidJson: { status: 400, summary: 'The body is not JSON.' },
  bodyInvalidGzip: { status: 400, summary: 'The body is not the gzip it looks like.' },
  bodyAborted: { status: 400, summary: 'The body did not arrive whole.' },
  bodyTooSlow: { status: 408, summary: 'The body came too slowly.' },
  bodyTooLarge: { status: 413, summary: 'The body is larger than it may be.' },
  destinationMissing: { status: 404, summary: 'There is no such destination.' },
  sourceMissing: { status: 404, summary: 'There is no such source.' },
  sourceUnconnected: { status: 400, summary: 'The source has no destination.' },
  testUnsupported: { status: 400, summary: 'Destinations of this type cannot be tested.' },
  settingUnknown: { status: 400, summary: 'There is no such setting here.' },
  settingsInvalid: { status: 400, summary: 'A setting is not what it should be.' },
  eventUnknown: { status: 404, summary: 'Nothing is known of such an event.' },
  workspaceUnknown: { status: 404, summary: 'There is no such workspace.' },
  tapsTooMany: { status: 503, summary: 'As many watch as may; ask again later.' },
  deadLetterUnknown: { status: 404, summary: 'There is no such dead letter.' },
  deadLettersUnchosen: { status: 400, summary: 'It is not said which dead letters are meant.' },
  replayBusy: { status: 503, summary: 'Too many events wait for the destination already; go on later.' },
  replayCursorInvalid: { status: 400, summary: 'The place to go on from is none that was given.' },
  nameMissing: { status: 400, summary: 'The name is missing or blank.' },
  languageUnknown: { status: 400, summary: 'The language is neither javascript nor typescript.' },
  backupRunning: { status: 409, summary: 'A backup is being made already.' },
  backupUnsupported: { status: 501, summary: 'The store cannot be backed up.' },
  publishContradicts: { status: 400, summary: 'publish is not the same in the body and in the query.' },
} as const satisfies Record<string, ApiErrorTraits>

const transformationStatus = {
  transformationUnknown: 404,
  libraryUnknown: 404,
  versionUnknown: 404,
  codeTooLarge: 413,
  codeInvalid: 400,
  importNameInvalid: 400,
  importNameTaken: 409,
  destinationsNeedPublish: 400,
  destinationUnknown: 400,
  destinationTaken: 409,
  publishEmpty: 400,
  publishTwice: 400,
  testInputInvalid: 400,
  testsFailed: 400,
  publishBreaks: 400,
  transformationInUse: 409,
  libraryInUse: 409,
  storageFull: 409,
  changedMeanwhile: 409,
  busy: 503,
} as const satisfies Record<TransformationErrorCode, ContentfulStatusCode>

const regulationStatus = {
  regulationTypeUnknown: 400,
  sourcesNotAllowed: 400,
  destinationsNotAllowed: 400,
  sourceUnknown: 400,
  destinationUnknown: 400,
  usersMissing: 400,
  usersTooMany: 400,
  usersInvalid: 400,
  deletionsTooMany: 429,
  cursorInvalid: 400,
  regulationUnknown: 404,
} as const satisfies Record<RegulationErrorCode, ContentfulStatusCode>

/** Every `code` of an answer `{message, code}`. An area joins by a status for each code of its domain. */
export type ApiErrorCode = keyof typeof httpErrors | TransformationErrorCode | RegulationErrorCode

const domainStatus = { ...transformationStatus, ...regulationStatus }
const domainErrors = { ...transformationErrors, ...regulationErrors }

/** One table of status and meaning for the areas that access tokens open. */
export function apiError(code: ApiErrorCode): ApiErrorTraits {
  if (isHttpError(code)) return httpErrors[code]
  return { status: domainStatus[code], summary: domainErrors[code] }
}

function isHttpError(code: ApiErrorCode): code is keyof typeof httpErrors {
  return code in httpErrors
}
