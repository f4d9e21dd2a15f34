import type { JsonObject } from '@sluice/core'
import { text } from '../../convert/text.ts'
import { valueAt } from '../../rules/key-path.ts'

const placeholder = /\{\{\{?\s*([^{}\s]+)\s*\}?\}\}/g

/**
 * Returns a template with each `{{ path }}` replaced by the value at that path of the event; '' when there is none.
 *
 * @param write converts a value to text. Default: `convert.text`.
 * @example
 * ```ts
 * import { fillTemplate } from '@sluice/destinations/kit'
 *
 * console.log(fillTemplate('{{ event }} by {{ userId }}', { event: 'Order Completed', userId: 'u1' })) // Order Completed by u1
 * ```
 */
export function fillTemplate(
  template: string,
  event: JsonObject,
  write: (value: NonNullable<ReturnType<typeof valueAt>>) => string = text,
): string {
  return template.replace(placeholder, (_, path: string) => {
    const value = valueAt(event, path.split('.'))
    return value === undefined || value === null ? '' : write(value)
  })
}
