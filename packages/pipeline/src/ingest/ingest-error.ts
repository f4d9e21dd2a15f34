/** Every way ingestion refuses, with the text senders know. Source: packages/docs/api/ingestion.md#refusals. */
export const ingestErrors = {
  writeKeyMissing: 'failed to read writekey from header',
  writeKeyMissingInQuery: 'failed to read writekey from query params',
  writeKeyUnknown: 'invalid write key',
  writeKeysDiffer: 'the write keys in header and body differ',
  sourceDisabled: 'source is disabled',
  bodyMissing: 'request body is nil',
  bodyTooLarge: 'request size exceeds max limit',
  bodyTooSlow: 'request body came too slowly',
  bodyAborted: 'request body was cut off',
  bodyInvalidGzip: 'invalid gzip body',
  bodyInvalidEncoding: 'invalid deflate or br body',
  bodyTypeUnsupported: 'content type is not json',
  bodyEncodingUnsupported: 'content encoding is not supported',
  bodyInvalidJson: 'invalid json',
  eventInvalid: 'event is not a valid rudder event',
  batchEmpty: 'empty batch payload',
  identityMissing: 'request neither has anonymousId nor userId',
  unavailable: 'service unavailable',
} as const

export type IngestErrorCode = keyof typeof ingestErrors
