import type { Event, JsonValue } from '@sluice/core'
import type { NameRules } from '../naming/name-rules.ts'
import { isBlank } from './columns/typed-value.ts'
import type { RowError } from './row-error.ts'
import { TableRow } from './table-row.ts'

type Identity = readonly [type: string, value: string]

/**
 * Returns the row that says which identities of an event belong to one user, undefined without any. Source: RudderStack
 * docs, identity resolution.
 */
export function mergeRuleOf(event: Event, type: string, rules: NameRules): TableRow | RowError | undefined {
  if (type === 'merge') return ruleOfMerge(event['mergeProperties'], rules)
  if (type === 'alias') {
    const userId = identity('user_id', event['userId'])
    return userId && toRow([userId, identity('user_id', event['previousId'])], rules)
  }
  return toRow([identity('anonymous_id', event['anonymousId']), identity('user_id', event['userId'])], rules)
}

function ruleOfMerge(properties: unknown, rules: NameRules): TableRow | RowError | undefined {
  const list: readonly unknown[] = Array.isArray(properties) ? properties.slice(0, 2) : [undefined]
  if (properties === undefined || properties === null || (Array.isArray(properties) && list.length < 2))
    return {
      code: 'merge_identifiers_missing',
      message: 'mergeProperties has fewer than two identifiers; name two, each with type and value.',
    }
  const found = list.map((each) => {
    const { type, value } = (each ?? {}) as { readonly type?: JsonValue; readonly value?: JsonValue }
    return typeof type === 'string' ? identity(type, value) : undefined
  })
  if (found.includes(undefined))
    return {
      code: 'merge_null_value',
      message: `mergeProperties is ${JSON.stringify(properties)?.slice(0, 200)}; each of its first two elements needs a type and a value.`,
    }
  return toRow(found, rules)
}

function identity(type: string, value: JsonValue | undefined): Identity | undefined {
  if (type === '' || value === undefined || isBlank(value) || typeof value === 'object') return undefined
  return [type, String(value)]
}

function toRow(found: readonly (Identity | undefined)[], { own }: NameRules): TableRow | undefined {
  const identities = found.filter((each) => each !== undefined)
  const [one, two] = identities
  if (one === undefined) return undefined
  const entries = identities.flatMap(([type, value], at): [string, string][] => [
    [own(`merge_property_${at + 1}_type`), type],
    [own(`merge_property_${at + 1}_value`), value],
  ])
  return new TableRow(
    own('rudder_identity_merge_rules'),
    entries.map(([name]) => name),
    entries.map(() => 'string' as const),
    entries.map(([, value]) => value),
    { one: one[1], two: two ? two[1] : undefined },
  )
}
