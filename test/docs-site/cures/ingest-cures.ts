import type { IngestErrorCode } from '@sluice/pipeline'

export interface IngestCure {
  readonly cause: string
  readonly cure: string
}

/** Cause and cure of each refusal of ingestion. The texts themselves are those that RudderStack's senders know. */
export const ingestCures: Readonly<Record<IngestErrorCode, IngestCure>> = {
  writeKeyMissing: {
    cause: 'The request has no Basic authentication, or its user name is empty, and the body has no `writeKey`.',
    cure: 'Send the write key as user name with an empty password: `curl -u WRITE_KEY: …`, or as `writeKey` of the body.',
  },
  writeKeyMissingInQuery: {
    cause: 'A beacon, pixel or webhook has no query parameter `writeKey`.',
    cure: 'Add `?writeKey=WRITE_KEY` to the address.',
  },
  writeKeyUnknown: {
    cause: 'No source has this write key.',
    cure: 'Compare it: `sluice sources show ID` shows the write key to a token with the scope `write`. After a rotation the former one is valid for a day, or as long as the rotation said.',
  },
  writeKeysDiffer: {
    cause: 'The body, or the first event of its batch, has another `writeKey` than the request.',
    cure: 'Send the write key in one place, or the same one in both.',
  },
  sourceDisabled: {
    cause: 'The source is switched off.',
    cure: 'Enable it with `sluice sources update ID --enabled true`, or stop sending.',
  },
  bodyMissing: { cause: 'The body is empty.', cure: 'Send an event, or `{"batch": […]}`.' },
  bodyTooLarge: {
    cause:
      'The body has more than 4,000 KiB (decompressed), 20,000 events or 1,000,000 values, or is compressed and inflates to more than 200 times its size; the text says which.',
    cure: 'Send smaller batches.',
  },
  bodyTooSlow: {
    cause: 'After ten seconds, less than 4 KiB a second of the body had arrived.',
    cure: 'Send again, in smaller batches or compressed.',
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
    cause:
      'The body or an event is not an object, an event has more than 256 levels, or its `messageId`, `userId` or `anonymousId` has more than 1,000 characters. A pixel lacks the name of its event.',
    cure: 'Correct the event; one of them refuses the whole call. The [order of the checks](../api/ingestion.md#order-of-the-checks) has all rules.',
  },
  batchEmpty: { cause: 'The list `batch` is empty.', cure: 'Send at least one event.' },
  identityMissing: {
    cause: 'An event has neither `userId` nor `anonymousId`, or both are blank.',
    cure: 'Give it one of them. SDKs do this by themselves.',
  },
  unavailable: {
    cause:
      'Nothing was taken: the store or the room for bodies is full, the list of suppressed users cannot be read, a stage of the embedding program threw, or the process stops or is cut off from its cluster.',
    cure: 'Send the request again after the seconds in `Retry-After`; SDKs do. If it keeps failing: `GET /health` and `GET /ready` say why, `GET /v1/usage` what is full.',
  },
}
