import { type Destination, type Event, isEventType, type JsonObject, type Workspace } from '@sluice/core'
import { createSecretMask, type DestinationDefinition, type DestinationRegistry } from '@sluice/destinations/kit'
import type { Trial, TrialResult } from '@sluice/pipeline'
import Type from 'typebox'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { type Answer, answer, problem } from '../../gate/answer.ts'
import { type Area, createArea } from '../../routing/area.ts'
import { settingsOfCall } from '../settings-of-call.ts'
import { shownResult } from './shown-result.ts'
import { disabledSchema, messageSchema, resultSchema, trialBody, trialQuery } from './trial-schemas.ts'

export interface TrialAreaOptions {
  readonly gate: TokenGate
  readonly destinations: DestinationRegistry
  /** Runs a trial; see `tryDestination` of the pipeline. Rejects when it takes too long. */
  tryDestination(trial: Trial): Promise<readonly TrialResult[]>
}

/**
 * Test API: sends one event through one destination, or through all destinations of a source, and returns the result of
 * each stage. Stages are off unless requested. Secret settings are masked in the result. They are sent only to the
 * origin of the stored settings: when `destinationConfig` leads to another origin, they are left out and `notices` says
 * so, unless the token has the scope write. Events lead them nowhere else, whatever the token.
 *
 * RudderStack documents no statuses. Here, an unsupported message and a disabled source are 400, and a disabled
 * destination is 200. Source: packages/docs/api/test.md.
 */
export function createTrialArea({ gate, destinations, tryDestination }: TrialAreaOptions): Area {
  const area = 'Test'
  const shared = { method: 'post', area, scopes: ['operate'], query: trialQuery, body: trialBody } as const
  const refusals = { 400: { description: 'The test did not run.', schema: messageSchema } }

  /** Tests one destination and returns its part of the answer. */
  const tryOne = async (
    workspace: Workspace,
    destination: Destination,
    definition: DestinationDefinition,
    call: Omit<Trial, 'workspace' | 'destination' | 'definition'>,
  ) => {
    const results = await tryDestination({ workspace, destination, definition, ...call })
    const mask = createSecretMask(definition, call.settings)
    return {
      destinationId: destination.id,
      destination: definition.type,
      destinationName: destination.name,
      data: results.map((result) => shownResult(result, mask)),
    }
  }

  return createArea([
    gate.route({
      ...shared,
      path: '/v0/testDestination/{id}',
      operationId: 'testDestination',
      summary: 'Test a destination with one event',
      errors: ['destinationMissing', 'testUnsupported', 'settingUnknown', 'settingsInvalid', 'unavailable'],
      responses: {
        200: { description: 'The result of each stage.', schema: Type.Union([resultSchema, disabledSchema]) },
        ...refusals,
      },
      handle: async ({ workspace, param, query, body, allows }) => {
        const destination = workspace.destinations.find(({ id }) => id === param('id'))
        if (destination === undefined) return problem('destinationMissing', noDestination)
        const refused = messageProblem(body.message)
        if (refused !== undefined) return refused
        if (!destination.enabled && query.force !== 'true') return answer(disabled(destination))
        const definition = destinations.get(destination.type)
        if (definition === undefined || !isTestable(definition)) return unsupported(destination)
        const settings = settingsOfCall(
          'destinationConfig',
          definition,
          destination,
          body.destinationConfig as JsonObject | undefined,
        )
        if (!settings.ok) return settings.answer
        const call = {
          settings: settings.settings,
          stored: allows('write') ? undefined : destination.settings,
          sourceId: '',
          ...callOf(body),
        }
        return answer(await tryOne(workspace, destination, definition, call))
      },
    }),
    gate.route({
      ...shared,
      path: '/v0/testSource/{id}',
      operationId: 'testSource',
      summary: 'Test all destinations of a source with one event',
      errors: ['sourceMissing', 'sourceUnconnected', 'settingUnknown', 'unavailable'],
      responses: {
        200: {
          description: 'The results by destination, in the order of the connections.',
          schema: Type.Array(Type.Union([resultSchema, disabledSchema])),
        },
        ...refusals,
      },
      handle: async ({ workspace, param, query, body }) => {
        const source = workspace.sources.find(({ id }) => id === param('id'))
        if (source === undefined) return problem('sourceMissing', noSource)
        const refused = messageProblem(body.message)
        if (refused !== undefined) return refused
        if (body.destinationConfig !== undefined)
          return problem(
            'settingUnknown',
            'destinationConfig is allowed only for the test of one destination; leave it out',
          )
        const isForced = query.force === 'true'
        if (!source.enabled && !isForced) return refusal(`Source with ${source.id} is disabled`)
        const connected = workspace.connections.flatMap(({ sourceId, destinationId }) =>
          sourceId === source.id ? workspace.destinations.filter(({ id }) => id === destinationId) : [],
        )
        if (connected.length === 0)
          return problem('sourceUnconnected', `source ${source.id} has no destination; connect one`)
        const results = connected.map((destination) => {
          if (!destination.enabled && !isForced) return disabled(destination)
          const definition = destinations.get(destination.type)
          if (definition === undefined || !isTestable(definition)) return shownUnsupported(destination)
          const call = { settings: destination.settings, sourceId: source.id, ...callOf(body) }
          return tryOne(workspace, destination, definition, call)
        })
        return answer(await Promise.all(results))
      },
    }),
  ])
}

const noDestination = 'there is no such destination; GET /v2/destinations lists them'

const noSource = 'there is no such source; GET /v2/sources lists them'

/** Returns a body without `code`, because clients compare these bodies as a whole. */
function refusal(message: string): Answer {
  return { status: 400, body: { message } }
}

function messageProblem(message: unknown): Answer | undefined {
  const type = typeof message === 'object' && message !== null && 'type' in message ? message.type : undefined
  if (typeof type !== 'string') return refusal('message type missing or invalid')
  return isEventType(type) ? undefined : refusal('message type is unsupported')
}

interface TrialBody {
  readonly stage: {
    readonly user_transform?: boolean
    readonly dest_transform?: boolean
    readonly send_to_destination?: boolean
  }
  readonly message?: unknown
}

function callOf({ stage, message }: TrialBody): Pick<Trial, 'message' | 'stages'> {
  return {
    message: message as Event,
    stages: {
      userTransform: stage.user_transform ?? false,
      destinationTransform: stage.dest_transform ?? false,
      send: stage.send_to_destination ?? false,
    },
  }
}

function disabled({ id, name }: Destination) {
  return { destinationId: id, destinationName: name, error: `Destination with id ${id} is disabled` }
}

const unsupportedText = ({ id, type }: Destination): string =>
  `destination ${id} is of the type ${type}, which delivers on its own; the Test API does not support it`

const unsupported = (destination: Destination): Answer => problem('testUnsupported', unsupportedText(destination))

function shownUnsupported(destination: Destination) {
  return { destinationId: destination.id, destinationName: destination.name, error: unsupportedText(destination) }
}

/** Source: packages/docs/api/test.md#unsupported-destinations. */
const isTestable = (definition: DestinationDefinition): boolean => definition.isTestable !== false
