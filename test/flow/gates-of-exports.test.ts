import { importRudderStack } from '@sluice/configuration'
import type { Event, JsonObject, JsonValue } from '@sluice/core'
import { createRecordingTransport } from '@sluice/delivery'
import { builtInDestinations, createDestinationRegistry } from '@sluice/destinations'
import fc from 'fast-check'
import { createSluice } from 'sluice'
import { describe, expect, it } from 'vitest'
import { uncheckedWorkspace } from '../support/scenes/unchecked-workspace.ts'

const registry = createDestinationRegistry(builtInDestinations)

/** Types of sources, with the name that settings have for each kind; undefined for a type that may be any. */
const platforms: Readonly<Record<string, string | undefined>> = {
  Javascript: 'web',
  AndroidKotlin: 'android',
  Go: 'cloud',
  SomethingNew: undefined,
}

/** Starting an engine takes most of the time, so each has many destinations. */
const destinationCount = 10
const ids = fc.subarray(['a', 'b', 'c'], { minLength: 1 })
const strategy = fc.constantFrom('and', 'or', '')
const provider = fc.constantFrom('oneTrust', 'ketch', 'custom', 'iubenda')
const listed = (names: readonly string[], key: string): JsonValue[] => names.map((name) => ({ [key]: name }))

const consents = fc.array(
  fc
    .record({ provider, resolutionStrategy: strategy, ids })
    .map(({ ids: needed, ...entry }) => ({ ...entry, consents: listed(needed, 'consent') })),
  { minLength: 1, maxLength: 2 },
)
const categories = ids.map((needed) => listed(needed, 'oneTrustCookieCategory'))
const purposes = ids.map((needed) => listed(needed, 'purpose'))
/** A list for all sources, or one for some kinds of them. */
const perPlatform = (list: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> =>
  fc.oneof(list, fc.record({ web: list, android: list, cloud: list }, { requiredKeys: [] }))
const names = fc.subarray(['Seen', 'Bought', 'Left']).map((events) => listed(events, 'eventName'))
const mode = fc.constantFrom('cloud', 'cloud', 'device', 'hybrid')
/** Mostly as it is usual. */
const rarely = <T>(usual: T, other: T) => fc.constantFrom(...Array.from({ length: 6 }, () => usual), other)

const gates = fc.record(
  {
    consentManagement: perPlatform(consents),
    oneTrustCookieCategories: perPlatform(categories),
    ketchConsentPurposes: perPlatform(purposes),
    eventFilteringOption: fc.constantFrom('disable', 'whitelistedEvents', 'blacklistedEvents'),
    whitelistedEvents: names,
    blacklistedEvents: names,
    connectionMode: fc.record({ web: mode, android: mode, cloud: mode }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
)

interface Export {
  readonly sources: readonly (JsonObject & { readonly id: string; readonly writeKey: string })[]
}

const exported: fc.Arbitrary<Export> = fc
  .record({
    settings: fc.array(gates, { minLength: destinationCount, maxLength: destinationCount }),
    sources: fc.array(
      fc.record({
        type: fc.constantFrom(...Object.keys(platforms)),
        enabled: rarely(true, false),
        links: fc.array(
          fc.record(
            {
              enabled: rarely(true, false),
              deleted: rarely(false, true),
              isConnectionEnabled: rarely(true, false),
              isProcessorEnabled: rarely(true, false),
            },
            { requiredKeys: [] },
          ),
          { minLength: destinationCount, maxLength: destinationCount },
        ),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map(({ settings, sources }) => ({
    sources: sources.map(({ type, enabled, links }, s) => ({
      id: `s${s}`,
      workspaceId: 'ws',
      writeKey: `key-${s}`,
      enabled,
      sourceDefinition: { name: type },
      destinations: links.map((link, d) => ({
        ...link,
        // Only connections are switched off for one source alone.
        enabled: sources[0]?.links[d]?.enabled ?? true,
        id: `d${d}`,
        destinationDefinition: { name: 'WEBHOOK' },
        config: { webhookUrl: `http://d${d}.test/`, ...settings[d] } as JsonObject,
      })),
    })),
  }))

const event: fc.Arbitrary<Event> = fc
  .record(
    {
      type: fc.constantFrom('track', 'track', 'identify'),
      event: fc.constantFrom('Seen', 'Bought'),
      consent: fc.record(
        { provider, deniedConsentIds: ids, resolutionStrategy: strategy },
        { requiredKeys: ['deniedConsentIds'] },
      ),
    },
    { requiredKeys: ['type', 'event'] },
  )
  .map(({ consent, ...others }) => ({
    ...others,
    userId: 'u1',
    context: consent ? { consentManagement: consent } : undefined,
  }))

/** Returns which events reach which destinations. */
async function delivered(
  workspace: unknown,
  sources: Export['sources'],
  events: readonly Event[],
): Promise<readonly string[]> {
  const transport = createRecordingTransport()
  const sluice = await createSluice({ workspace: uncheckedWorkspace(Object(workspace)), transport })
  try {
    for (const { id, writeKey } of sources)
      await sluice.ingest(
        writeKey,
        events.map((each, i) => ({ ...each, messageId: `${id}-e${i}` })),
      )
    await sluice.settled()
    return transport.requests.map(({ endpoint, body }) => `${endpoint}${body.JSON['messageId']}`).sort()
  } finally {
    await sluice.stop()
  }
}

describe('the gates of an export of RudderStack', () => {
  it('keep out the same events after an import as when the export is served as it is', async () => {
    await fc.assert(
      fc.asyncProperty(exported, fc.array(event, { minLength: 6, maxLength: 12 }), async (file, events) => {
        const { workspace } = importRudderStack([file as unknown as JsonValue], registry)
        const after = await delivered(workspace, file.sources, events)
        expect(after).toEqual(await delivered(file, file.sources, events))
        expect(after).toEqual(expected(file, events))
      }),
      { numRuns: 12 },
    )
  })
})

/** What an export says, one source, destination and event at a time; only lists of all kinds where the kind is not known. */
function expected({ sources }: Export, events: readonly Event[]): readonly string[] {
  return sources
    .flatMap((source) => {
      const { name } = source['sourceDefinition'] as { name: string }
      const kind = platforms[name]
      const kinds = kind === undefined ? ['web', 'android', 'cloud', 'other'] : [kind]
      return (source['destinations'] as readonly JsonObject[]).flatMap((destination) => {
        const { enabled, deleted, isConnectionEnabled, isProcessorEnabled } = destination
        if (source['enabled'] === false || deleted === true) return []
        if ([enabled, isConnectionEnabled, isProcessorEnabled].includes(false)) return []
        const config = destination['config'] as JsonObject
        const modes = Object(config['connectionMode']) as Readonly<Record<string, string>>
        if (kinds.some((each) => modes[each] === 'device')) return []
        return events.flatMap((each, i) =>
          isListed(config, each) && kinds.every((of) => isAllowed(config, of, each))
            ? [`${config['webhookUrl']}${source.id}-e${i}`]
            : [],
        )
      })
    })
    .sort()
}

function isListed(config: JsonObject, { type, event: name }: Event): boolean {
  const option = String(config['eventFilteringOption'])
  if (type !== 'track' || !['whitelistedEvents', 'blacklistedEvents'].includes(option)) return true
  const has = ((config[option] ?? []) as readonly JsonObject[]).some(({ eventName }) => eventName === name)
  return has === (option === 'whitelistedEvents')
}

function isAllowed(config: JsonObject, kind: string, { context }: Event): boolean {
  const consent = Object(context)['consentManagement'] as JsonObject | undefined
  if (consent === undefined) return true
  const denied = consent['deniedConsentIds'] as readonly string[]
  const at = (name: string): readonly JsonObject[] => {
    const setting = config[name]
    return ((Array.isArray(setting) ? setting : Object(setting)[kind]) ?? []) as readonly JsonObject[]
  }
  const fits = (needed: readonly JsonObject[], key: string, isOr: boolean): boolean => {
    const granted = needed.map((each) => !denied.includes(String(each[key])))
    return granted.length === 0 || (isOr ? granted.includes(true) : !granted.includes(false))
  }
  const own = at('consentManagement').filter(
    (each) => each['provider'] === consent['provider'] && (each['consents'] as readonly JsonValue[]).length > 0,
  )
  if (own.length > 0)
    return own.every((each) => {
      const { resolutionStrategy } = each['provider'] === 'custom' ? each : consent
      return fits(each['consents'] as readonly JsonObject[], 'consent', resolutionStrategy === 'or')
    })
  const isFor = (name: string): boolean => [undefined, name].includes(consent['provider'] as string)
  return (
    (!isFor('oneTrust') || fits(at('oneTrustCookieCategories'), 'oneTrustCookieCategory', false)) &&
    (!isFor('ketch') || fits(at('ketchConsentPurposes'), 'purpose', true))
  )
}
