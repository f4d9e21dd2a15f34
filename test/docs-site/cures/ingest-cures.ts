import type { IngestErrorCode } from '@sluice/pipeline'

export interface IngestCure {
  readonly cause: string
  readonly cure: string
}

/** Cause and cure of each refusal of ingestion. The texts themselves are those that RudderStack's senders know. */
export const ingestCures: Readonly<Record<IngestErrorCode, IngestCure>> = {
  writeKeyMissing: {
    cause: 'The request has no Basic authentication, or its user name is empty.',
    cure: 'Send the write key as user name with an empty password: `curl -u WRITE_KEY: …`.',
  },
  writeKeyMissingInQuery: {
    cause: 'A beacon, pixel or webhook has no query parameter `writeKey`.',
    cure: 'Add `?writeKey=WRITE_KEY` to the address.',
  },
  writeKeyUnknown: {
    cause: 'No source has this write key.',
    cure: 'Compare it with `sluice sources list`; after a rotation, use the new one.',
  },
  sourceDisabled: { cause: 'The source is switched off.', cure: 'Enable it, or stop sending.' },
  bodyMissing: { cause: 'The body is empty.', cure: 'Send an event, or `{"batch": […]}`.' },
  bodyTooLarge: {
    cause: 'The body, one event, their number or their values exceed a limit; the text says which.',
    cure: 'Send smaller batches. The limits are [options](options.md).',
  },
  bodyTooSlow: {
    cause: 'The body did not arrive within the time limit.',
    cure: 'Send smaller batches over slow connections, and send again.',
  },
  bodyAborted: { cause: 'The connection ended before the whole body had arrived.', cure: 'Send it again.' },
  bodyInvalidGzip: { cause: 'The body starts like gzip but is not valid gzip.', cure: 'Compress it once, and whole.' },
  bodyInvalidEncoding: {
    cause: 'The body is not compressed as `Content-Encoding` says.',
    cure: 'Correct the header, or leave out the compression.',
  },
  bodyTypeUnsupported: {
    cause: 'The body is not JSON, and `Content-Type` names another type.',
    cure: 'Send JSON with `Content-Type: application/json`.',
  },
  bodyEncodingUnsupported: {
    cause: 'The body has a compression other than gzip, deflate and br.',
    cure: 'Use one of these, or none.',
  },
  bodyInvalidJson: {
    cause: 'The body is not JSON, or `batch` is not a list.',
    cure: 'Check the body with a JSON parser.',
  },
  eventInvalid: {
    cause: 'An event is not an object, has no known type, or lacks a member that its type needs.',
    cure: 'See what [events](../behaviour/events.md) need.',
  },
  batchEmpty: { cause: 'The list `batch` is empty.', cure: 'Send at least one event.' },
  identityMissing: {
    cause: 'An event has neither `userId` nor `anonymousId`.',
    cure: 'Give it one of them. SDKs do this by themselves.',
  },
  unavailable: {
    cause: 'The store has no room, or the list of suppressed users is unavailable.',
    cure: 'Send the request again after the seconds in `Retry-After`. If that fails again, see `/health` and the log of the server.',
  },
}
