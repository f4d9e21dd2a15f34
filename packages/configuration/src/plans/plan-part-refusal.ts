import { eventTypes, isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { trackingPlanProblem } from '@sluice/schema'
import type { PlanKind } from '../records/configuration-record.ts'
import { eventSchema } from '../rudder-project/tracking-plan-of.ts'
import {
  customTypeNamed,
  itemTypesOf,
  objectsIn,
  type PlanPart,
  type PlanParts,
  projectCustomType,
  projectPart,
  projectProperty,
  textOf,
} from './plan-parts.ts'

/** Types of JSON. All other names are of custom types. */
const jsonTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']
/** What the configuration of a property or of a custom type may say: keywords that checks of events know. */
const configKeys = [
  'enum',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'itemTypes',
  'minItems',
  'maxItems',
  'uniqueItems',
]
/** Deepest nesting of what is stored; no plan that people write is deeper. */
const depthMax = 40

/**
 * Returns why a part cannot be stored: it has no name, names what is not there, or says something that no check of events
 * here can express. Undefined when it can.
 * @param parts those that are stored, with this one.
 */
export function planPartRefusal(kind: PlanKind, part: PlanPart, parts: PlanParts): string | undefined {
  const { body } = part
  const type = textOf(body, 'type')
  if (!isNestedWithin(body, depthMax)) return `it is nested deeper than ${depthMax} levels`
  if (kind === 'event') {
    const given = textOf(body, 'eventType')
    if (!eventTypes.some((each) => each === given))
      return `eventType is ${given}; allowed is: one of ${eventTypes.join(', ')}`
    const category = body['categoryId']
    if (given === 'track' && textOf(body, 'name') === '') return 'name is missing; a track event needs one'
    if (typeof category === 'string' && !parts.category.has(category)) return `category ${category} not found`
    return undefined
  }
  if (textOf(body, 'name') === '') return 'name is missing'
  if (kind === 'property') return typeRefusal(type, body['propConfig'], parts, true) ?? schemaRefusal(part, parts)
  if (kind !== 'customType') return undefined
  const references = [...objectsIn(body['properties']), ...objectsIn(body['variants']).flatMap(referencesOfVariant)]
  return (
    typeRefusal(type, body['config'], parts, false) ??
    variantRefusal(body['variants']) ??
    missingProperty(references, parts) ??
    schemaRefusal(part, {
      ...parts,
      property: new Map([[part.id, { id: part.id, body: { name: 'x', type: body['name'] } }], ...parts.property]),
    })
  )
}

/** Returns why rules of events cannot be in a plan. */
export function planRuleRefusal(rule: JsonObject, parts: PlanParts): string | undefined {
  if (!isNestedWithin(rule, depthMax)) return `the rule is nested deeper than ${depthMax} levels`
  const id = textOf(rule, 'id')
  if (!parts.event.has(id)) return `event ${id} not found`
  const section = textOf(rule, 'identitySection')
  if (!['', 'properties', 'traits', 'context.traits'].includes(section))
    return `identitySection is ${section}; allowed is: properties, traits, context.traits or nothing`
  return (
    variantRefusal(rule['variants']) ??
    missingProperty(
      [...objectsIn(rule['properties']), ...objectsIn(rule['variants']).flatMap(referencesOfVariant)],
      parts,
    )
  )
}

function isNestedWithin(value: JsonValue | undefined, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((member) => isNestedWithin(member, levels - 1))
}

/** Returns why variants cannot be checked: each is decided by the value of one property, and has a case at least. */
function variantRefusal(variants: JsonValue | undefined): string | undefined {
  for (const { type = 'discriminator', cases } of objectsIn(variants)) {
    if (type !== 'discriminator') return `type of a variant is ${String(type)}; allowed is: discriminator`
    if (objectsIn(cases).length === 0) return 'cases of a variant is empty; allowed is: one or more'
  }
  return undefined
}

function referencesOfVariant(variant: JsonObject): readonly JsonObject[] {
  return [
    { id: variant['discriminator'] ?? '' },
    ...objectsIn(variant['cases']).flatMap(({ properties }) => objectsIn(properties)),
    ...objectsIn(variant['default']),
  ]
}

function missingProperty(references: readonly JsonObject[], parts: PlanParts): string | undefined {
  for (const reference of references) {
    const id = textOf(reference, 'id')
    if (!parts.property.has(id)) return `property ${id} not found`
    const inside = missingProperty(objectsIn(reference['properties']), parts)
    if (inside !== undefined) return inside
  }
  return undefined
}

function typeRefusal(
  type: string,
  config: JsonValue | undefined,
  parts: PlanParts,
  mayBeCustom: boolean,
): string | undefined {
  const isKnown = (name: string): boolean => jsonTypes.includes(name) || customTypeNamed(name, parts) !== undefined
  const names = mayBeCustom && customTypeNamed(type, parts) ? [] : type.split(',').filter((each) => each !== '')
  const wrong = names.find((name) => !jsonTypes.includes(name))
  if (wrong !== undefined)
    return `type is ${wrong}; allowed is: ${jsonTypes.join(', ')}${mayBeCustom ? ', or the name of a custom type' : ''}`
  const item = itemTypesOf(config).find((name) => !isKnown(name))
  if (item !== undefined) return `item type ${item} not found; allowed is: ${jsonTypes.join(', ')}, or a custom type`
  const keys = isJsonObject(config) ? Object.keys(config) : []
  const key = keys.find((each) => !configKeys.includes(each) && each !== '$ref')
  if (key === undefined) return undefined
  return `${key} cannot be checked here; allowed are: ${configKeys.join(', ')}`
}

/** Returns why the schema of a property, or of a property of a custom type, does not compile. */
function schemaRefusal(part: PlanPart, parts: PlanParts): string | undefined {
  const rule = projectPart(part, { properties: [{ property: `#property:${part.id}`, required: false }] })
  const problems: string[] = []
  const catalogue = {
    properties: new Map([...parts.property].map(([id, each]) => [id, projectProperty(each, parts)])),
    customTypes: new Map([...parts.customType].map(([id, each]) => [id, projectCustomType(each)])),
    report: (_: unknown, value: string, allowed: string) => void problems.push(`${value}; allowed is: ${allowed}`),
  }
  const schema = eventSchema(rule, 'track', catalogue)
  return (
    problems[0] ??
    trackingPlanProblem({ onViolation: 'mark', unplanned: 'pass', events: [{ type: 'track', event: 'x', schema }] })
  )
}
