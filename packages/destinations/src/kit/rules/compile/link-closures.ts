import type { JsonObject, JsonValue } from '@sluice/core'
import { isMappingError, type MappingError } from '../../map/mapping-error.ts'
import { isPresent } from '../is-blank.ts'
import { type KeyPath, valueAt } from '../key-path.ts'
import { type EachRule, isSettable, type PathSource, type RestRule, type Rule, type SetRule } from '../rule.ts'
import type { CompiledRules } from './compiled-rules.ts'
import { type DescentStep, descentTo, ownObject } from './descent.ts'
import { mapEach } from './map-each.ts'
import { missingValue } from './missing-value.ts'
import { addMembers, namesLeftOut, restOf } from './rest-of.ts'

type Target = Record<string, JsonValue | undefined>
type Step = (target: Target, source: JsonObject, settings: JsonObject) => MappingError | undefined

/**
 * Compiles rules to closures. This is the reference implementation that the generated code is tested against, and the
 * fallback when code cannot be generated.
 */
export function linkClosures(rules: readonly Rule[]): CompiledRules {
  const steps = rules.map((rule) => conditional(rule, stepOf(rule, rules)))
  return (source, settings) => {
    const target: Target = {}
    for (const step of steps) {
      const error = step(target, source, settings)
      if (error) return error
    }
    return target
  }
}

function stepOf(rule: Rule, rules: readonly Rule[]): Step {
  switch (rule.kind) {
    case 'set':
      return setStep(rule, rules)
    case 'rest':
      return restStep(rule, rules)
    case 'each':
      return eachStep(rule, rules)
  }
}

function conditional({ condition }: Rule, step: Step): Step {
  if (!condition) return step
  return (target, source, settings) => (condition(source, settings) ? step(target, source, settings) : undefined)
}

function setStep(rule: SetRule, rules: readonly Rule[]): Step {
  const { to, converters, fallback, isRequired } = rule
  const error = missingValue(rule)
  const { parents, last } = wayTo(to, rules)
  return (target, source, settings) => {
    let value = read(rule.value, source, settings)
    if (value === undefined || value === null) value = fallback
    else for (const convert of converters) value = isSettable(value) ? convert(value) : undefined
    if (!isSettable(value)) return isRequired ? error : undefined
    descend(target, parents)[last] = value
    return undefined
  }
}

function restStep(rule: RestRule, rules: readonly Rule[]): Step {
  const without = namesLeftOut(rule, rules)
  const steps = descentTo(rule.to, rules)
  return (target, source, settings) => {
    const rest = restOf(readPaths(rule.value, source, settings), rule, without)
    if (rest) addMembers(descend(target, steps), rest)
    return undefined
  }
}

function eachStep({ to, value, rules: own }: EachRule, rules: readonly Rule[]): Step {
  const map = linkClosures(own)
  const { parents, last } = wayTo(to, rules)
  return (target, source, settings) => {
    const mapped = mapEach(readPaths(value, source, settings), map, settings)
    if (isMappingError(mapped)) return mapped
    if (mapped.length > 0) descend(target, parents)[last] = mapped
    return undefined
  }
}

function read(value: SetRule['value'], source: JsonObject, settings: JsonObject): JsonValue | undefined {
  if (value.of === 'constant') return value.value
  return value.of === 'computed' ? value.compute(source, settings) : readPaths(value, source, settings)
}

function readPaths(
  { of, paths, skipsBlank }: PathSource,
  source: JsonObject,
  settings: JsonObject,
): JsonValue | undefined {
  const from = of === 'source' ? source : settings
  for (const path of paths) {
    const value = valueAt(from, path)
    if (!skipsBlank || isPresent(value)) return value
  }
  return undefined
}

function wayTo(to: KeyPath, rules: readonly Rule[]) {
  return { parents: descentTo(to, rules).slice(0, -1), last: to.at(-1) as string }
}

/** Walks from the target along the steps, and creates missing objects. */
function descend(target: Target, steps: readonly DescentStep[]): Target {
  let at = target
  for (const { key, isShared } of steps) {
    if (isShared) at[key] = ownObject(at[key])
    else at[key] ??= {}
    at = at[key] as Target
  }
  return at
}
