import { sha256 } from '../convert/hash.ts'
import type { Condition, Converter, Rule } from '../rules/rule.ts'
import type { SetRuleBuilder } from '../rules/to.ts'
import { each } from './normalise.ts'

/**
 * Returns a function for the rules of personal fields: if a flag of the settings is on, the value (or each element of a
 * list) is normalised and hashed; otherwise it is sent as it is, because the sender has hashed it.
 */
export function hashedWhen(setting: string): (rule: SetRuleBuilder, normal: Converter) => readonly Rule[] {
  const isOn: Condition = (_, settings) => settings[setting] === true
  const isOff: Condition = (_, settings) => settings[setting] !== true
  return (rule, normal) => [rule.as(each(normal), each(sha256)).when(isOn), rule.when(isOff)]
}
