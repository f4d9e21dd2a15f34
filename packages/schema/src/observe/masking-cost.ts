import type { JsonValue } from '@sluice/core'
import { isLargerThan } from '@sluice/core/is-larger-than'

/** Characters that take as long as one that may begin another one, such as `%40`, or that is not ASCII. */
const charactersPerCode = 8

/**
 * Returns how long it takes to mask a value, in plain characters; more than `max` for all that take longer. It looks at no
 * more than that, so it is called before work that grows with the value.
 */
export function maskingCost(value: JsonValue, max: number): number {
  if (isLargerThan(value, max)) return max + 1
  let cost = 0
  const countText = (text: string): void => {
    cost += text.length
    for (let index = 0; index < text.length && cost <= max; index += 1) {
      const unit = text.charCodeAt(index)
      if (unit > 127 || unit === 37 || unit === 38 || unit === 61 || unit === 92) cost += charactersPerCode - 1
    }
  }
  const waiting: (JsonValue | undefined)[] = [value]
  while (waiting.length > 0 && cost <= max) {
    const one = waiting.pop()
    if (typeof one === 'string') countText(one)
    if (typeof one !== 'object' || one === null) continue
    if (Array.isArray(one)) {
      for (const item of one) waiting.push(item)
      continue
    }
    for (const [key, member] of Object.entries(one)) {
      countText(key)
      waiting.push(member)
    }
  }
  return cost
}
