import { isJsonObject } from '@sluice/core'
import type { DestinationDefinition } from '../define/define-destination.ts'
import { isSettingTemplate } from './resolve-settings.ts'
import { secretTextsOf } from './secret-mask.ts'
import type { SettingsProblem } from './settings-problem.ts'

/** Largest length of a string. A PEM key of a service account has 3,000 characters. */
const textLengthMax = 16_384
/** Largest number of elements in a list, or of members in an object. */
const membersMax = 1_000
/** Largest number of levels. Mappings of Segment's actions nest directives; a deep one has twelve levels. */
const depthMax = 20
/**
 * Largest number of values, including lists and objects. The HTTP destination with 500 entries in each list has 4,500.
 */
const valuesMax = 5_000
/** Largest total length of all strings and names. */
const totalLengthMax = 131_072
/**
 * Largest total length of all secrets. Each call of the Test API builds a mask for them, which takes up to 50 ms for
 * this length.
 */
const secretsLengthMax = 32_768
/** Largest number of templates: each is looked up for every event. */
const templatesMax = 50

/**
 * Returns the first problem of settings that exceed a size limit, or undefined. All later checks, copies and searches
 * rely on these limits; this search itself stops at them.
 */
export function exceededSettingsLimit(
  definition: Pick<DestinationDefinition, 'secrets'>,
  settings: unknown,
): SettingsProblem | undefined {
  const excess = excessOfValues(settings)
  if (excess || !isJsonObject(settings)) return excess
  const secretsLength = secretTextsOf(definition, settings).reduce((sum, { length }) => sum + length, 0)
  return secretsLength > secretsLengthMax
    ? tooMuch('', 'more', `at most ${secretsLengthMax} characters in all secrets together`)
    : undefined
}

const tooMuch = (path: string, value: string, allowed: string): SettingsProblem => ({ path, value, allowed })

function excessOfValues(settings: unknown): SettingsProblem | undefined {
  let values = 0
  let totalLength = 0
  let templates = 0
  const visit = (value: unknown, path: string, depth: number): SettingsProblem | undefined => {
    values += 1
    if (values > valuesMax) return tooMuch('', 'more', `at most ${valuesMax} values in all settings together`)
    if (typeof value === 'string') {
      if (value.length > textLengthMax)
        return tooMuch(path, `a string of ${value.length} characters`, `at most ${textLengthMax} characters`)
      totalLength += value.length
      if (isSettingTemplate(value)) templates += 1
    } else if (typeof value === 'object' && value !== null) {
      const isList = Array.isArray(value)
      const count = isList ? value.length : Object.keys(value).length
      const kind = isList ? 'a list' : 'an object'
      if (count > membersMax) return tooMuch(path, `${kind} of ${count}`, `at most ${membersMax} entries`)
      if (depth >= depthMax) return tooMuch(path, kind, `at most ${depthMax} levels of lists and objects`)
      for (const [key, member] of isList ? value.entries() : Object.entries(value)) {
        const shownKey = String(key).slice(0, 100)
        if (!isList) totalLength += String(key).length
        const inner = isList ? `${path}[${key}]` : path === '' ? shownKey : `${path}.${shownKey}`
        const found = visit(member, inner, depth + 1)
        if (found) return found
      }
    }
    if (totalLength > totalLengthMax)
      return tooMuch('', 'more', `at most ${totalLengthMax} characters in all settings together`)
    return templates > templatesMax
      ? tooMuch('', 'more', `at most ${templatesMax} settings that events decide`)
      : undefined
  }
  return visit(settings, '', 0)
}
