import type { Engine } from '@sluice/pipeline'
import Type from 'typebox'
import type { Route } from '../../../routing/route.ts'
import { refusals, refuse, writeKeyQuery } from '../ingest-route.ts'
import { writeKeyOf } from '../write-key-of.ts'

interface SourceConfigOptions {
  readonly engine: Pick<Engine, 'sourceOf' | 'workspaces'>
  /** ISO 8601. SDKs of phones require it. */
  readonly updatedAt: string
}

const closed = { additionalProperties: false }
const reporting = Type.Object({ enabled: Type.Literal(false) }, closed)
const sourceConfig = Type.Object(
  {
    source: Type.Object(
      {
        id: Type.String(),
        name: Type.String(),
        writeKey: Type.String(),
        enabled: Type.Boolean({ description: 'SDKs send nothing for a disabled source.' }),
        workspaceId: Type.String(),
        config: Type.Object(
          { statsCollection: Type.Object({ errors: reporting, metrics: reporting }, closed) },
          closed,
        ),
        destinations: Type.Array(Type.Unknown(), {
          maxItems: 0,
          description: 'Destinations that SDKs send to by themselves: none.',
        }),
        connections: Type.Array(Type.Unknown(), { maxItems: 0 }),
        dataplanes: Type.Object(
          {},
          { ...closed, description: 'Empty: SDKs use the address that the page gives them.' },
        ),
        updatedAt: Type.String({ format: 'date-time' }),
      },
      closed,
    ),
    updatedAt: Type.String({ format: 'date-time' }),
    isHosted: Type.Boolean(),
    consentManagementMetadata: Type.Object(
      {
        providers: Type.Array(
          Type.Object({ provider: Type.String(), resolutionStrategy: Type.Enum(['and', 'or']) }, closed),
        ),
      },
      closed,
    ),
  },
  closed,
)

/** Off: SDKs would report to RudderStack. */
const statsCollection = { errors: { enabled: false }, metrics: { enabled: false } }
/** How the flow combines denied consents. Source: packages/docs/behaviour/mapping.md#consent. */
const providers = [
  { provider: 'oneTrust', resolutionStrategy: 'and' },
  { provider: 'ketch', resolutionStrategy: 'or' },
]

/**
 * `GET /sourceConfig`: what RudderStack's SDKs read before they send, with the write key as user name or in the query.
 * It has only what a page may know. Source: packages/docs/api/ingestion.md#rudderstacks-sdks.
 */
export function createSourceConfigRoute({ engine, updatedAt }: SourceConfigOptions): Route {
  return {
    method: 'get',
    path: '/sourceConfig',
    operationId: 'getSourceConfig',
    summary: "Get the settings of a source for RudderStack's SDKs",
    area: 'Ingestion',
    credential: 'write-key-in-header-or-query',
    query: Type.Partial(writeKeyQuery),
    responses: { ...refusals([401]), 200: { description: 'The settings.', schema: sourceConfig } },
    handle: (c) => {
      const writeKey = writeKeyOf(c.req.raw, 'header-or-query')
      if (writeKey === '') return refuse(c, { code: 'writeKeyMissing' })
      const found = engine.sourceOf(writeKey)
      if (found === undefined) return refuse(c, { code: 'writeKeyUnknown' })
      const { sourceId: id, workspaceId, enabled } = found
      const workspace = engine.workspaces.find((each) => each.id === workspaceId)
      const name = workspace?.sources.find((source) => source.id === id)?.name ?? id
      const config = { statsCollection }
      const none = { destinations: [], connections: [], dataplanes: {} }
      return c.json({
        source: { id, name, writeKey, enabled, workspaceId, config, ...none, updatedAt },
        updatedAt,
        isHosted: true,
        consentManagementMetadata: { providers },
      })
    },
  }
}
