import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { defaultSection } from '../rudder-project/tracking-plan-of.ts'
import { customTypeNamed, itemTypesOf, objectsIn, type PlanPart, type PlanParts, textOf } from './plan-parts.ts'

/** Deepest nesting of properties; more is taken for a circle. */
const depthMax = 20

/**
 * Returns the JSON Schema of an event of a plan in the form that rudder-cli makes types of: lists of types, and custom
 * types as definitions.
 */
export function eventRules(rule: JsonObject, event: PlanPart, parts: PlanParts): JsonObject {
  const definitions = new Map<string, JsonObject>()
  const inner = {
    type: 'object',
    ...membersOf(objectsIn(rule['properties']), parts, definitions, 0),
    unevaluatedProperties: rule['additionalProperties'] === true,
    ...conditionsOf(objectsIn(rule['variants']), parts, definitions, 0),
  }
  const section = textOf(rule, 'identitySection') || defaultSection(textOf(event.body, 'eventType'))
  const whole = section
    .split('.')
    .reduceRight<JsonObject>((schema, key) => ({ type: 'object', properties: { [key]: schema } }), inner)
  return {
    $schema: 'https://json-schema.org/draft/2019-09/schema',
    ...whole,
    ...(definitions.size > 0 ? { $defs: Object.fromEntries(definitions) } : {}),
  }
}

/** Returns what a custom type allows, as RudderStack shows it. @param definitions gets the custom types within it. */
export function customTypeRules(
  { body }: PlanPart,
  parts: PlanParts,
  definitions = new Map<string, JsonObject>(),
  depth = 0,
): JsonObject {
  const { config, properties, variants } = body
  const ofObject = objectsIn(properties)
  return {
    ...typed(textOf(body, 'type'), isJsonObject(config) ? config : {}, parts, definitions, depth),
    ...(ofObject.length > 0 ? membersOf(ofObject, parts, definitions, depth) : {}),
    ...conditionsOf(objectsIn(variants), parts, definitions, depth),
  }
}

function membersOf(
  references: readonly JsonObject[],
  parts: PlanParts,
  definitions: Map<string, JsonObject>,
  depth: number,
): { readonly properties: JsonObject; readonly required: readonly string[] } {
  const known = references.flatMap((reference) => {
    const property = parts.property.get(textOf(reference, 'id'))
    return property ? [{ reference, property, name: textOf(property.body, 'name') }] : []
  })
  return {
    properties: Object.fromEntries(
      known.map(({ reference, property, name }) => [name, memberOf(reference, property, parts, definitions, depth)]),
    ),
    required: known.flatMap(({ reference, name }) => (reference['required'] === true ? name : [])).sort(),
  }
}

function memberOf(
  reference: JsonObject,
  { body }: PlanPart,
  parts: PlanParts,
  definitions: Map<string, JsonObject>,
  depth: number,
): JsonObject {
  const config = isJsonObject(body['propConfig']) ? body['propConfig'] : {}
  const schema = typed(textOf(body, 'type'), config, parts, definitions, depth)
  const nested = objectsIn(reference['properties'])
  if (nested.length === 0 || depth > depthMax) return schema
  return {
    ...schema,
    ...membersOf(nested, parts, definitions, depth + 1),
    unevaluatedProperties: reference['additionalProperties'] !== false,
  }
}

/** Returns the schema of a value of some types, in one text with commas, or of a custom type. */
function typed(
  type: string,
  { itemTypes, ...config }: JsonObject,
  parts: PlanParts,
  definitions: Map<string, JsonObject>,
  depth: number,
): JsonObject {
  const custom = referenceTo(type, parts, definitions, depth)
  if (custom) return custom
  const items = itemTypesOf({ itemTypes: itemTypes ?? null })
  const ofItems = items.length === 1 ? referenceTo(items[0] ?? '', parts, definitions, depth) : undefined
  const types = type.split(',').filter((each) => each !== '')
  return {
    ...config,
    ...(types.length > 0 ? { type: types } : {}),
    ...(items.length > 0 ? { items: ofItems ?? { type: items } } : {}),
  }
}

function referenceTo(
  name: string,
  parts: PlanParts,
  definitions: Map<string, JsonObject>,
  depth: number,
): JsonObject | undefined {
  const custom = customTypeNamed(name, parts)
  if (custom === undefined) return undefined
  if (!definitions.has(name) && depth <= depthMax) {
    // First, so that a type within itself ends.
    definitions.set(name, {})
    definitions.set(name, customTypeRules(custom, parts, definitions, depth + 1))
  }
  return { $ref: `#/$defs/${name}` }
}

function conditionsOf(
  variants: readonly JsonObject[],
  parts: PlanParts,
  definitions: Map<string, JsonObject>,
  depth: number,
): { readonly allOf?: readonly JsonObject[] } {
  const conditions = variants.map((variant) => {
    const name = textOf(parts.property.get(textOf(variant, 'discriminator'))?.body ?? {}, 'name')
    const cases = objectsIn(variant['cases'])
    const matches = cases.map(({ match }): readonly JsonValue[] => (Array.isArray(match) ? match : []))
    const others = objectsIn(variant['default'])
    const condition = (allowed: JsonObject, references: readonly JsonObject[]): JsonObject => ({
      if: { properties: { [name]: allowed }, required: [name] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: membersOf(references, parts, definitions, depth + 1),
    })
    return {
      type: 'object',
      allOf: [
        ...cases.map(({ properties }, i) => condition({ enum: matches[i] ?? [] }, objectsIn(properties))),
        ...(others.length > 0 ? [condition({ not: { enum: matches.flat() } }, others)] : []),
      ],
    }
  })
  return conditions.length > 0 ? { allOf: conditions } : {}
}
