import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { blocksEvents, guardsOfDestination } from './guards-of-destination.ts'
import type { ImportedWorkspace, ImportNote } from './imported-workspace.ts'
import { isSet } from './left-out-settings.ts'
import { type SegmentParts, segmentParts } from './segment-parts.ts'
import { segmentTypes } from './segment-types.ts'

/** Lists of Segment that Sluice has no counterpart for, with what to do. */
const without: readonly (readonly [string, string, string])[] = [
  ['functions', 'function', 'rewrite its code as a transformation, or as a destination of your own'],
  ['insertFunctionInstances', 'insert function', 'rewrite its code as a transformation of the destination'],
  ['transformations', 'transformation', 'rewrite it as code that changes events'],
  ['trackingPlans', 'tracking plan', 'write its rules as trackingPlan of a source: each is a JSON Schema already'],
  ['destinationFilters', 'destination filter', 'rewrite it as a transformation that drops events'],
  ['filters', 'destination filter', 'rewrite it as a transformation that drops events'],
  ['reverseEtlModels', 'reverse ETL model', 'Sluice takes only events that are sent'],
  ['audiences', 'audience', 'Sluice computes none'],
  ['computedTraits', 'computed trait', 'Sluice computes none'],
]

/** The package with Segment's own definitions. */
const segmentPackage = '@sluice/segment-actions'

/**
 * Converts exports of Segment: see `segmentParts` for their forms. Classic destinations become types of Sluice;
 * Actions destinations run Segment's own definitions, by the package `@sluice/segment-actions`. What keeps events from a
 * destination, or changes them, has no counterpart: the destination or the source is disabled, and a note says why.
 */
export function importSegment(files: readonly JsonValue[]): ImportedWorkspace {
  const parts = segmentParts(files)
  const notes: ImportNote[] = []
  const listed = (list: string): readonly JsonObject[] => parts.get(list) ?? []
  const sources = listed('sources').flatMap((source) => toSource(source, parts, notes) ?? [])
  const ids = new Map(sources.map(({ segmentId, source }) => [segmentId, source['id']]))
  const destinations = listed('destinations').flatMap((each) => toDestination(each, parts, notes) ?? [])
  const warehouses = listed('warehouses').flatMap((each) => toDestination(each, parts, notes) ?? [])
  const connections = destinations.flatMap(({ id, sourceId }) => {
    const source = ids.get(String(sourceId))
    if (source !== undefined) return [{ source, destination: id }]
    notes.push({ outcome: 'check', kind: 'destination', name: id, text: 'its source is not in the export; connect it' })
    return []
  })
  for (const { id } of warehouses)
    notes.push({
      outcome: 'check',
      kind: 'warehouse',
      name: id,
      text: 'the export does not say for which sources; connect them',
    })
  for (const [list, kind, text] of without)
    for (const each of listed(list)) notes.push({ outcome: 'left out', kind, name: nameOf(each), text })
  const all = [...destinations, ...warehouses].map(({ destination }) => destination)
  const workspaceId = listed('sources')
    .map((each) => each['workspaceId'])
    .find((each) => typeof each === 'string')
  const isOwn = all.some(({ type }) => String(type).startsWith('segment/'))
  return {
    workspace: {
      id: workspaceId ?? 'default',
      destinationPackages: isOwn ? [segmentPackage] : undefined,
      sources: sources.map(({ source }) => source),
      destinations: all,
      connections,
    },
    notes,
  }
}

interface ConvertedSource {
  readonly segmentId: string
  readonly source: JsonObject
}

