import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import {
  type Ask,
  ask,
  configurationError,
  type DestinationReply,
  isKnown,
  json,
  type MappingContext,
  type MappingError,
  objectOrEmpty,
  objectsIn,
} from '../../kit/index.ts'

const keptMs = 15 * 60_000 // so that a new conversion action is soon found

/** Resource names by the names that people gave to the resources. */
export type ResourceNames = Readonly<Record<string, JsonValue | undefined>>

/** What can be found by its name in Google Ads: the name of the resource, and of its member in replies. */
const resources = {
  action: { table: 'conversion_action', member: 'conversionAction' },
  variable: { table: 'conversion_custom_variable', member: 'conversionCustomVariable' },
} as const

/**
 * Asks Google Ads for all conversion actions or custom variables that the settings name, so that one answer serves all
 * events. Source: Google Ads docs, Google Ads Query Language.
 */
export function resourcesNamed(
  kind: keyof typeof resources,
  names: readonly string[],
  customerId: string,
  headers: Readonly<Record<string, string>>,
  context: MappingContext,
): ResourceNames | Ask | MappingError {
  const { table, member } = resources[kind]
  const list = [...new Set(names)].map((name) => `'${name.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`).join(', ')
  const fields = ['name', 'resource_name', 'owner_customer'].map((field) => `${table}.${field}`).join(', ')
  const query = `SELECT ${fields} FROM ${table} WHERE ${table}.name IN (${list})`
  const answer = ask(context, {
    key: `${customerId} ${query}`,
    request: json({
      method: 'POST',
      endpoint: `https://googleads.googleapis.com/v23/customers/${customerId}/googleAds:searchStream`,
      headers,
      body: { query },
    }),
    read: (reply) => resourceNamesIn(reply, member),
    ttlMs: keptMs,
  })
  return isKnown(answer) ? objectOrEmpty(answer) : answer
}

function resourceNamesIn({ body }: DestinationReply, member: string): JsonObject {
  const chunks = (Array.isArray(body) ? body : [body]).filter(isJsonObject)
  const found = chunks.flatMap(({ results }) => objectsIn(results))
  return Object.fromEntries(
    found.flatMap(({ [member]: resource }) =>
      isJsonObject(resource) ? [[String(resource['name']), resource['resourceName']]] : [],
    ),
  )
}

/** Returns the resource of a conversion action; an error if Google Ads has none of this name. */
export function actionNamed(name: string, actions: ResourceNames): JsonValue | MappingError {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  return action ?? configurationError(`Google Ads has no conversion action named ${name}`)
}
