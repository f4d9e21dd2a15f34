import type { Engine } from '@sluice/pipeline'
import Type from 'typebox'
import { protocolOf } from '../../../gate/access/protocol-of.ts'
import type { Route } from '../../../routing/route.ts'
import { refusals, refuse } from '../ingest-route.ts'

const closed = { additionalProperties: false }
const empty = Type.Object({}, closed)
const everyEvent = Type.Object(
  { __default: Type.Object({ enabled: Type.Literal(true), integrations: empty }, closed) },
  closed,
)
const settingsSchema = Type.Object(
  {
    integrations: Type.Object(
      {
        'Segment.io': Type.Object(
          {
            apiKey: Type.String({ description: 'The write key.' }),
            apiHost: Type.String({ description: 'Host and path that SDKs send to.' }),
            protocol: Type.Enum(['http', 'https']),
            unbundledIntegrations: Type.Array(Type.String(), { maxItems: 0 }),
            addBundledMetadata: Type.Literal(true),
            maybeBundledConfigIds: empty,
            versionSettings: Type.Object({ version: Type.String(), componentTypes: Type.Array(Type.String()) }, closed),
          },
          closed,
        ),
      },
      closed,
    ),
    plan: Type.Object({ track: everyEvent, identify: everyEvent, group: everyEvent }, closed),
    edgeFunction: empty,
    analyticsNextEnabled: Type.Literal(true),
    middlewareSettings: empty,
    enabledMiddleware: empty,
    remotePlugins: Type.Array(Type.Unknown(), { maxItems: 0 }),
    legacyVideoPluginsEnabled: Type.Literal(false),
    metrics: Type.Object({ sampleRate: Type.Literal(0) }, closed),
  },
  closed,
)

const allEnabled = { __default: { enabled: true, integrations: {} } }

/**
 * `GET /v1/projects/{writeKey}/settings`: what Segment's SDKs read before they send. They send to the host by which they
 * reached Sluice. Source: packages/docs/api/ingestion.md#segments-sdks.
 */
export function createSegmentSettingsRoute(engine: Pick<Engine, 'authenticate'>): Route {
  return {
    method: 'get',
    path: '/v1/projects/{writeKey}/settings',
    operationId: 'getSegmentSettings',
    summary: "Get the settings of a source for Segment's SDKs",
    area: 'Ingestion',
    credential: 'write-key-in-path',
    responses: { ...refusals([401, 404]), 200: { description: 'The settings.', schema: settingsSchema } },
    handle: (c) => {
      const writeKey = c.req.param('writeKey') ?? ''
      const sender = engine.authenticate(writeKey)
      if (!sender.ok) return refuse(c, { code: sender.code })
      return c.json({
        integrations: {
          'Segment.io': {
            apiKey: writeKey,
            apiHost: `${new URL(c.req.url).host}/v1`,
            protocol: protocolOf(c),
            unbundledIntegrations: [],
            addBundledMetadata: true,
            maybeBundledConfigIds: {},
            versionSettings: { version: '4.4.7', componentTypes: ['browser'] },
          },
        },
        plan: { track: allEnabled, identify: allEnabled, group: allEnabled },
        edgeFunction: {},
        analyticsNextEnabled: true,
        middlewareSettings: {},
        enabledMiddleware: {},
        remotePlugins: [],
        legacyVideoPluginsEnabled: false,
        metrics: { sampleRate: 0 },
      })
    },
  }
}
