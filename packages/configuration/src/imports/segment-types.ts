import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'

/** How a destination of Segment becomes one of Sluice. */
interface SegmentType {
  readonly type: string
  /** Returns the settings; members that are undefined are left out. */
  settings(given: JsonObject): JsonObject
  /** Members of Segment's settings that `settings` reads. */
  readonly reads: readonly string[]
}

/** Copies members: Segment's name by ours. */
function renamed(type: string, names: Readonly<Record<string, string>>, fixed: JsonObject = {}): SegmentType {
  return {
    type,
    reads: Object.values(names),
    settings: (given) => ({
      ...fixed,
      ...Object.fromEntries(
        Object.entries(names).map(([ours, theirs]) => [ours, given[theirs] === '' ? undefined : given[theirs]]),
      ),
    }),
  }
}

/** The same, with the region of `endpoint`: the data must stay where it is. */
function withRegion(type: string, names: Readonly<Record<string, string>>): SegmentType {
  const { reads, settings } = renamed(type, names)
  return {
    type,
    reads: [...reads, 'endpoint'],
    settings: (given) => ({
      ...settings(given),
      ...(/^eu/i.test(String(given['endpoint'] ?? '')) ? { residencyServer: 'EU' } : {}),
    }),
  }
}

const webhook: SegmentType = {
  type: 'WEBHOOK',
  reads: ['hooks', 'globalHook'],
  settings({ hooks, globalHook }) {
    const first = firstHook(hooks)
    const headers = isJsonObject(first?.['headers']) ? Object.entries(first['headers']) : []
    return {
      webhookUrl: first?.['hook'] ?? globalHook,
      headers: headers.map(([from, to]) => ({ from, to })),
    }
  },
}

function firstHook(hooks: JsonValue | undefined): JsonObject | undefined {
  const [first] = Array.isArray(hooks) ? hooks : []
  return typeof first === 'string' ? { hook: first } : isJsonObject(first) ? first : undefined
}

/**
 * Segment's classic destinations and warehouses that Sluice has a type of its own for, by the slug of their metadata.
 * Source: the pages of each in Segment's catalogue of destinations.
 */
export const segmentTypes: ReadonlyMap<string, SegmentType> = new Map(
  Object.entries({
    webhooks: webhook,
    amplitude: withRegion('AM', {
      apiKey: 'apiKey',
      apiSecret: 'secretKey',
      groupTypeTrait: 'groupTypeTrait',
      groupValueTrait: 'groupValueTrait',
      trackAllPages: 'trackAllPages',
      trackCategorizedPages: 'trackCategorizedPages',
      trackNamedPages: 'trackNamedPages',
      trackProductsOnce: 'trackProductsOnce',
      trackRevenuePerProduct: 'trackRevenuePerProduct',
      versionName: 'versionName',
    }),
    mixpanel: renamed('MP', { token: 'token', people: 'people', consolidatedPageCalls: 'consolidatedPageCalls' }),
    'customer-io': renamed('CUSTOMERIO', { siteID: 'siteId', apiKey: 'apiKey' }),
    slack: renamed('SLACK', { webhookUrl: 'webhookUrl' }),
    iterable: renamed('ITERABLE', { apiKey: 'apiKey' }),
    klaviyo: renamed('KLAVIYO', { publicApiKey: 'apiKey', privateApiKey: 'privateKey', listId: 'listId' }),
    appsflyer: renamed('AF', { devKey: 'appsFlyerDevKey', appleAppId: 'appleAppID', androidAppId: 'androidAppID' }),
    adjust: renamed('ADJ', { appToken: 'appToken' }),
    'branch-metrics': renamed('BRANCH', { branchKey: 'branch_key' }),
    heap: renamed('HEAP', { appId: 'appId' }),
    intercom: renamed('INTERCOM', { appId: 'appId', apiKey: 'accessToken' }, { apiVersion: 'v2' }),
    singular: renamed('SINGULAR', { apiKey: 'apiKey' }),
    postgres: renamed('POSTGRES', {
      host: 'hostname',
      port: 'port',
      database: 'database',
      user: 'username',
      password: 'password',
    }),
  }),
)
