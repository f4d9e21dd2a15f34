import { type RegulationErrorCode, regulationErrors } from '@sluice/regulation'
import { type TransformationErrorCode, transformationErrors } from '@sluice/transformations'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

interface ApiErrorTraits {
  readonly status: ContentfulStatusCode
  readonly summary: string
}

/** Errors that do not come from a domain package. */
const httpErrors = {
  unauthorized: { status: 401, summary: 'The access token is missing or invalid.' },
  attemptsTooMany: {
    status: 429,
    summary: 'Too many wrong credentials from this address; wait as long as Retry-After says.',
  },
  scopeMissing: { status: 403, summary: 'The access token does not allow this.' },
  notFound: { status: 404, summary: 'There is nothing at this path.' },
  internal: { status: 500, summary: 'The server failed; the request is not at fault.' },
  unavailable: { status: 503, summary: 'Too many requests are being read; try again later.' },
  suppressionUnavailable: {
    status: 503,
    summary: 'The list of suppressed users is not available; try again in a second.',
  },
  queryInvalid: { status: 400, summary: 'A query parameter is invalid.' },
  bodyInvalid: { status: 400, summary: 'A member of the body is invalid.' },
  bodyInvalidJson: { status: 400, summary: 'The body is not JSON.' },
  bodyInvalidGzip: { status: 400, summary: 'The body starts like gzip but is not valid gzip.' },
  bodyAborted: { status: 400, summary: 'The body did not arrive completely.' },
  bodyTooSlow: { status: 408, summary: 'The body arrived too slowly.' },
  bodyTooLarge: { status: 413, summary: 'The body is too large.' },
  destinationMissing: { status: 404, summary: 'There is no such destination.' },
  sourceMissing: { status: 404, summary: 'There is no such source.' },
  sourceUnconnected: { status: 400, summary: 'The source has no destination.' },
  testUnsupported: { status: 400, summary: 'The Test API does not support destinations of this type.' },
  settingUnknown: { status: 400, summary: 'There is no such setting.' },
  settingsInvalid: { status: 400, summary: 'A setting is invalid.' },
  eventUnknown: { status: 404, summary: 'No such event is known.' },
  workspaceUnknown: { status: 404, summary: 'There is no such workspace.' },
  tapsTooMany: { status: 503, summary: 'Too many clients are watching; try again later.' },
  deadLetterUnknown: { status: 404, summary: 'There is no such dead letter.' },
  deadLettersUnchosen: {
    status: 400,
    summary: 'The request does not say which dead letters; give ids or destinationId.',
  },
  replayBusy: { status: 503, summary: 'Too many events are waiting for the destination; continue later.' },
  replayCursorInvalid: { status: 400, summary: 'Unknown cursor: pass the `next` value of the previous step.' },
  nameMissing: { status: 400, summary: 'The name is missing or blank.' },
  languageUnknown: { status: 400, summary: 'The language is neither javascript nor typescript.' },
  backupRunning: { status: 409, summary: 'A backup is already running.' },
  backupUnsupported: { status: 501, summary: 'The store cannot be backed up.' },
  publishContradicts: { status: 400, summary: 'publish differs between body and query.' },
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

/** Every `code` of an error body `{message, code}`. A new area adds a status for each code of its domain. */
export type ApiErrorCode = keyof typeof httpErrors | TransformationErrorCode | RegulationErrorCode

const domainStatus = { ...transformationStatus, ...regulationStatus }
const domainErrors = { ...transformationErrors, ...regulationErrors }

/** Returns status and meaning of a code, for all areas behind access tokens. */
export function apiError(code: ApiErrorCode): ApiErrorTraits {
  if (isHttpError(code)) return httpErrors[code]
  return { status: domainStatus[code], summary: domainErrors[code] }
}

function isHttpError(code: ApiErrorCode): code is keyof typeof httpErrors {
  return code in httpErrors
}
