import {
  identityTypes,
  openDsrPath,
  openDsrVersion,
  processorDomain,
  type SubjectRequests,
  subjectRequestTypes,
} from '@sluice/regulation'
import Type from 'typebox'
import { type Answer, send } from '../../../gate/answer.ts'
import { problemResponses } from '../../../gate/problem-responses.ts'
import type { Route } from '../../../routing/route.ts'
import { refusing } from '../refusing.ts'
import { discoverySchema } from './opendsr-schemas.ts'

/** Routes that need no credential: controllers fetch the certificate to check signatures, and it is public. */
export function discoveryRoutes(
  requests: Pick<SubjectRequests, 'isSupported' | 'certificate'>,
  addressOf: (url: string) => string,
): readonly Route[] {
  const open = { method: 'get', area: 'OpenDSR', credential: 'open' } as const
  return [
    {
      ...open,
      path: `${openDsrPath}/discovery`,
      operationId: 'discoverOpenDsr',
      summary: 'Describe what is supported of OpenDSR',
      responses: { 200: { description: 'What is supported.', schema: discoverySchema } },
      handle: (context) => {
        const address = addressOf(context.req.url)
        return context.json({
          api_version: openDsrVersion,
          supported_identities: identityTypes.map((type) => ({ identity_type: type, identity_format: 'raw' })),
          supported_subject_request_types: requests.isSupported ? subjectRequestTypes : [],
          processor_certificate: `${address}${openDsrPath}/certificate`,
          extensions: requests.isSupported
            ? undefined
            : { [processorDomain(address)]: { reason: 'the server has no ledger of regulations' } },
        })
      },
    },
    {
      ...open,
      path: `${openDsrPath}/certificate`,
      operationId: 'fetchOpenDsrCertificate',
      summary: 'Fetch the certificate of the key that signs answers and call-backs',
      responses: {
        200: { description: 'X.509, as PEM.', schema: Type.String(), contentType: 'text/plain' },
        ...problemResponses(['ledgerMissing', 'ledgerUnreadable']),
      },
      handle: async (context) => {
        const domain = processorDomain(addressOf(context.req.url))
        const certificate = async (): Promise<Answer> => ({ status: 200, text: await requests.certificate(domain) })
        return send(context, await refusing(certificate))
      },
    },
  ]
}
