import Type from 'typebox'
import { privateKeyword } from '../../routing/validator.ts'

const closed = { additionalProperties: false }
const time = (description: string) => Type.String({ description: `${description}, ISO 8601.` })

export const certificateSchema = Type.Object(
  {
    certificate_version: Type.Literal(1),
    subject_request_id: Type.String({ description: 'Id of the regulation.' }),
    subject_request_type: Type.Literal('erasure'),
    controller_id: Type.String({ description: 'Id of the workspace.' }),
    received_time: time('When the regulation was created'),
    expected_completion_time: time('When the last deletion ended'),
    request_status: Type.Enum(['completed', 'incomplete', 'cancelled']),
    subject_identities: Type.Array(
      Type.Object(
        {
          identity_type: Type.String({ description: 'controller_customer_id for the userId.' }),
          identity_format: Type.Enum(['hmac-sha256', 'raw'], {
            description: 'A fingerprint under the key of the ledger, or an id that the caller gave.',
          }),
          identity_value: Type.String(),
        },
        closed,
      ),
    ),
    places: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          destination_id: Type.Optional(Type.String({ description: "Absent for Sluice's own data." })),
          destination_type: Type.Optional(Type.String()),
          searched_by: Type.Array(Type.String(), { description: 'Names of identifiers.' }),
          status: Type.Enum(['complete', 'found', 'aborted', 'not_supported', 'not_requested', 'done_by_hand']),
          reason: Type.Optional(Type.String({ description: 'Why it is not complete.' })),
          deleted: Type.Optional(Type.String({ description: 'What the place reported of the deletion.' })),
          ended_time: Type.Optional(time('When the deletion ended')),
        },
        closed,
      ),
      { description: 'Every place that may have had data of the person.' },
    ),
    kept: Type.Array(Type.String(), { description: 'What is kept of the person, and why.' }),
    ledger: Type.Object(
      {
        place: Type.String(),
        id: Type.String(),
        chain: Type.String(),
        line: Type.Integer(),
        hash: Type.String({ description: 'SHA-256 of the line, base64url.' }),
        written_time: time('When the line was written'),
      },
      { ...closed, description: 'Line of the ledger that has the regulation.' },
    ),
    issued_time: time('When the certificate was made'),
    processor: Type.String({ description: 'Name and version of what deleted.' }),
    processor_public_key: Type.String({ description: 'Ed25519, base64.' }),
    processor_signature: Type.String({
      description: 'Ed25519 signature of the canonical text (RFC 8785) of all other members, base64.',
    }),
  },
  closed,
)

export const idsBody = Type.Object({
  ids: Type.Record(Type.String(), Type.String({ [privateKeyword]: true }), {
    description: 'ids of the person by name, such as userId and email, to be written into the certificate',
    examples: [{ userId: 'user-42', email: 'u42@shop.test' }],
    [privateKeyword]: true,
  }),
})

export const verificationBody = Type.Object({
  certificate: Type.Record(Type.String(), Type.Unknown(), {
    description: 'a certificate, as it was received',
    [privateKeyword]: true,
  }),
})

export const verificationSchema = Type.Object(
  {
    holds: Type.Boolean({
      description: 'Whether signature, key and ledger are right, all was searched that can be, and nothing was found.',
    }),
    isSigned: Type.Boolean({ description: 'Whether it is as it was signed, by the public key in it.' }),
    isLedgerKey: Type.Boolean({ description: 'Whether that key is the one that is kept with the ledger.' }),
    ledgerProblem: Type.Optional(
      Type.String({ description: 'What is wrong with the chain up to the line. Absent when nothing is.' }),
    ),
    isCanceled: Type.Boolean({ description: 'Whether events of the person are accepted again.' }),
    canceledAt: Type.Optional(time('Since when, by the ledger')),
    searched: Type.Array(
      Type.Object(
        {
          where: Type.String(),
          destinationId: Type.Optional(Type.String({ description: "Absent for Sluice's own data." })),
          count: Type.Integer({ description: 'Records of the person.' }),
          note: Type.Optional(Type.String({ description: 'What was found, or by what it was searched.' })),
          since: Type.Optional(time('Time of the oldest')),
        },
        closed,
      ),
    ),
    notSearched: Type.Array(
      Type.Object(
        {
          where: Type.String(),
          destinationId: Type.Optional(Type.String({ description: "Absent for Sluice's own data." })),
          reason: Type.String(),
          hasFailed: Type.Optional(
            Type.Literal(true, { description: 'The place can be searched, but was not: nothing is proved.' }),
          ),
        },
        closed,
      ),
    ),
  },
  closed,
)
