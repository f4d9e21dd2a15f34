import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { camelCase } from '@sluice/core/camel-case'
import { idIn, type Part, partsIn, textsOf } from './resource.ts'

/** Deepest nesting of properties and custom types; more is taken for a circle. */
const depthMax = 20

/** The properties and custom types of a project by id, and where to report what is wrong. */
export interface Catalogue {
  readonly properties: ReadonlyMap<string, Part>
  readonly customTypes: ReadonlyMap<string, Part>
  report(part: Part, value: string, allowed: string): void
}

/** Returns the JSON Schema of an object with the properties, required ones and variants that a rule or a type lists. */
export function objectSchema(rule: Part, catalogue: Catalogue, additional: boolean, depth = 0): JsonObject {
  const listed = members(partsIn(rule, 'properties'), catalogue, depth)
  const variants = partsIn(rule, 'variants').map((variant) => variantSchema(variant, catalogue, depth))
  // Listed as well where they are optional, so that they are not taken for unplanned.
  const ofVariants = variants.flatMap(({ names }) => names.map((name): [string, JsonObject] => [name, {}]))
  return {
    type: 'object',
    properties: { ...Object.fromEntries(ofVariants), ...listed.properties },
    ...(listed.required.length > 0 ? { required: listed.required } : {}),
    ...(additional ? {} : { additionalProperties: false }),
    ...(variants.length > 0 ? { allOf: variants.flatMap(({ conditions }) => conditions) } : {}),
  }
}

interface Members {
  readonly properties: JsonObject
  readonly required: readonly string[]
}

function members(rules: readonly Part[], catalogue: Catalogue, depth: number): Members {
  const entries = rules.flatMap((rule): readonly { name: string; schema: JsonObject; isRequired: boolean }[] => {
    const property = propertyOf(rule, rule.value['property'] ?? rule.value['$ref'], catalogue)
    if (property === undefined) return []
    const name = String(property.value['name'] ?? property.value['id'])
    return [
      { name, schema: memberSchema(rule, property, catalogue, depth), isRequired: rule.value['required'] === true },
    ]
  })
  return {
    properties: Object.fromEntries(entries.map(({ name, schema }) => [name, schema])),
    required: entries.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  }
}

function propertyOf(at: Part, reference: JsonValue | undefined, catalogue: Catalogue): Part | undefined {
  const id = idIn(reference)
  const property = id === undefined ? undefined : catalogue.properties.get(id)
  if (property === undefined)
    catalogue.report(at, String(id ?? 'no reference'), 'a property of the project, such as #property:ID')
  return property
}

/** The schema of a property, with the members that a rule nests in it. */
function memberSchema(rule: Part, property: Part, catalogue: Catalogue, depth: number): JsonObject {
  const schema = propertySchema(property, catalogue, depth + 1)
  if (!Array.isArray(rule.value['properties'])) return schema
  const additional = rule.value['additional_properties'] ?? rule.value['additionalProperties']
  return { ...schema, ...objectSchema(rule, catalogue, additional !== false, depth + 1) }
}

function propertySchema(property: Part, catalogue: Catalogue, depth: number): JsonObject {
  const { value } = property
  if (depth > depthMax) {
    catalogue.report(property, 'a property within itself', `at most ${depthMax} levels`)
    return {}
  }
  const { itemTypes, ...config } = configOf(value)
  const items = [...textsOf(itemTypes), ...textsOf(value['item_type']), ...textsOf(value['item_types'])]
  return {
    ...typeSchema(property, typesOf(value), catalogue, depth),
    ...config,
    ...(items.length > 0 ? { items: typeSchema(property, items, catalogue, depth) } : {}),
  }
}

/** Returns the names of types: one, several, or several in one text with commas. */
function typesOf({ type, types }: JsonObject): readonly string[] {
  const listed = [...textsOf(types), ...textsOf(type)].flatMap((each) => each.split(','))
  return listed.map((each) => each.trim()).filter((each) => each !== '')
}

function typeSchema(at: Part, types: readonly string[], catalogue: Catalogue, depth: number): JsonObject {
  const reference = types.find((type) => type.startsWith('#'))
  if (reference === undefined) return types.length === 0 ? {} : { type: types.length === 1 ? types[0] : types }
  const custom = catalogue.customTypes.get(idIn(reference) ?? '')
  if (custom === undefined) {
    catalogue.report(at, reference, 'a custom type of the project, such as #custom-type:ID')
    return {}
  }
  const schema = propertySchema(custom, catalogue, depth + 1)
  const isObject = Array.isArray(custom.value['properties']) || Array.isArray(custom.value['variants'])
  return isObject ? { ...schema, ...objectSchema(custom, catalogue, true, depth + 1) } : schema
}

/** The keywords of JSON Schema in a `config`, whose names have underscores in newer projects. */
function configOf(value: JsonObject): JsonObject {
  const config = value['config'] ?? value['propConfig']
  if (!isJsonObject(config)) return {}
  return Object.fromEntries(Object.entries(config).map(([key, member]) => [camelCase(key), member]))
}

interface VariantSchema {
  readonly conditions: readonly JsonObject[]
  readonly names: readonly string[]
}

/** Returns the conditions of a variant: for each value of its discriminator, what the object has then. */
function variantSchema(variant: Part, catalogue: Catalogue, depth: number): VariantSchema {
  const discriminator = propertyOf(variant, variant.value['discriminator'], catalogue)
  if (discriminator === undefined) return { conditions: [], names: [] }
  const name = String(discriminator.value['name'] ?? discriminator.value['id'])
  const matches = (values: readonly JsonValue[]): JsonObject => ({
    properties: { [name]: { enum: values } },
    required: [name],
  })
  const cases = partsIn(variant, 'cases').map((each) => {
    const values = [each.value['match']].flat().filter((value) => value !== undefined)
    return { values, given: members(partsIn(each, 'properties'), catalogue, depth) }
  })
  const fallback = isJsonObject(variant.value['default'])
    ? partsIn({ ...variant, path: `${variant.path}.default`, value: variant.value['default'] }, 'properties')
    : partsIn(variant, 'default')
  const otherwise = members(fallback, catalogue, depth)
  const all = cases.flatMap(({ values }) => values)
  return {
    names: [
      name,
      ...[...cases.map(({ given }) => given), otherwise].flatMap(({ properties }) => Object.keys(properties)),
    ],
    conditions: [
      ...cases.map(({ values, given }) => condition(matches(values), given)),
      ...(fallback.length > 0 ? [condition({ not: matches(all) }, otherwise)] : []),
    ],
  }
}

function condition(when: JsonObject, { properties, required }: Members): JsonObject {
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return { if: when, then: { properties, ...(required.length > 0 ? { required } : {}) } }
}
