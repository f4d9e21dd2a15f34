import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Event, isJsonObject, type JsonObject, type JsonValue, systemClock, systemRandom } from '@sluice/core'
import { createSend, sendAll, type Transport } from '@sluice/delivery'
import { type DestinationDefinition, isKnown, mapEvent, parseSettings } from '@sluice/destinations'
import { segmentActions } from '@sluice/segment-actions'
import type { FlowTarget } from './flow-case.ts'
import { hasDefinitions, segmentPeer } from './segment-engine.ts'

/** Destinations that take fewer of the events say little about the flow. */
const shareMin = 0.9
/** Events that are delivered to find out whether a destination takes them. */
const triedMax = 5
/** Some actions ask again until a reply has other content. In milliseconds, for one request. */
const timeMs = 200

/**
 * Returns destinations of Segment's actions with their automatic presets: the first ones of the installed package that
 * deliver the events over this transport. Without the package, definitions that are written here.
 *
 * @param count wanted number of destinations.
 */
export async function actionTargets(
  count: number,
  events: readonly Event[],
  transport: Transport,
): Promise<readonly FlowTarget[]> {
  const family = segmentActions(hasDefinitions ? segmentPeer : writeDefinitions(count))
  const targets: FlowTarget[] = []
  for (const type of family.types) {
    if (targets.length === count) break
    const loaded = family.load(type)
    if (!loaded.ok || loaded.definition.action?.account) continue
    const parsed = parseSettings(loaded.definition, plausibleSettings(loaded.definition))
    if (!parsed.ok) continue
    const target = { definition: loaded.definition, settings: parsed.settings }
    if (await delivers(target, events, transport)) targets.push(target)
  }
  assert.equal(targets.length, count, 'too few definitions take the events')
  return targets
}

/** A value of the right kind for each required setting. */
function plausibleSettings({ settings }: DestinationDefinition): JsonObject {
  const { required = [], properties } = settings
  const members = required.map((name): [string, JsonValue] => [name, plausibleValue(properties[name])])
  return Object.fromEntries(members)
}

function plausibleValue(schema: unknown): JsonValue {
  const { default: fallback, enum: choices, type, format } = (isJsonObject(schema) ? schema : {}) as JsonObject
  if (fallback !== undefined) return fallback
  if (Array.isArray(choices)) return choices[0] ?? ''
  if (type === 'boolean') return true
  if (type === 'number' || type === 'integer') return 1
  return format === 'uri' ? 'https://api.test' : '12345678'
}

/** Returns whether nearly all events become requests, and none of them fails. */
async function delivers(
  { definition, settings }: FlowTarget,
  events: readonly Event[],
  transport: Transport,
): Promise<boolean> {
  const mapped = events.map((event) => ({ event, requests: mapEvent(definition, event, settings, { now: 0 }) }))
  const items = mapped.flatMap(({ event, requests }) =>
    !isKnown(requests) || requests.length === 0
      ? []
      : [{ event, requests, userKey: String(event['userId']), messageId: String(event['messageId']) }],
  )
  const failed = mapped.filter(({ requests }) => !isKnown(requests)).length
  if (failed > 0 || items.length < events.length * shareMin) return false
  const send = createSend({
    transport,
    clock: systemClock,
    random: systemRandom,
    destination: { definition, settings },
    retry: { attemptsMax: 1, baseMs: 1, capMs: 1 },
    timeMs,
  })
  const outcomes = await sendAll(send, items.slice(0, triedMax), new AbortController().signal)
  return outcomes.every(({ kind }) => kind === 'pass')
}

/** Small: an address, a secret, ten fields, one request for each event. */
const text = `
const fields = Object.fromEntries(
  ['event', 'userId', 'anonymousId', 'messageId', 'timestamp', 'context.ip', 'context.locale', 'context.page.url',
    'context.app.name', 'properties'].map((path) => [path.replaceAll('.', '_'), {
      label: path, description: path, type: path === 'properties' ? 'object' : 'string', default: { '@path': '$.' + path },
    }]),
)
const mapping = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.default]))
exports.default = {
  name: 'Small',
  mode: 'cloud',
  authentication: { scheme: 'custom', fields: { key: { label: 'Key', description: 'Key.', type: 'password', required: true } } },
  extendRequest: ({ settings }) => ({ headers: { authorization: 'Bearer ' + settings.key } }),
  presets: [{ name: 'Track', type: 'automatic', partnerAction: 'send', subscribe: 'type = "track"', mapping }],
  actions: {
    send: {
      title: 'Send', description: 'Sends an event.', defaultSubscription: 'type = "track"', fields,
      perform: (request, { payload }) => request('https://api.test/events', { method: 'post', json: payload }),
    },
  },
}
`

/** Writes a package of small definitions beside `@segment/actions-core`, and removes it when the process ends. */
function writeDefinitions(count: number): string {
  const folder = resolve('packages/segment-actions/dist/bench-peer')
  const peer = join(folder, 'node_modules/@segment/action-destinations')
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (let n = 0; n < count; n += 1) {
    const at = join(peer, `dist/destinations/small-${n}`)
    mkdirSync(at, { recursive: true })
    writeFileSync(join(at, 'index.js'), text)
  }
  writeFileSync(join(peer, 'package.json'), '{"name":"@segment/action-destinations","version":"0.0.1"}')
  return folder
}
