import { type ConfigurationErrorCode, configurationErrors } from '@sluice/configuration'
import { type RegulationErrorCode, regulationErrors } from '@sluice/regulation'
import { type TransformationErrorCode, transformationErrors } from '@sluice/transformations'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

export interface ApiErrorTraits {
  readonly status: ContentfulStatusCode
  readonly summary: string
}

/** Errors that do not come from a domain package, by status. */
const httpErrors = {
  400: {
    requestInvalid: 'The address or the Host header of the request is invalid, or it is not HTTP.',
    queryInvalid: 'A query parameter is invalid.',
    bodyInvalid: 'A member of the body is invalid.',
    bodyInvalidJson: 'The body is not JSON.',
    bodyUnknownMember: 'The body has a member that does not exist.',
    bodyInvalidGzip: 'The body starts like gzip but is not valid gzip.',
    bodyInvalidEncoding: 'The body is not encoded as Content-Encoding says.',
    bodyAborted: 'The body did not arrive completely.',
    sourceUnconnected: 'The source has no destination.',
    testUnsupported: 'The Test API does not support destinations of this type.',
    checkUnsupported: 'Credentials of destinations of this type cannot be checked.',
    settingUnknown: 'There is no such setting.',
    settingsInvalid: 'A setting is invalid.',
    deadLettersUnchosen: 'The request does not say which dead letters; give ids or destinationId.',
    rangeInvalid: 'The range of time and the length of its slots do not fit.',
    queryInvalidSql: 'The query fails; the message says why.',
    replayCursorInvalid: 'Unknown cursor: pass the `next` value of the previous step.',
    nameMissing: 'The name is missing or blank.',
    nameTooLong: 'The name has more than 200 characters.',
    languageUnknown: 'The language is neither javascript nor typescript.',
    publishContradicts: 'publish differs between body and query.',
    ifMatchInvalid: 'The header If-Match is not the ETag of a record.',
    memberReadOnly: 'A read-only member differs from what is stored.',
    planPartUnknown: 'There is no such event, property, custom type, category, tracking plan or source.',
    planPartTaken: 'A part of tracking plans with this name or external id already exists.',
    planPartInvalid: 'A part of tracking plans is invalid, or says what events cannot be checked for.',
    planPartUsed: 'Others use the part of tracking plans.',
    featureUnsupported: 'Sluice has no counterpart of this part of RudderStack.',
  },
  401: {
    unauthorized: 'The access token is missing or invalid.',
    studioLinkUsed: 'The link of the studio was used already: it signs in once. Get another one from the server.',
    studioLinkExpired:
      'The link of the studio has expired: it is valid for ten minutes. Get another one from the server.',
  },
  403: {
    scopeMissing: 'The access token does not allow this.',
    originForeign: 'A page of another origin cannot change anything here: call the API from a server.',
  },
  404: {
    notFound: 'There is nothing at this path.',
    destinationMissing: 'There is no such destination.',
    sourceMissing: 'There is no such source.',
    eventUnknown: 'No such event is known.',
    modelUnknown: 'The catalogue has no such event.',
    workspaceUnknown: 'There is no such workspace.',
    deadLetterUnknown: 'There is no such dead letter.',
    jobUnknown: 'There is no such job.',
  },
  405: {
    methodNotAllowed: 'The path exists, but not with this method; `Allow` lists those it has.',
  },
  408: {
    bodyTooSlow: 'The body arrived too slowly.',
    requestTooSlow: 'The headers or the body of the request arrived too slowly.',
  },
  409: {
    backupRunning: 'A backup is already running.',
    circuitNotOpen: 'Nothing keeps events from the destination that a try could end.',
  },
  413: {
    bodyTooLarge: 'The body is too large.',
  },
  415: {
    bodyTypeUnsupported: 'The body is of a type other than JSON.',
    bodyEncodingUnsupported: 'The body has a content encoding other than gzip, deflate and br.',
  },
  417: {
    expectationFailed: 'The request expects something other than 100-continue.',
  },
  429: {
    searchesTooMany: 'Too many searches of the workspace are under way; try again after the time in Retry-After.',
    attemptsTooMany: 'These credentials are wrong too, after too many others; try again after the time in Retry-After.',
  },
  431: {
    headersTooLarge: 'The headers of the request are too large.',
  },
  500: {
    internal: 'The server failed; the request is not at fault.',
    bodyConsumed: 'The program that Sluice is mounted in has read the body before.',
  },
  501: {
    backupUnsupported: 'The store cannot be backed up.',
  },
  502: {
    checkUndecided: 'The product gave no answer that shows whether the credentials are valid; try again later.',
  },
  503: {
    warehouseUnavailable: 'The warehouse cannot be asked; the message says why.',
    unavailable: 'Too many requests are being read, or wait for the sandbox; try again later.',
    suppressionUnavailable: 'The list of suppressed users is not available; try again in a second.',
    tapsTooMany: 'Too many clients are watching; try again later.',
    jobsTooMany: 'Too many jobs are under way; wait for one, or stop one.',
    replayBusy: 'Too many events are waiting for the destination; continue later.',
  },
} as const satisfies Partial<Record<ContentfulStatusCode, Readonly<Record<string, string>>>>

