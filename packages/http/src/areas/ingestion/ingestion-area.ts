import { type Clock, type Random, systemClock, systemRandom } from '@sluice/core'
import type { Engine } from '@sluice/pipeline'
import { Hono } from 'hono'
import { browserAccess } from '../../gate/access/browser-access.ts'
import { peerAddress } from '../../gate/access/client-ip.ts'
import { defaultPace } from '../../gate/body/body.ts'
import { BodyBudget } from '../../gate/body/body-budget.ts'
import { type Area, createArea } from '../../routing/area.ts'
import { createEventRoutes, eventCalls } from './event-routes.ts'
import { createIntake } from './intake.ts'
import { createNodeCalls } from './node-calls.ts'
import { createPixelRoutes } from './pixel-routes.ts'
import { type BrowserSdks, createSdkRoutes } from './sdks/sdk-routes.ts'
import { createSegmentSettingsRoute } from './sdks/segment-settings-route.ts'
import { createSourceConfigRoute } from './sdks/source-config-route.ts'
import { createSegmentRoutes, segmentCalls } from './segment-routes.ts'
import { createWebhookRoutes } from './webhook-routes.ts'

export interface IngestionOptions {
  readonly engine: Pick<Engine, 'authenticate' | 'sourceOf' | 'workspaces' | 'refuse' | 'inTurn' | 'ingest'>
  /** Origins that browsers may send from. Default: all, since the write key in a page is public anyway. */
  readonly corsOrigins?: '*' | readonly string[]
  /** Limit of a request body, decompressed. Default 4,000 KiB, like RudderStack. */
  readonly bodyBytesMax?: number
  /**
   * Limit of all bodies that are being read at the same time, counting received bytes. Default 256 MiB. Beyond it,
   * bodies of the workspace that holds most are refused with 503.
   */
  readonly bodiesBytesMax?: number
  /** Replaces `bodiesBytesMax` by a budget shared with other areas. */
  readonly bodies?: BodyBudget
  /** Time before the rate of a body is checked, in milliseconds. Default 10 s. After it, slow bodies get 408. */
  readonly bodyGraceMs?: number
  /** Minimum average rate of a body after `bodyGraceMs`. Default 4 KiB per second. */
  readonly bodyBytesPerSecondMin?: number
  /** Returns the sender's address. Default: the peer of the connection. */
  clientIp?(request: Request, env: unknown): string
  /** Browser SDKs that pages may load from here. Default: none. */
  readonly browserSdks?: BrowserSdks
  /** Source of the `updatedAt` of settings for SDKs. Default: the system's. */
  readonly clock?: Clock
  /** Source of the `anonymousId` of webhooks. Default: the system's. */
  readonly random?: Random
}

const none = async (): Promise<undefined> => undefined
const noSdks: BrowserSdks = { segment: none, segmentPart: none, rudder: none }

/** Paths that browsers send to with credentials: beacons always do, Segment's SDK on demand. */
const credentialPaths = ['/beacon/v1/batch', ...segmentCalls.map(({ path }) => path)]

/**
 * Ingestion, authenticated by write key: events one by one and in batches, beacons, pixels, webhooks, the paths of
 * Segment's SDKs, and the settings that SDKs read first. Answers once the events are durable. Errors are plain text that
 * ends with a newline.
 *
 * Sources: packages/docs/api/ingestion.md#order-of-the-checks and #refusals.
 */
export function createIngestionArea(options: IngestionOptions): Area {
  const { engine, corsOrigins = '*', clock = systemClock, random = systemRandom, clientIp } = options
  const ownIntake = createIntake({
    engine,
    limits: {
      bytesMax: options.bodyBytesMax ?? 4_000 * 1_024,
      graceMs: options.bodyGraceMs ?? defaultPace.graceMs,
      bytesPerSecondMin: options.bodyBytesPerSecondMin ?? defaultPace.bytesPerSecondMin,
    },
    bodies: options.bodies ?? new BodyBudget(options.bodiesBytesMax ?? 256 * 1_024 * 1_024),
    clientIp: clientIp ?? ((_, env) => peerAddress(env)),
  })
  const { intake, takeFromNode } = createNodeCalls(ownIntake, [...eventCalls, ...segmentCalls])
  const routes = [
    ...createEventRoutes(intake),
    ...createPixelRoutes(intake),
    ...createWebhookRoutes(intake, random),
    createSourceConfigRoute({ engine, updatedAt: new Date(clock.now()).toISOString() }),
    ...createSegmentRoutes(intake),
    createSegmentSettingsRoute(engine),
    ...createSdkRoutes(engine, options.browserSdks ?? noSdks),
  ]
  const app = new Hono()
  const forBrowsers = browserAccess(corsOrigins)
  const withCredentials = browserAccess(corsOrigins, { credentials: true })
  // CORS per path, not for all of /v1: other areas share the prefix, and browsers must not call them.
  for (const path of new Set(routes.map((route) => route.path)))
    app.use(path.replaceAll(/\{(\w+)\}/g, ':$1'), credentialPaths.includes(path) ? withCredentials : forBrowsers)
  const area = createArea(routes, app)
  // Another `clientIp` may read anything of a request, so that there must be one.
  const isOfHeaders = clientIp === undefined || 'readsHeadersOnly' in clientIp
  return isOfHeaders ? { ...area, fetch: Object.assign(area.fetch, { takeFromNode }) } : area
}
