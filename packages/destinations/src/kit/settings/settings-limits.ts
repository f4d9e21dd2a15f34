import { isJsonObject } from '@sluice/core'
import type { DestinationDefinition } from '../define/define-destination.ts'
import { isSettingTemplate } from './resolve-settings.ts'
import { secretTextsOf } from './secret-mask.ts'
import type { SettingsProblem } from './settings-problem.ts'

/** Characters of one text: a key of a service account in PEM has 3,000. */
const textLengthMax = 16_384
/** Elements of a list, or members of an object. */
const membersMax = 1_000
/** Lists and objects inside each other; the deepest setting there is has three. */
const depthMax = 8
/** Values of every kind together, lists and objects included; the HTTP destination with 500 entries in each list has 4,500. */
const valuesMax = 5_000
/** Characters of all texts and names together. */
const totalLengthMax = 131_072
/** Characters of all secrets together: what masks them is built for each call of the Test API, in up to 50 ms for so many. */
const secretsLengthMax = 32_768
/** Settings that events decide: each is looked up for every event. */
const templatesMax = 50

/**
 * Finds the first thing that is too large in settings, wherever they come from. Every check, copy and search that follows
 * can then rely on these bounds; the search itself stops at them. Undefined when nothing is too large.
 */
export function excessOf(
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
        return tooMuch(path, `a text of ${value.length} characters`, `at most ${textLengthMax} characters`)
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
