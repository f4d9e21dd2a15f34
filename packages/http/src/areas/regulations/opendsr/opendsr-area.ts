import type { Clock, JsonObject } from '@sluice/core'
import {
  commonMembers,
  openDsrPath,
  processorDomain,
  SubjectRequestError,
  type SubjectRequests,
  statusAnswer,
} from '@sluice/regulation'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { TokenGate } from '../../../gate/access/token-gate.ts'
import { type Answer, problem } from '../../../gate/answer.ts'
import { type Area, createArea } from '../../../routing/area.ts'
import { refusing } from '../refusing.ts'
import { discoveryRoutes } from './discovery-routes.ts'
import { withOpenDsrErrors } from './opendsr-errors.ts'
import {
  cancellationSchema,
  receiptSchema,
  requestBody,
  resultsSchema,
  signedResponse,
  statusSchema,
} from './opendsr-schemas.ts'

export interface OpenDsrAreaOptions {
  readonly gate: TokenGate
  readonly requests: SubjectRequests
  readonly clock: Pick<Clock, 'now'>
  /** Returns the address of the server for others, without a slash at its end. @param url of a request. */
  addressOf(url: string): string
}

/** The answer repeats the request in Base64. */
const requestBytesMax = 64 * 1_024
const area = 'OpenDSR'
const unknown = 'there is no request with this subject_request_id in the workspace of the token'

/** OpenDSR 2.0, as a processor: `/opendsr/v2`. Source: packages/docs/api/opendsr.md. */
export function createOpenDsrArea({ gate, requests, clock, addressOf }: OpenDsrAreaOptions): Area {
  /** Answers signed; the signature covers exactly what is sent. */
  const signed = async (status: ContentfulStatusCode, body: JsonObject, origin: string, id: string) => {
    const text = JSON.stringify(body)
    const headers = {
      'Content-Type': 'application/json',
      'X-OpenDSR-Processor-Domain': processorDomain(addressOf(origin)),
      'X-OpenDSR-Signature': await requests.sign(text),
    }
    return { status, text, headers, audited: id }
  }
  const routes = [
    gate.route({
      method: 'post',
      path: `${openDsrPath}/requests`,
      operationId: 'createSubjectRequest',
      summary: 'Request the erasure of a person, or a report of what is held',
      area,
      scopes: ['write', 'operate'],
      body: requestBody,
      errors: [
        'subjectRequestInvalid',
        'subjectRequestTaken',
        'subjectUnknown',
        'subjectAmbiguous',
        'usersInvalid',
        'deletionsTooMany',
        'ledgerMissing',
        'ledgerUnreadable',
        'suppressionUnavailable',
      ],
      responses: { 201: signedResponse('The request is taken, or was before.', receiptSchema) },
      handle: ({ workspace, body, bytes, origin }) =>
        refusingRequest(async () => {
          if (bytes.length > requestBytesMax)
            return problem('bodyTooLarge', `The body has ${bytes.length} bytes; ${requestBytesMax} are allowed.`)
          const request = await requests.create(workspace.id, body as JsonObject, addressOf(origin))
          const state = await requests.find(workspace.id, request.id)
          return signed(
            201,
            {
              ...commonMembers(request),
              expected_completion_time: new Date(state?.expectedAt ?? request.receivedAt).toISOString(),
              received_time: new Date(request.receivedAt).toISOString(),
              encoded_request: Buffer.from(bytes).toString('base64'),
            },
            origin,
            request.id,
          )
        }),
    }),
    gate.route({
      method: 'get',
      path: `${openDsrPath}/requests/{id}`,
      operationId: 'getSubjectRequest',
      summary: 'Report the status of a request',
      area,
      scopes: ['operate'],
      errors: ['subjectRequestUnknown', 'ledgerMissing', 'ledgerUnreadable'],
      responses: { 200: signedResponse('The status.', statusSchema) },
      handle: ({ workspace, param, origin }) =>
        refusingRequest(async () => {
          const state = await requests.find(workspace.id, param('id'))
          if (state === undefined) return problem('subjectRequestUnknown', unknown)
          return signed(200, statusAnswer(state), origin, state.request.id)
        }),
    }),
    gate.route({
      method: 'delete',
      path: `${openDsrPath}/requests/{id}`,
      operationId: 'cancelSubjectRequest',
      summary: 'Cancel a pending erasure, from the next batch on',
      area,
      scopes: ['write', 'operate'],
      errors: [
        'subjectRequestUnknown',
        'subjectRequestBegun',
        'ledgerMissing',
        'ledgerUnreadable',
        'suppressionUnavailable',
      ],
      responses: { 202: signedResponse('The request is cancelled, or already was.', cancellationSchema) },
      handle: ({ workspace, param, origin }) =>
        refusingRequest(async () => {
          const request = await requests.cancel(workspace.id, param('id'))
          if (request === undefined) return problem('subjectRequestUnknown', unknown)
          const received_time = new Date(clock.now()).toISOString()
          return signed(202, { ...commonMembers(request), received_time }, origin, request.id)
        }),
    }),
    gate.route({
      method: 'get',
      path: `${openDsrPath}/requests/{id}/results`,
      operationId: 'getSubjectRequestResults',
      summary: 'Fetch the certificate of an erasure, or the report of a person',
      area,
      scopes: ['operate'],
      errors: ['subjectRequestUnknown', 'resultsMissing', 'ledgerMissing', 'ledgerUnreadable'],
      responses: { 200: signedResponse('The results.', resultsSchema) },
      handle: ({ workspace, param, origin }) =>
        refusingRequest(async () => {
          const results = await requests.results(workspace.id, param('id'))
          if (results === undefined) return problem('subjectRequestUnknown', unknown)
          return signed(200, results as JsonObject, origin, param('id'))
        }),
    }),
  ]
  return createArea([...discoveryRoutes(requests, addressOf), ...routes].map(withOpenDsrErrors))
}

/** Answers what is refused, everything that is wrong with it at once. */
async function refusingRequest(work: () => Promise<Answer>): Promise<Answer> {
  return refusing(async () => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof SubjectRequestError)) throw error
      return problem(error.code, error.message, { problems: [...error.problems] })
    }
  })
}