function toSource(source: JsonObject, parts: SegmentParts, notes: ImportNote[]): ConvertedSource | undefined {
  const { id, slug, name, enabled, writeKeys, metadata } = source
  const [writeKey, ...others] = Array.isArray(writeKeys) ? writeKeys : []
  if (writeKey === undefined) {
    const text = 'it has no write key: its events are fetched, and Sluice takes only events that are sent'
    notes.push({ outcome: 'left out', kind: 'source', name: nameOf(source), text })
    return undefined
  }
  if (others.length > 0)
    notes.push({
      outcome: 'check',
      kind: 'source',
      name: nameOf(source),
      text: 'of its write keys, the first one is kept',
    })
  const isGuarded = blocksEvents(source, parts)
  if (isGuarded)
    notes.push({
      outcome: 'disabled',
      kind: 'source',
      name: nameOf(source),
      text: 'its schema settings block events or leave out parts of them; write trackingPlan of it, then enable it',
    })
  const kind = isJsonObject(metadata) ? metadata['slug'] : undefined
  const converted = {
    id: typeof slug === 'string' && /^[!-.0-~]{1,100}$/.test(slug) ? slug : String(id),
    name: name ?? slug ?? id,
    type: typeof kind === 'string' ? kind : undefined,
    writeKey,
    enabled: isGuarded || enabled === false ? false : undefined,
  }
  return { segmentId: String(id), source: converted }
}

interface ConvertedDestination {
  readonly id: string
  readonly sourceId: JsonValue | undefined
  readonly destination: JsonObject
}

function toDestination(given: JsonObject, parts: SegmentParts, notes: ImportNote[]): ConvertedDestination | undefined {
  const { name, enabled, metadata, sourceId } = given
  const id = String(given['id'])
  const settings = isJsonObject(given['settings']) ? given['settings'] : {}
  const slug = isJsonObject(metadata) ? String(metadata['slug'] ?? '') : ''
  const note = (outcome: ImportNote['outcome'], text: string): void => {
    notes.push({ outcome, kind: 'destination', name: nameOf(given), text })
  }
  const done = (type: string, converted: JsonObject, isStopped = false): ConvertedDestination => {
    const guards = guardsOfDestination(given, parts)
    for (const text of guards) note('disabled', text)
    return {
      id,
      sourceId,
      destination: {
        id,
        name: name ?? (isJsonObject(metadata) ? metadata['name'] : undefined) ?? id,
        type,
        enabled: isStopped || guards.length > 0 || enabled === false ? false : undefined,
        settings: Object.fromEntries(Object.entries(converted).filter(([, value]) => value !== undefined)),
      },
    }
  }
  const own = segmentTypes.get(slug)
  if (own) {
    const ignored = Object.entries(settings).filter(([key, value]) => !own.reads.includes(key) && isSet(value))
    if (own.type === 'WEBHOOK' && isSet(settings['sharedSecret'])) {
      note(
        'disabled',
        'it signs its requests (sharedSecret), which WEBHOOK does not: use segment/webhook, or let the receiver take requests without a signature, then enable it',
      )
      return done(own.type, own.settings(settings), true)
    }
    if (ignored.length > 0)
      note('check', `settings without a counterpart, left out: ${ignored.map(([key]) => key).join(', ')}`)
    return done(own.type, own.settings(settings))
  }
  const subscriptions = (parts.get('subscriptions') ?? []).filter(({ destinationId }) => destinationId === id)
  if (slug.startsWith('actions-') || subscriptions.length > 0) {
    const type = `segment/${slug.replace(/^actions-/, '').replace(/-cloud$/, '')}`
    if (subscriptions.length === 0)
      note('check', 'the export has no subscriptions of it (GET /destinations/{id}/subscriptions); its presets apply')
    return done(type, {
      ...settings,
      ...(subscriptions.length > 0 ? { subscriptions: subscriptions.map(toSubscription) } : {}),
    })
  }
  note('left out', slug === '' ? 'its type is not in the export' : `Sluice has no destination type for ${slug}`)
  return undefined
}

function toSubscription({ actionSlug, trigger, settings, enabled }: JsonObject): JsonObject {
  return {
    action: actionSlug,
    // The mapping of the export is whole.
    preset: null,
    subscribe: trigger,
    mapping: isJsonObject(settings) ? settings : undefined,
    enabled: enabled === false ? false : undefined,
  }
}

function nameOf({ id, name, title }: JsonObject): string {
  return String(name ?? title ?? id)
}
