import { InvariantError } from '@sluice/core'
import { isSettable, type Rule } from '../rule.ts'

/**
 * Checks rules when they are loaded, for mistakes that would otherwise go unnoticed.
 *
 * @throws InvariantError for a fallback that would never be set, for two unconditional rules that set the same place,
 * and for a rule that writes inside a value that another rule copied from the event, since that would change the event.
 */
export function checkRules(rules: readonly Rule[]): void {
  const taken = new Map<string, Rule>()
  for (const rule of rules) {
    const place = rule.to.join('.')
    if (rule.kind === 'set' && rule.fallback !== undefined && !isSettable(rule.fallback)) {
      throw new InvariantError(`The fallback of ${place} would never be set.`)
    }
    if (rule.kind === 'rest') continue
    const before = taken.get(place)
    if (before && !before.condition && !rule.condition) throw new InvariantError(`Two rules set ${place}.`)
    taken.set(place, rule)
  }
  for (const { to, kind } of rules) {
    const outer = to.map((_, index) => to.slice(0, index + (kind === 'rest' ? 1 : 0)).join('.'))
    const owner = outer.find((place) => taken.has(place))
    if (owner !== undefined) {
      throw new InvariantError(
        `A rule writes to ${to.join('.')}, inside the value of ${owner}; use rest() for ${owner}.`,
      )
    }
  }
}