type HttpErrors = typeof httpErrors
type HttpErrorCode = { [Status in keyof HttpErrors]: keyof HttpErrors[Status] }[keyof HttpErrors]

const transformationStatus = {
  transformationUnknown: 404,
  libraryUnknown: 404,
  versionUnknown: 404,
  codeTooLarge: 413,
  codeInvalid: 400,
  importNameInvalid: 400,
  importNameFixed: 400,
  importNameTaken: 409,
  externalIdTaken: 409,
  destinationsNeedPublish: 400,
  eventsNeedPublish: 400,
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
  sourcesMissing: 400,
  destinationsMissing: 400,
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
  deletionsNone: 409,
  deletionNotAborted: 409,
  deletionNotWaiting: 409,
  deletionsOpen: 409,
  ledgerMissing: 409,
  ledgerUnreadable: 409,
  identityUnknown: 400,
  certificateInvalid: 400,
  subjectRequestInvalid: 400,
  subjectRequestTaken: 400,
  subjectRequestUnknown: 404,
  subjectRequestBegun: 400,
  subjectUnknown: 400,
  subjectAmbiguous: 400,
  resultsMissing: 404,
} as const satisfies Record<RegulationErrorCode, ContentfulStatusCode>

const configurationStatus = {
  recordUnknown: 404,
  recordTaken: 409,
  recordChanged: 412,
  // RudderStack's clients recognise this refusal by its status and by "active connections" in its text.
  recordConnected: 400,
  externalIdTaken: 409,
  managedByFile: 409,
  configurationInvalid: 400,
  configurationFull: 409,
  configurationBusy: 503,
  eventsWaiting: 409,
} as const satisfies Record<ConfigurationErrorCode, ContentfulStatusCode>

/** Every `code` of an error body `{message, code}`. A new area adds a status for each code of its domain. */
export type ApiErrorCode = HttpErrorCode | TransformationErrorCode | RegulationErrorCode | ConfigurationErrorCode

const domainStatus = { ...transformationStatus, ...regulationStatus, ...configurationStatus }
const domainErrors = { ...transformationErrors, ...regulationErrors, ...configurationErrors }
const httpTraits = Object.fromEntries(
  Object.entries(httpErrors).flatMap(([status, summaries]) =>
    Object.entries(summaries).map(([code, summary]) => [code, { status: Number(status), summary }]),
  ),
) as Readonly<Record<HttpErrorCode, ApiErrorTraits>>
const domainTraits = Object.fromEntries(
  Object.entries(domainErrors).map(([code, summary]) => [
    code,
    { status: domainStatus[code as keyof typeof domainStatus], summary },
  ]),
) as Readonly<Record<keyof typeof domainErrors, ApiErrorTraits>>

/** Status and meaning of each code of the areas behind access tokens. */
export const apiErrors: Readonly<Record<ApiErrorCode, ApiErrorTraits>> = { ...httpTraits, ...domainTraits }

/** Returns status and meaning of a code, for all areas behind access tokens. */
export function apiError(code: ApiErrorCode): ApiErrorTraits {
  return apiErrors[code]
}
