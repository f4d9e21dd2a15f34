import type { JsonObject } from '@sluice/core'
import type { Certificates, CertificateVerification } from '@sluice/regulation'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { type Answer, answer, problem } from '../../gate/answer.ts'
import { type Area, createArea } from '../../routing/area.ts'
import { certificateSchema, idsBody, verificationBody, verificationSchema } from './certificate-schemas.ts'
import { refusing } from './refusing.ts'

export interface CertificatesAreaOptions {
  readonly gate: TokenGate
  readonly certificates: Certificates
}

const area = 'Data Regulation'
const problems = ['regulationUnknown', 'deletionsNone', 'deletionsOpen', 'ledgerMissing', 'ledgerUnreadable'] as const
const made = { 200: { description: 'The certificate.', schema: certificateSchema } }

/** Certificates of deletion: `/v2/regulations/{id}/certificate`. Source: packages/docs/api/regulations.md#certificates. */
export function createCertificatesArea({ gate, certificates }: CertificatesAreaOptions): Area {
  return createArea([
    gate.route({
      method: 'get',
      path: '/v2/regulations/{id}/certificate',
      operationId: 'certifyDeletion',
      summary: 'Certify the deletion of a person, signed and without ids',
      area,
      scopes: ['operate'],
      errors: problems,
      responses: made,
      handle: ({ workspace, param }) =>
        refusing(async () => known(await certificates.make(workspace.id, param('id')), answer)),
    }),
    gate.route({
      method: 'post',
      path: '/v2/regulations/{id}/certificate',
      operationId: 'certifyDeletionWithIds',
      summary: 'Certify the deletion of a person, with ids that the caller knows',
      area,
      scopes: ['operate'],
      body: idsBody,
      errors: [...problems, 'identityUnknown'],
      responses: made,
      handle: ({ workspace, param, body }) =>
        refusing(async () => known(await certificates.make(workspace.id, param('id'), body.ids), answer)),
    }),
    gate.route({
      method: 'post',
      path: '/v2/regulations/{id}/verification',
      operationId: 'verifyCertificate',
      summary: 'Check a certificate of deletion, and search the person again',
      area,
      scopes: ['operate'],
      body: verificationBody,
      errors: ['regulationUnknown', 'ledgerMissing', 'ledgerUnreadable', 'certificateInvalid'],
      responses: { 200: { description: 'What the certificate is worth now.', schema: verificationSchema } },
      handle: ({ workspace, param, body }) =>
        refusing(async () => {
          const given = body.certificate as JsonObject
          return known(await certificates.verify(workspace.id, param('id'), given), verificationAnswer)
        }),
    }),
  ])
}

function known<Value>(value: Value | undefined, show: (value: Value) => Answer): Answer {
  return value === undefined
    ? problem('regulationUnknown', 'there is no such regulation; GET /v2/regulations lists them')
    : show(value)
}

function verificationAnswer({ search, ...checks }: CertificateVerification): Answer {
  return answer({
    ...checks,
    searched: search.searched.map(({ since, ...place }) => ({
      ...place,
      since: since === undefined ? undefined : new Date(since).toISOString(),
    })),
    notSearched: search.notSearched,
  })
}
