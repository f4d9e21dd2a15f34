import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { defined } from '@sluice/core/defined'
import type { PlanKind } from '../records/configuration-record.ts'
import type { Part } from '../rudder-project/resource.ts'

/** A stored part of tracking plans, as its body says. */
export interface PlanPart {
  readonly id: string
  readonly body: JsonObject
}

/** The stored parts of a workspace that tracking plans are made of, by kind and id. */
export type PlanParts = Readonly<Record<PlanKind, ReadonlyMap<string, PlanPart>>>

/** Returns a text of a body; '' where there is none. */
export function textOf(body: JsonObject, member: string): string {
  const value = body[member]
  return typeof value === 'string' ? value : ''
}

/** Returns the objects in a list. */
export function objectsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** Returns the custom type that a property, or the elements of its list, have; undefined for types of JSON. */
export function customTypeNamed(name: string, { customType }: Pick<PlanParts, 'customType'>): PlanPart | undefined {
  return [...customType.values()].find(({ body }) => body['name'] === name)
}

/** Returns the names of the types of the elements of a list. */
export function itemTypesOf(config: JsonValue | undefined): readonly string[] {
  const listed = isJsonObject(config) ? config['itemTypes'] : undefined
  return Array.isArray(listed) ? listed.filter((each): each is string => typeof each === 'string') : []
}

/** The form in which projects of rudder-cli have what is stored here, so that both become the same plan. */
export function projectPart({ id, body }: PlanPart, value: JsonObject): Part {
  return { file: id, path: textOf(body, 'name') || id, value: { ...value, id, name: textOf(body, 'name') } }
}

/** Returns a property as a project has it, with references in place of the names of custom types. */
export function projectProperty(part: PlanPart, parts: PlanParts): Part {
  const { body } = part
  const config = isJsonObject(body['propConfig']) ? body['propConfig'] : {}
  const custom = customTypeNamed(textOf(body, 'type'), parts)
  if (custom) return projectPart(part, { type: `#custom-type:${custom.id}` })
  const items = itemTypesOf(config).map((name) => {
    const ofItems = customTypeNamed(name, parts)
    return ofItems ? `#custom-type:${ofItems.id}` : name
  })
  return projectPart(part, {
    type: textOf(body, 'type'),
    config: { ...config, ...(items.length > 0 ? { itemTypes: items } : {}) },
  })
}

/** Returns a custom type as a project has it. */
export function projectCustomType(part: PlanPart): Part {
  const { type, config, properties, variants } = part.body
  return projectPart(
    part,
    defined({
      type: type ?? 'string',
      config: config ?? {},
      properties: type === 'object' ? objectsIn(properties).map(projectReference) : undefined,
      variants: objectsIn(variants).length > 0 ? objectsIn(variants).map(projectVariant) : undefined,
    }),
  )
}

/** Returns the rule of an event as a project has it. */
export function projectRule(rule: JsonObject): JsonObject {
  return defined({
    event: `#event:${textOf(rule, 'id')}`,
    properties: objectsIn(rule['properties']).map(projectReference),
    variants: objectsIn(rule['variants']).map(projectVariant),
    additional_properties: rule['additionalProperties'] === true,
    identity_section: textOf(rule, 'identitySection') === '' ? undefined : textOf(rule, 'identitySection'),
  })
}

function projectReference(reference: JsonObject): JsonObject {
  const { properties, additionalProperties } = reference
  return {
    property: `#property:${textOf(reference, 'id')}`,
    required: reference['required'] === true,
    ...(objectsIn(properties).length > 0
      ? { properties: objectsIn(properties).map(projectReference), additionalProperties: additionalProperties ?? true }
      : {}),
  }
}

function projectVariant(variant: JsonObject): JsonObject {
  return {
    discriminator: `#property:${textOf(variant, 'discriminator')}`,
    cases: objectsIn(variant['cases']).map(({ match, properties }) => ({
      match: match ?? [],
      properties: objectsIn(properties).map(projectReference),
    })),
    default: objectsIn(variant['default']).map(projectReference),
  }
}
