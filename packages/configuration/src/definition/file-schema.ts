import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { defined } from '@sluice/core/defined'
import { type DestinationDefinition, publicDefinition } from '@sluice/destinations/kit'
import { WorkspaceSchema } from './workspace-schema.ts'

/** What may be in place of any value: a variable, or a template that events decide. */
const instead: JsonObject = { type: 'string', pattern: '^(env:[A-Za-z_][A-Za-z0-9_]*$|\\{\\{)' }

/**
 * Returns the JSON Schema (draft 7) of a workspace file, for editors: with the settings of each destination type, and
 * with what only files may have (variables, `file`, `destinationPackages`, `$schema`).
 */
export function workspaceFileSchema(definitions: readonly DestinationDefinition[]): JsonObject {
  const workspace = json(WorkspaceSchema)
  const properties = objectOf(workspace['properties'])
  const file = {
    $schema: { type: 'string', description: 'The address of this schema. Sluice ignores it.' },
    destinationPackages: {
      type: 'array',
      items: { type: 'string' },
      description: 'Files (./x.js) and npm packages with destination types. Their code runs with all permissions.',
    },
  }
  const known = { ...workspace, properties: { ...properties, ...withVariables(properties, definitions) } }
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Workspace file of Sluice',
    definitions: { workspace: known, settings: settingsByType(definitions) },
    if: { required: ['workspaces'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: {
      type: 'object',
      properties: { ...file, workspaces: { type: 'array', minItems: 1, items: { $ref: '#/definitions/workspace' } } },
      additionalProperties: false,
    },
    else: { ...known, properties: { ...known.properties, ...file } },
  }
}

/** Returns the lists whose elements may name variables, and the settings of destinations. */
function withVariables(properties: JsonObject, definitions: readonly DestinationDefinition[]): JsonObject {
  const itemsOf = (list: string): JsonObject => objectOf(objectOf(properties[list])['items'])
  const source = itemsOf('sources')
  const destination = itemsOf('destinations')
  return {
    sources: {
      ...objectOf(properties['sources']),
      items: {
        ...source,
        properties: {
          ...objectOf(source['properties']),
          writeKey: orVariable(objectOf(source['properties'])['writeKey']),
        },
      },
    },
    destinations: {
      ...objectOf(properties['destinations']),
      items: {
        ...destination,
        properties: {
          ...objectOf(destination['properties']),
          type: {
            // Others come from packages.
            anyOf: [{ enum: definitions.map(({ type }) => type) }, { type: 'string' }],
            description: 'Destination type, in any case; sluice destination-types list shows them.',
          },
        },
        allOf: definitions.map(({ type }) => ({
          if: { properties: { type: { enum: [...new Set([type, type.toLowerCase()])] } }, required: ['type'] },
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
          then: { properties: { settings: { $ref: `#/definitions/settings/${type}` } } },
        })),
      },
    },
  }
}

function settingsByType(definitions: readonly DestinationDefinition[]): JsonObject {
  return Object.fromEntries(
    definitions.map((definition) => {
      const { displayName, settings } = publicDefinition(definition)
      return [definition.type, { title: `Settings of ${displayName}`, ...settingSchema(settings) }]
    }),
  )
}

/** Keywords that editors know. Sluice's own words describe forms. */
const keywords = new Set(
  'type enum const anyOf oneOf items properties required additionalProperties description default minLength maxLength minItems maxItems minimum maximum pattern format'.split(
    ' ',
  ),
)

function settingSchema(node: JsonObject): JsonObject {
  const kept = Object.fromEntries(Object.entries(node).filter(([keyword]) => keywords.has(keyword)))
  const { properties, required, additionalProperties: further, items, anyOf, oneOf, ...others } = kept
  const inside = (value: JsonValue | undefined): JsonValue => settingSchema(objectOf(value))
  const eachOf = (list: JsonValue | undefined): JsonValue => (Array.isArray(list) ? list.map(inside) : [])
  const members = objectOf(properties)
  // A default fills in what is missing.
  const needed = (Array.isArray(required) ? required : []).filter(
    (name) => objectOf(members[String(name)])['default'] === undefined,
  )
  const schema: JsonObject = {
    ...others,
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(members).map(([name, member]) => [name, inside(member)])) }),
    ...(needed.length > 0 ? { required: needed } : {}),
    ...(further === undefined ? {} : { additionalProperties: isJsonObject(further) ? inside(further) : further }),
    ...(items === undefined ? {} : { items: inside(items) }),
    ...(anyOf === undefined ? {} : { anyOf: eachOf(anyOf) }),
    ...(oneOf === undefined ? {} : { oneOf: eachOf(oneOf) }),
  }
  return isPlain(schema) ? schema : orVariable(schema)
}

/** Whether a schema allows variables already: objects and lists have them inside, and most texts may be anything. */
function isPlain({ type, enum: choices, pattern, format, const: fixed, anyOf, oneOf }: JsonObject): boolean {
  const isNested = [type].flat().some((each) => each === 'object' || each === 'array')
  if (isNested || anyOf !== undefined || oneOf !== undefined) return true
  return type === 'string' && [choices, pattern, format, fixed].every((each) => each === undefined)
}

function orVariable(schema: JsonValue | undefined): JsonObject {
  const { description, default: fallback, ...node } = objectOf(schema)
  return defined({
    description,
    default: fallback,
    anyOf: [node, instead],
  })
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** Schemas of TypeBox are JSON with hidden members. */
function json(schema: object): JsonObject {
  return JSON.parse(JSON.stringify(schema)) as JsonObject
}
