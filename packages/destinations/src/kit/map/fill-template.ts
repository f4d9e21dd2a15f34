import type { JsonObject } from '@sluice/core'
import { text } from '../convert/text.ts'
import { valueAt } from '../rules/key-path.ts'

const placeholder = /\{\{\{?\s*([^{}\s]+)\s*\}?\}\}/g

/**
 * Returns a template with each `{{ path }}` replaced by the value at that path of the event; '' when there is none.
 *
 * @param write converts a value to text. Default: `convert.text`.
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
