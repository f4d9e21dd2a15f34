import type { Source } from '@sluice/core'
import { type DestinationRegistry, maskedText, maskSettings } from '@sluice/destinations'
import Type from 'typebox'
import { answer } from '../gate/answer.ts'
import type { TokenGate } from '../gate/token-gate.ts'
import { type Area, createArea } from '../routing/area.ts'

export interface ConfigurationOptions {
  readonly gate: TokenGate
  readonly destinations: DestinationRegistry
}

const closed = { additionalProperties: false }
const paging = Type.Object({ total: Type.Integer() }, closed)
const sourcesSchema = Type.Object(
  {
    sources: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          name: Type.String(),
          writeKey: Type.String({ description: `Masked (${maskedText}) unless the token has the scope write.` }),
          enabled: Type.Boolean(),
          observe: Type.Optional(
            Type.Object(
              {
                samples: Type.Boolean(),
                values: Type.Boolean(),
                maskPaths: Type.Array(Type.String()),
                detectors: Type.Array(Type.String()),
              },
              { ...closed, description: 'Parts of its events that the schema catalogue keeps.' },
            ),
          ),
        },
        closed,
      ),
    ),
    paging,
  },
  closed,
)
const destinationsSchema = Type.Object(
  {
    destinations: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          name: Type.String(),
          type: Type.String(),
          enabled: Type.Boolean(),
          config: Type.Record(Type.String(), Type.Unknown(), { description: 'The settings, secrets masked.' }),
          transformation: Type.Optional(
            Type.Object(
              { id: Type.Optional(Type.String()), name: Type.String(), versionId: Type.String() },
              { ...closed, description: 'The connected transformation. Has no id when the workspace file defines it.' },
            ),
          ),
        },
        closed,
      ),
    ),
    paging,
  },
  closed,
)

/**
 * `GET /v2/sources` and `GET /v2/destinations`: the sources and destinations of the token's workspace, with secret
 * settings masked. Source: packages/docs/api/regulations.md#sources-and-destinations.
 */
export function createConfigurationArea({ gate, destinations }: ConfigurationOptions): Area {
  const shared = { method: 'get', area: 'Configuration', scopes: ['read'], errors: [] } as const
  return createArea([
    gate.route({
      ...shared,
      path: '/v2/sources',
      operationId: 'listSources',
      summary: 'The sources of the workspace',
      responses: { 200: { description: 'All sources.', schema: sourcesSchema } },
      handle: ({ workspace, allows }) => {
        // A write key is enough to send events, so it is a secret.
        const shown = (source: Source): Source => (allows('write') ? source : { ...source, writeKey: maskedText })
        return answer({ sources: workspace.sources.map(shown), paging: { total: workspace.sources.length } })
      },
    }),
    gate.route({
      ...shared,
      path: '/v2/destinations',
      operationId: 'listDestinations',
      summary: 'The destinations of the workspace',
      responses: { 200: { description: 'All destinations.', schema: destinationsSchema } },
      handle: ({ workspace }) => {
        const listed = workspace.destinations.map(({ settings, transformation, ...destination }) => {
          const definition = destinations.get(destination.type)
          const runs = transformation && {
            ...(transformation.id === undefined ? {} : { id: transformation.id }),
            name: transformation.name,
            versionId: transformation.versionId,
          }
          return {
            ...destination,
            config: definition ? maskSettings(definition, settings) : {},
            ...(runs ? { transformation: runs } : {}),
          }
        })
        return answer({ destinations: listed, paging: { total: listed.length } })
      },
    }),
  ])
}
