import type { IngestErrorCode } from '@sluice/pipeline'

/** HTTP status of every ingestion error. Source: packages/docs/api/ingestion.md#refusals. */
export const ingestStatus = {
  writeKeyMissing: 401,
  writeKeyMissingInQuery: 401,
  writeKeyUnknown: 401,
  writeKeysDiffer: 400,
  sourceDisabled: 404,
  bodyMissing: 400,
  bodyTooLarge: 413,
  bodyTooSlow: 408,
  bodyAborted: 400,
  bodyInvalidGzip: 400,
  bodyInvalidEncoding: 400,
  bodyTypeUnsupported: 415,
  bodyEncodingUnsupported: 415,
  bodyInvalidJson: 400,
  eventInvalid: 400,
  batchEmpty: 400,
  identityMissing: 400,
  unavailable: 503,
} as const satisfies Record<IngestErrorCode, number>
