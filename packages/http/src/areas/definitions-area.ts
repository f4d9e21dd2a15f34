import type { DestinationRegistry } from '@sluice/destinations'
import Type from 'typebox'
import { type Area, createArea } from '../routing/area.ts'

const actionSchema = Type.Object(
  {
    name: Type.String(),
    title: Type.String(),
    description: Type.String(),
    defaultSubscription: Type.Optional(Type.String({ description: 'Condition in FQL.' })),
    batches: Type.Boolean(),
    fields: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema of the payload.' }),
  },
  { additionalProperties: false },
)

const presetSchema = Type.Object(
  {
    name: Type.String(),
    action: Type.String(),
    subscribe: Type.String({ description: 'Condition in FQL.' }),
    isAutomatic: Type.Boolean({ description: 'Whether it applies when settings have no subscriptions.' }),
  },
  { additionalProperties: false },
)

const definitionsSchema = Type.Array(
  Type.Object(
    {
      type: Type.String(),
      name: Type.String(),
      otherTypes: Type.Optional(Type.Array(Type.String(), { description: 'Names that RudderStack has for the type.' })),
      displayName: Type.String(),
      defaultConfig: Type.Array(Type.String(), { description: 'Names of the settings.' }),
      settings: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema of the settings.' }),
      secretKeys: Type.Array(Type.String()),
      supportedMessageTypes: Type.Array(Type.String()),
      isTestable: Type.Boolean({ description: 'Whether the Test API supports it.' }),
      deletesUsers: Type.Boolean({ description: 'Whether users can be deleted there.' }),
      batches: Type.Boolean({ description: 'Whether events are sent together.' }),
      checksCredentials: Type.Boolean({ description: 'Whether POST /v2/destinations/{id}/check works for it.' }),
      hasOwnNetwork: Type.Boolean({
        description: 'Whether it opens connections of its own, to which checks of addresses do not apply.',
      }),
      actions: Type.Optional(Type.Array(actionSchema, { description: 'Actions that subscriptions choose from.' })),
      presets: Type.Optional(Type.Array(presetSchema, { description: 'Suggested subscriptions.' })),
    },
    { additionalProperties: false },
  ),
)

const jsonHeaders = { 'content-type': 'application/json' }

/**
 * `GET /destination-definitions`: the destination types and their settings. Needs no credential. Source:
 * packages/docs/api/test.md#destination-definitions.
 */
export function createDefinitionsArea(destinations: DestinationRegistry): Area {
  // The text is made again only when there are other types.
  let described: { readonly of: unknown; readonly text: string } | undefined
  const textOf = async (): Promise<string> => {
    const of = await destinations.describe()
    if (described?.of !== of) described = { of, text: JSON.stringify(of) }
    return described.text
  }
  return createArea([
    {
      method: 'get',
      path: '/destination-definitions',
      operationId: 'listDestinationDefinitions',
      summary: 'List destination types',
      area: 'Configuration',
      credential: 'open',
      responses: { 200: { description: 'All types.', schema: definitionsSchema } },
      handle: async (context) => context.body(await textOf(), 200, jsonHeaders),
    },
  ])
}
