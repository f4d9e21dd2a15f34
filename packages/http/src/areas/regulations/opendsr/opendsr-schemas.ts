import { identityTypes, subjectRequestTypes } from '@sluice/regulation'
import Type, { type TSchema } from 'typebox'
import type { ResponseDescription } from '../../../routing/route.ts'
import { deferredKeyword, privateKeyword } from '../../../routing/validator.ts'

const closed = { additionalProperties: false }
const time = (description: string) => Type.String({ description: `${description}, RFC 3339.` })

/** Members that every answer about a request has. */
const common = {
  controller_id: Type.String({ description: 'Id of the workspace.' }),
  subject_request_id: Type.String({ description: 'UUID of version 4 that the controller made.' }),
  api_version: Type.String({ description: 'Version of OpenDSR.' }),
}

const own = { [deferredKeyword]: true, [privateKeyword]: true }

/** A request. The handler checks the members, so that one answer has all that is wrong; those that OpenDSR does not have are ignored. */
export const requestBody = Type.Object(
  {
    regulation: Type.Enum(['gdpr', 'ccpa'], { ...own, description: 'gdpr or ccpa' }),
    subject_request_id: Type.String({ ...own, description: 'a UUID of version 4 in lower case' }),
    subject_request_type: Type.Enum([...subjectRequestTypes], { ...own, description: subjectRequestTypes.join(', ') }),
    submitted_time: Type.String({ ...own, description: 'when the person made the request, RFC 3339' }),
    subject_identities: Type.Array(
      Type.Object({
        identity_type: Type.Enum([...identityTypes]),
        identity_value: Type.String(),
        identity_format: Type.Literal('raw'),
      }),
      { ...own, description: 'a list of 1 to 20 identities of one person' },
    ),
    api_version: Type.Optional(Type.String({ ...own, description: '2.0' })),
    status_callback_urls: Type.Optional(
      Type.Array(Type.String(), { ...own, description: 'at most 10 addresses to call when the status changes' }),
    ),
    extensions: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { ...own, description: 'objects by the domain of a processor' }),
    ),
  },
  {
    additionalProperties: true,
    examples: [
      {
        regulation: 'gdpr',
        subject_request_id: 'a7551968-d5d6-44b2-9831-815ac9017798',
        subject_request_type: 'erasure',
        submitted_time: '2026-10-02T15:00:00Z',
        subject_identities: [
          { identity_type: 'controller_customer_id', identity_value: 'user-42', identity_format: 'raw' },
        ],
        api_version: '2.0',
        status_callback_urls: ['https://privacy.shop.test/opendsr/callbacks'],
      },
    ],
  },
)

export const receiptSchema = Type.Object(
  {
    ...common,
    expected_completion_time: time('When the request is expected to be over'),
    received_time: time('When the request came'),
    encoded_request: Type.String({ description: 'The request in Base64, as it was sent.' }),
  },
  closed,
)

export const statusSchema = Type.Object(
  {
    ...common,
    expected_completion_time: time('When the request was, or is expected to be, over'),
    request_status: Type.Enum(['pending', 'in_progress', 'completed', 'cancelled']),
    results_url: Type.Optional(Type.String({ description: 'Address of the certificate, or of the report.' })),
    results_count: Type.Optional(Type.Integer({ description: 'Records that the report counts.' })),
    extensions: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'By the domain of this processor: `is_over`, `regulation_ids`, the numbers of `deletions` (total, complete, open, aborted), and of `callbacks` (open, failed).',
    }),
  },
  closed,
)

export const cancellationSchema = Type.Object({ ...common, received_time: time('When the cancellation came') }, closed)

export const discoverySchema = Type.Object(
  {
    api_version: Type.String({ description: 'Version of OpenDSR.' }),
    supported_identities: Type.Array(
      Type.Object({ identity_type: Type.String(), identity_format: Type.Literal('raw') }, closed),
    ),
    supported_subject_request_types: Type.Array(Type.Enum([...subjectRequestTypes]), {
      description: 'Empty when the server has no ledger.',
    }),
    processor_certificate: Type.String({ description: 'Address of the X.509 certificate of the key that signs.' }),
    extensions: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  closed,
)

export const resultsSchema = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'For an erasure, the certificate, as `GET /v2/regulations/{id}/certificate` answers, or one with a list of such `certificates` where the person has several ids; else the report of the user, as `GET /v2/users/{userId}/report` answered when the request came.',
})

/** Describes an answer that is signed. */
export function signedResponse(description: string, schema: TSchema): ResponseDescription {
  return {
    description,
    schema,
    headers: {
      'X-OpenDSR-Processor-Domain': 'Domain that the request was sent to.',
      'X-OpenDSR-Signature': 'Ed25519 signature of the body, in Base64.',
    },
  }
}
