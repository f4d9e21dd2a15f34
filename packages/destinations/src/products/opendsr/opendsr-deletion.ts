import { isJsonObject, type JsonObject } from '@sluice/core'
import { defined } from '@sluice/core/defined'
import { customerIdType, identifierName } from '@sluice/core/opendsr'
import {
  configurationError,
  type DeletionProgress,
  type DeletionRule,
  type DestinationReply,
  encodeSegment,
  instrumentationError,
  isMappingError,
  json,
  type MappingError,
  query,
} from '../../kit/index.ts'
import { opendsrExamples } from './opendsr-examples.ts'
import type { OpendsrSettings } from './opendsr-settings.ts'

/**
 * Orders the erasure of each user from a processor, and asks for its status until that is `completed`.
 *
 * Source: OpenDSR specification, 7 and 8.
 */
export const opendsrDeletion: DeletionRule = {
  usersMax: 1,
  identifier: (settings) => identifierName(typesOf(settings as OpendsrSettings)[0]),
  requests([user = {}], given, { now, requestId }) {
    const settings = given as OpendsrSettings
    const address = addressOf(settings)
    if (isMappingError(address)) return address
    const types = typesOf(settings)
    const identities = types.flatMap((type) => {
      const value = user[identifierName(type)]
      return typeof value === 'string' && value !== ''
        ? { identity_type: type, identity_value: value, identity_format: 'raw' }
        : []
    })
    if (identities[0]?.identity_type !== types[0])
      return instrumentationError(`${identifierName(types[0])} is needed to delete a user`)
    return [
      json({
        method: 'POST',
        endpoint: address,
        headers: { 'Content-Type': 'application/json', ...headersOf(settings) },
        body: {
          regulation: settings.regulation ?? 'gdpr',
          subject_request_id: requestId,
          subject_request_type: 'erasure',
          submitted_time: new Date(now).toISOString(),
          subject_identities: identities,
          api_version: '2.0',
        },
      }),
    ]
  },
  follow: {
    question(requestId, given) {
      const settings = given as OpendsrSettings
      const endpoint = `${settings.address}/${encodeSegment(requestId)}`
      return query({ method: 'GET', endpoint, headers: headersOf(settings) })
    },
    progress: progressOf,
  },
  examples: opendsrExamples,
}

/** Reads the status of a request. Only the processor can say that it has erased something. */
function progressOf({ body }: Pick<DestinationReply, 'body'>, requestId: string): DeletionProgress {
  const { subject_request_id: id, request_status: status } = isJsonObject(body) ? body : ({} as JsonObject)
  if (id !== requestId) return { state: 'unclear', reason: `the answer is not about the request ${requestId}` }
  if (status === 'completed') return { state: 'done', note: `the processor reports request ${requestId} as completed` }
  if (status === 'pending' || status === 'in_progress')
    return { state: 'open', reason: `request ${requestId} was accepted and is ${status}` }
  if (status === 'cancelled') return { state: 'refused', reason: `request ${requestId} was cancelled there` }
  return { state: 'unclear', reason: `request ${requestId} has a status that OpenDSR does not have` }
}

function typesOf({ identityTypes = [] }: OpendsrSettings): readonly [string, ...string[]] {
  const [first = customerIdType, ...more] = identityTypes
  return [first, ...more]
}

function addressOf({ address }: OpendsrSettings): string | MappingError {
  return address ? address : configurationError('address is needed to delete users')
}

function headersOf({ authorization }: OpendsrSettings): Readonly<Record<string, string>> {
  return defined({ Accept: 'application/json', Authorization: authorization || undefined })
}
