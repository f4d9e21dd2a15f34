import { fullFormats } from 'ajv-formats/dist/formats.js'
import { isUrl } from './is-url.ts'

/** Longest text, in characters, that can have a format. Longer ones have none, so that a check takes little time. */
export const formatTextMax = 10_000

type Check = (value: string | number) => boolean

/** Formats that every text has. */
const descriptive = new Set(['password', 'binary', 'float', 'double'])

const checks: ReadonlyMap<string, Check> = new Map(
  Object.entries(fullFormats).flatMap(([name, format]): readonly [string, Check][] =>
    descriptive.has(name) ? [] : [[name, name === 'url' ? forTexts(isUrl) : checkOf(format)]],
  ),
)

/** Names of the formats that are checked: those of ajv-formats. */
export const planFormats: readonly string[] = [...checks.keys()]

/**
 * Returns whether a text or number has a format. As the standard has it, and ajv without strict mode, formats that are not
 * known only describe, and every number has a format of texts.
 */
export function hasPlanFormat(name: string, value: string | number): boolean {
  return checks.get(name)?.(value) ?? true
}

function checkOf(format: (typeof fullFormats)[keyof typeof fullFormats]): Check {
  if (format instanceof RegExp) return forTexts((text) => format.test(text))
  if (typeof format === 'function') return forTexts((text) => format(text) === true)
  if (typeof format !== 'object' || !('validate' in format)) return () => true
  const { validate } = format as { readonly validate: unknown }
  if ('type' in format && format.type === 'number')
    return (value) => typeof value !== 'number' || (validate as (value: number) => boolean)(value)
  if (validate instanceof RegExp) return forTexts((text) => validate.test(text))
  return forTexts((text) => (validate as (text: string) => boolean)(text))
}

function forTexts(isMet: (text: string) => boolean): Check {
  return (value) => typeof value !== 'string' || (value.length <= formatTextMax && isMet(value))
}
