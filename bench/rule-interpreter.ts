import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { flatten, instrumentationError, isMappingError, type MappingError, type Rule } from '@sluice/destinations'

type Target = Record<string, JsonValue | undefined>

/**
 * Maps an event by walking the rules each time, as rule engines do that read their rules from files. What compiled rules
 * are measured against; it gives the same answers, apart from the wording of errors.
 */
export function interpretRules(
  rules: readonly Rule[],
  source: JsonObject,
  settings: JsonObject,
): JsonObject | MappingError {
  const target: Target = {}
  for (const rule of rules) {
    if (rule.condition && !rule.condition(source, settings)) continue
    const error = applyRule(rule, rules, target, source, settings)
    if (error) return error
  }
  return target
}

function applyRule(
  rule: Rule,
  rules: readonly Rule[],
  target: Target,
  source: JsonObject,
  settings: JsonObject,
): MappingError | undefined {
  let value = read(rule.value, source, settings)
  if (rule.kind === 'rest') {
    if (!isJsonObject(value)) return undefined
    const rest = rule.isFlat ? flatten(kept(value, rule, rules)) : kept(value, rule, rules)
    if (!rule.skipsEmpty || Object.keys(rest).length > 0) spread(target, rule.to, rest)
    return undefined
  }
  if (rule.kind === 'each') {
    const elements = (Array.isArray(value) ? value : [value]).filter(isJsonObject)
    const mapped = elements.map((element) => interpretRules(rule.rules, element, settings))
    const error = mapped.find(isMappingError)
    if (error) return error
    if (mapped.length > 0) assign(target, rule.to, mapped as JsonValue)
    return undefined
  }
  if (value === undefined || value === null) value = rule.fallback
  else for (const convert of rule.converters) value = isSettable(value) ? convert(value) : undefined
  if (isSettable(value)) assign(target, rule.to, value)
  else if (rule.isRequired) return instrumentationError('a required value is missing')
  return undefined
}

function read(from: Rule['value'], source: JsonObject, settings: JsonObject): JsonValue | undefined {
  if (from.of === 'constant') return from.value
  if (from.of === 'computed') return from.compute(source, settings)
  for (const path of from.paths) {
    const value = path.reduce<JsonValue | undefined>(
      (at, key) => (at === null || at === undefined ? undefined : (at as JsonObject)[key]),
      from.of === 'source' ? source : settings,
    )
    if (!from.skipsBlank || (value !== undefined && value !== null && value !== '')) return value
  }
  return undefined
}

function isSettable(value: JsonValue | undefined): value is JsonValue {
  return Boolean(value) || value === 0 || value === false
}

/** The members no rule names, and, if asked, no other rule reads. */
function kept(value: JsonObject, rule: Rule & { readonly kind: 'rest' }, rules: readonly Rule[]): JsonObject {
  const isRead = (key: string): boolean =>
    rules.some(
      (other) =>
        other !== rule &&
        other.value.of === 'source' &&
        other.value.paths.some((path) =>
          rule.value.paths.some((prefix) => [...prefix, key].every((part, index) => part === path[index])),
        ),
    )
  const members = Object.entries(value).filter(([key]) => !rule.omitted.has(key) && !(rule.isUnmapped && isRead(key)))
  return Object.fromEntries(members)
}

function assign(target: Target, to: readonly string[], value: JsonValue): void {
  const last = to.at(-1)
  if (last !== undefined) objectAt(target, to.slice(0, -1))[last] = value
}

function spread(target: Target, to: readonly string[], members: JsonObject): void {
  Object.assign(objectAt(target, to), members)
}

/** The object at a place, copied on the way: it may be the event's own. */
function objectAt(target: Target, path: readonly string[]): Target {
  let at = target
  for (const key of path) {
    const inside = at[key]
    at[key] = isJsonObject(inside) ? { ...inside } : {}
    at = at[key] as Target
  }
  return at
}
