import { type DestinationRegistry, publicDefinition } from '@sluice/destinations'
import Type from 'typebox'
import { type Area, createArea } from '../routing/route.ts'

const definitionsSchema = Type.Array(
  Type.Object(
    {
      type: Type.String(),
      name: Type.String(),
      displayName: Type.String(),
      defaultConfig: Type.Array(Type.String(), { description: 'Names of the settings.' }),
      settings: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema of the settings.' }),
      secretKeys: Type.Array(Type.String()),
      supportedMessageTypes: Type.Array(Type.String()),
      isTestable: Type.Boolean({ description: 'Whether the Test API supports it.' }),
    },
    { additionalProperties: false },
  ),
)

/**
 * `GET /destination-definitions`: the destination types and their settings. Needs no credential. Source:
 * packages/docs/api/test.md#destination-definitions.
 */
export function createDefinitionsArea(destinations: DestinationRegistry): Area {
  return createArea([
    {
      method: 'get',
      path: '/destination-definitions',
      operationId: 'listDestinationDefinitions',
      summary: 'List destination types',
      area: 'Configuration',
      credential: 'open',
      responses: { 200: { description: 'All types.', schema: definitionsSchema } },
      handle: (context) => context.json(destinations.list().map(publicDefinition)),
    },
  ])
}
