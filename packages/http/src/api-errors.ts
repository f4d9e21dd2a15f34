import { type TransformationErrorCode, transformationErrors } from '@sluice/transformations'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

interface ApiErrorTraits {
  readonly status: ContentfulStatusCode
  readonly summary: string
}

/** The refusals of HTTP itself, whatever area they happen in. */
const httpErrors = {
  unauthorized: { status: 401, summary: 'No valid access token was given.' },
  scopeMissing: { status: 403, summary: 'The access token does not allow this.' },
  notFound: { status: 404, summary: 'There is nothing at this path.' },
  internal: { status: 500, summary: 'Something failed that is not the fault of the request.' },
  unavailable: { status: 503, summary: 'Too many requests are being read; ask again later.' },
  queryInvalid: { status: 400, summary: 'A query parameter is not what it should be.' },
  bodyInvalid: { status: 400, summary: 'A member of the body is not what it should be.' },
  bodyInvalidJson: { status: 400, summary: 'The body is not JSON.' },
  bodyInvalidGzip: { status: 400, summary: 'The body is not the gzip it looks like.' },
  bodyAborted: { status: 400, summary: 'The body did not arrive whole.' },
  bodyTooLarge: { status: 413, summary: 'The body is larger than it may be.' },
  nameMissing: { status: 400, summary: 'The name is missing or blank.' },
  languageUnknown: { status: 400, summary: 'The language is neither javascript nor typescript.' },
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

/** Every `code` of an answer `{message, code}`. An area joins by a status for each code of its domain. */
export type ApiErrorCode = keyof typeof httpErrors | TransformationErrorCode

/** One table of status and meaning for the areas that access tokens open. */
export function apiError(code: ApiErrorCode): ApiErrorTraits {
  if (code in httpErrors) return httpErrors[code as keyof typeof httpErrors]
  const ofDomain = code as TransformationErrorCode
  return { status: transformationStatus[ofDomain], summary: transformationErrors[ofDomain] }
}
