import type { Destination, Workspace } from '@sluice/core'
import type { CredentialCheck, DestinationDefinition, DestinationRegistry } from '@sluice/destinations'
import Type from 'typebox'
import type { TokenGate } from '../gate/access/token-gate.ts'
import { answer, problem } from '../gate/answer.ts'
import { type Area, createArea } from '../routing/area.ts'

export interface ChecksAreaOptions {
  readonly gate: TokenGate
  readonly destinations: DestinationRegistry
  /** Checks the credentials of a destination within a time limit. Undefined when its definition cannot. */
  checkCredentials(
    workspace: Workspace,
    destination: Destination,
    definition: DestinationDefinition,
  ): Promise<CredentialCheck | undefined>
}

const checkSchema = Type.Object(
  {
    valid: Type.Boolean({ description: 'Whether the product accepts the credentials in the settings.' }),
    reason: Type.Optional(Type.String({ description: 'Why not, secrets masked.' })),
  },
  { additionalProperties: false },
)

/**
 * `POST /v2/destinations/{id}/check`: asks the product whether the credentials of a destination are valid, with a
 * harmless request of its definition. Disabled destinations are checked as well: nothing is delivered. Source:
 * packages/docs/api/test.md#check-credentials.
 */
export function createChecksArea({ gate, destinations, checkCredentials }: ChecksAreaOptions): Area {
  const running = new Map<Destination, Promise<CredentialCheck | undefined>>()

  /** Callers that come while a check runs share its result, so that a product gets one at a time. */
  function checkOnce(
    workspace: Workspace,
    destination: Destination,
    definition: DestinationDefinition,
  ): Promise<CredentialCheck | undefined> {
    const check =
      running.get(destination) ??
      checkCredentials(workspace, destination, definition).finally(() => running.delete(destination))
    running.set(destination, check)
    return check
  }

  return createArea([
    gate.route({
      method: 'post',
      path: '/v2/destinations/{id}/check',
      operationId: 'checkDestination',
      summary: 'Check the credentials of a destination',
      area: 'Test',
      scopes: ['operate'],
      errors: ['destinationMissing', 'checkUnsupported', 'checkUndecided'],
      responses: { 200: { description: 'Whether the credentials are valid.', schema: checkSchema } },
      handle: async ({ workspace, param }) => {
        const destination = workspace.destinations.find(({ id }) => id === param('id'))
        if (destination === undefined)
          return problem('destinationMissing', 'there is no such destination; GET /v2/destinations lists them')
        const { id, type } = destination
        const definition = destinations.get(type)
        const check = definition && (await checkOnce(workspace, destination, definition))
        if (check === undefined)
          return problem(
            'checkUnsupported',
            `destination ${id} is of the type ${type}, whose credentials cannot be checked; send it a test event with POST /v0/testDestination/${id}`,
          )
        if (check.result === 'undecided')
          return problem('checkUndecided', `the product did not say whether the credentials are valid: ${check.reason}`)
        return answer(check.result === 'valid' ? { valid: true } : { valid: false, reason: check.reason })
      },
    }),
  ])
}
