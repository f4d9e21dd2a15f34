import { isJsonObject, type JsonObject, type JsonValue, type PlannedEvent, type TrackingPlan } from '@sluice/core'

interface RudderCliFile {
  readonly name: string
  readonly text: string
}

/** Places of an event that a rule can describe: one of them. */
const sections = ['properties', 'traits', 'context.traits'] as const

/**
 * Returns a plan as files of a project for rudder-cli: `properties.yaml`, `events.yaml` and `tracking-plan.yaml`. A rule has
 * one section, so of an event with traits and properties, those that come first in its schema's order are described; lists
 * of objects are lists of any objects.
 */
export async function rudderCliFiles(plan: TrackingPlan): Promise<readonly RudderCliFile[]> {
  const { stringify } = await import('#inlined/yaml')
  const properties = createProperties()
  const ids = createIds()
  const planned = plan.events.map((event) => {
    const id = ids(event.event ?? event.type)
    return { event, id, rule: ruleOf(event, id, properties.idOf) }
  })
  const resource = (kind: string, spec: JsonObject): RudderCliFile => ({
    name: `${kind}.yaml`,
    text: stringify(
      { version: 'rudder/v1', kind, metadata: { name: kind }, spec },
      { lineWidth: 0, aliasDuplicateObjects: false },
    ),
  })
  return [
    resource('properties', { properties: properties.all() }),
    resource('events', {
      events: planned.map(({ id, event: { type, event } }) => ({
        id,
        ...(event === undefined ? {} : { name: event }),
        event_type: type,
      })),
    }),
    resource('tracking-plan', {
      id: 'inferred',
      display_name: 'Inferred',
      rules: planned.map(({ rule }) => rule),
    }),
  ]
}

type IdOfProperty = (name: string, schema: JsonObject) => string

function ruleOf({ schema }: PlannedEvent, id: string, idOf: IdOfProperty): JsonObject {
  const section = sections.find((each) => isJsonObject(at(schema, each)))
  const inner = section === undefined ? undefined : at(schema, section)
  return {
    type: 'event_rule',
    id: `${id}_rule`,
    event: `#event:${id}`,
    ...(section === undefined ? {} : { identity_section: section }),
    additional_properties: inner?.['additionalProperties'] !== false,
    properties: inner === undefined ? [] : membersOf(inner, idOf),
  }
}

function at(schema: JsonObject, section: string): JsonObject | undefined {
  let found: JsonValue | undefined = schema
  for (const key of section.split('.')) {
    const properties: JsonValue | undefined = isJsonObject(found) ? found['properties'] : undefined
    found = isJsonObject(properties) ? properties[key] : undefined
  }
  return isJsonObject(found) ? found : undefined
}

function membersOf(schema: JsonObject, idOf: IdOfProperty): readonly JsonObject[] {
  const { properties, required } = schema
  const names: readonly unknown[] = Array.isArray(required) ? required : []
  return Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, member]) => {
    if (!isJsonObject(member)) return []
    const nested = isJsonObject(member['properties'])
      ? {
          additional_properties: member['additionalProperties'] !== false,
          properties: membersOf(member, idOf),
        }
      : {}
    return [{ property: `#property:${idOf(name, member)}`, required: names.includes(name), ...nested }]
  })
}

/** Collects the properties of a plan: those of the same name and schema once. */
function createProperties(): { readonly idOf: IdOfProperty; all(): readonly JsonObject[] } {
  const ids = createIds()
  const known = new Map<string, JsonObject & { readonly id: string }>()
  return {
    idOf(name, schema) {
      const { type, enum: values, format, items } = schema
      const config = { ...(values === undefined ? {} : { enum: values }), ...(format === undefined ? {} : { format }) }
      const itemTypes = isJsonObject(items) ? typesIn(items) : []
      const kind = schema['x-pii']
      const property = {
        name,
        ...(type === undefined ? {} : { types: typesIn(schema) }),
        ...(itemTypes.length > 0 ? { item_types: itemTypes } : {}),
        ...(Object.keys(config).length > 0 ? { config } : {}),
        ...(typeof kind === 'string' ? { description: `Personal data: ${kind}` } : {}),
      }
      const key = JSON.stringify(property)
      const found = known.get(key) ?? { id: ids(name), ...property }
      known.set(key, found)
      return found.id
    },
    all: () => [...known.values()],
  }
}

function typesIn({ type }: JsonObject): readonly string[] {
  return [type].flat().filter((each): each is string => typeof each === 'string')
}

/** Returns a function that makes ids of names, each another one. */
function createIds(): (name: string) => string {
  const used = new Set<string>()
  return (name) => {
    const words = name
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter((word) => word !== '')
    const plain = words.join('_') || 'unnamed'
    let id = plain
    for (let n = 2; used.has(id); n += 1) id = `${plain}_${n}`
    used.add(id)
    return id
  }
}
