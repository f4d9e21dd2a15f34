import { isJsonObject, type JsonObject } from '@sluice/core'

/**
 * Returns whether an event of Segment's audiences adds its user (true) or removes them (false); undefined for other
 * events. Source: audience-membership in the README of segmentio/action-destinations.
 */
export function audienceMembership(event: JsonObject, syncMode: string | undefined): boolean | undefined {
  return ofEngage(event) ?? ofSync(event, syncMode)
}

function ofEngage({ type, context, traits, properties }: JsonObject): boolean | undefined {
  const personas = isJsonObject(context) && isJsonObject(context['personas']) ? context['personas'] : {}
  const { computation_class: kind, computation_key: key } = personas
  if ((kind !== 'audience' && kind !== 'journey_step') || typeof key !== 'string' || key === '') return undefined
  const members = type === 'identify' ? traits : type === 'track' ? properties : undefined
  const value = isJsonObject(members) ? members[key] : undefined
  return typeof value === 'boolean' ? value : undefined
}

/** Names of the events that a sync sends, by its mode. */
const adding: Readonly<Record<string, readonly string[]>> = {
  add: ['new'],
  update: ['updated'],
  upsert: ['new', 'updated'],
  mirror: ['new', 'updated'],
}
const removing: Readonly<Record<string, readonly string[]>> = { delete: ['deleted'], mirror: ['deleted'] }

function ofSync({ type, event }: JsonObject, syncMode = ''): boolean | undefined {
  if (type !== 'track' || typeof event !== 'string') return undefined
  if (Object.hasOwn(adding, syncMode) && adding[syncMode]?.includes(event)) return true
  return Object.hasOwn(removing, syncMode) && removing[syncMode]?.includes(event) ? false : undefined
}
