import { createRequire } from 'node:module'
import type { JsonObject, JsonValue } from '@sluice/core'
import type { Rule } from '@sluice/destinations'

/** The mapping kit of Segment's action destinations: a tree of directives, walked for each event. */
interface MappingKit {
  transform(directives: JsonObject, data: JsonObject): JsonObject
}

// Node cannot load its ES modules.
export const { transform } = createRequire(import.meta.url)('@segment/actions-core/mapping-kit') as MappingKit

/** Whether a rule can be said in directives: it copies the value of the first path that is not blank, or a constant. */
export function isComparable(rule: Rule): boolean {
  const { kind, condition, value, to } = rule
  if (kind !== 'set' || condition || value.of === 'computed' || value.of === 'settings') return false
  return rule.converters.length === 0 && rule.fallback === undefined && !rule.isRequired && to.length === 1
}

/** The same rules as directives. */
export function toDirectives(rules: readonly Rule[]): JsonObject {
  return Object.fromEntries(rules.map(({ to, value }): [string, JsonValue] => [to.join('.'), directive(value)]))
}

function directive(value: Rule['value']): JsonValue {
  if (value.of === 'constant') return value.value
  if (value.of === 'computed') throw new TypeError('a function cannot be said in directives')
  return (
    value.paths
      .map((path): JsonObject => ({ '@path': `$.${path.join('.')}` }))
      // biome-ignore lint/suspicious/noThenProperty: it is what the directive calls it
      .reduceRight((otherwise, path) => ({ '@if': { blank: path, then: path, else: otherwise } }))
  )
}
