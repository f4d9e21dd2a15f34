import type { JsonValue } from '@sluice/core'
import { isMappingError } from '../../map/mapping-error.ts'
import type { KeyPath } from '../key-path.ts'
import type { EachRule, PathSource, RestRule, Rule, SetRule } from '../rule.ts'
import type { CompiledRules } from './compiled-rules.ts'
import { type DescentStep, descentTo, ownObject } from './descent.ts'
import { mapEach } from './map-each.ts'
import { missingValue } from './missing-value.ts'
import { addMembers, namesLeftOut, restOf } from './rest-of.ts'

/**
 * Compiles rules to one generated function: paths become optional chains, converters direct calls, error messages
 * constants.
 *
 * The code is generated only from the rules of a definition, with keys quoted as JSON; it contains nothing of an event
 * or of settings. The code accesses everything except keys through the array of references `$`.
 *
 * Source: packages/docs/decisions/0014-compiled-mappings.md.
 * @throws EvalError when the platform forbids code generation.
 */
export function generateFunction(rules: readonly Rule[]): CompiledRules {
  const references: unknown[] = [{ addMembers, isMappingError, mapEach, ownObject, restOf }]
  const refer = (value: unknown): string => `$[${references.push(value) - 1}]`
  const body = rules.map((rule) => conditional(rule, statementsOf(rule, rules, refer), refer)).join('\n')
  const text = `'use strict'
const { addMembers, isMappingError, mapEach, ownObject, restOf } = $[0]
return (source, settings) => {
const target = {}
let value, at
${body}
return target
}`
  return new Function('$', text)(references) as CompiledRules
}

/** Adds a value to the references and returns the expression for it. */
type Refer = (value: unknown) => string

function statementsOf(rule: Rule, rules: readonly Rule[], refer: Refer): string {
  switch (rule.kind) {
    case 'set':
      return setStatements(rule, rules, refer)
    case 'rest':
      return restStatements(rule, rules, refer)
    case 'each':
      return eachStatements(rule, rules, refer)
  }
}

function conditional({ condition }: Rule, statements: string, refer: Refer): string {
  return condition ? `if (${refer(condition)}(source, settings)) {\n${statements}\n}` : statements
}

const isMissing = 'value === undefined || value === null'
const isSettable = 'value || value === 0 || value === false'

function setStatements(rule: SetRule, rules: readonly Rule[], refer: Refer): string {
  const { to, converters, fallback, isRequired } = rule
  const convert = converters.map((each) => `if (${isSettable}) value = ${refer(each)}(value); else value = undefined`)
  const otherwise = fallback === undefined ? '' : `if (${isMissing}) value = ${literal(fallback, refer)}`
  return [
    readStatements(rule.value, refer),
    converters.length > 0
      ? `${otherwise || `if (${isMissing}) value = undefined`}\nelse {\n${convert.join('\n')}\n}`
      : otherwise,
    `if (${isSettable}) { ${assignTo(to, rules)} }`,
    isRequired ? `else return ${refer(missingValue(rule))}` : '',
  ]
    .filter(Boolean)
    .join('\n')
}

function restStatements(rule: RestRule, rules: readonly Rule[], refer: Refer): string {
  const without = refer(namesLeftOut(rule, rules))
  return `${pathStatements(rule.value)}
value = restOf(value, ${refer(rule)}, ${without})
if (value !== undefined) { ${descend(descentTo(rule.to, rules))} addMembers(at, value) }`
}

function eachStatements({ to, value, rules: own }: EachRule, rules: readonly Rule[], refer: Refer): string {
  return `${pathStatements(value)}
value = mapEach(value, ${refer(generateFunction(own))}, settings)
if (isMappingError(value)) return value
if (value.length > 0) { ${assignTo(to, rules)} }`
}

function readStatements(value: SetRule['value'], refer: Refer): string {
  if (value.of === 'constant') return `value = ${literal(value.value, refer)}`
  return value.of === 'computed' ? `value = ${refer(value.compute)}(source, settings)` : pathStatements(value)
}

function literal(value: JsonValue, refer: Refer): string {
  return typeof value === 'object' ? refer(value) : JSON.stringify(value)
}

function pathStatements({ of, paths, skipsBlank }: PathSource): string {
  const [first = [], ...others] = paths
  const reads = [`value = ${chain(of, first)}`]
  for (const path of others) reads.push(`if (${isMissing} || value === '') value = ${chain(of, path)}`)
  if (skipsBlank) reads.push("if (value === '') value = undefined")
  return reads.join('\n')
}

function chain(of: PathSource['of'], path: KeyPath): string {
  return path.reduce((text, key) => `${text}?.[${JSON.stringify(key)}]`, of)
}

function assignTo(to: KeyPath, rules: readonly Rule[]): string {
  return `${descend(descentTo(to, rules).slice(0, -1))} at[${JSON.stringify(to.at(-1))}] = value`
}

function descend(steps: readonly DescentStep[]): string {
  const downs = steps.map(({ key, isShared }) => {
    const member = `at[${JSON.stringify(key)}]`
    return isShared ? `at = ${member} = ownObject(${member});` : `at = ${member} ??= {};`
  })
  return ['at = target;', ...downs].join(' ')
}
