import { restoreSecrets } from '@sluice/configuration'
import type { Destination, JsonObject } from '@sluice/core'
import { nearestName } from '@sluice/core/nearest-name'
import { type DestinationDefinition, operatorSettings, parseSettings } from '@sluice/destinations/kit'
import { type Answer, problem } from '../gate/answer.ts'

type Settings = { readonly ok: true; readonly settings: JsonObject } | { readonly ok: false; readonly answer: Answer }

/**
 * Returns the settings of a destination, overridden by those of a call; a mask of an answer stands for its secret.
 * @param member of the body that has them, for messages.
 */
export function settingsOfCall(
  member: string,
  definition: DestinationDefinition,
  { settings }: Destination,
  given: JsonObject | undefined,
): Settings {
  if (given === undefined) return { ok: true, settings }
  const known = Object.keys(definition.settings.properties)
  const unknown = Object.keys(given).find((key) => !known.includes(key))
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, known)
    const hint = nearest === undefined ? '' : `did you mean ${nearest}? `
    const text = `${member}.${unknown.slice(0, 100)} is not a setting of ${definition.type}; ${hint}its settings are: ${known.join(', ')}`
    return { ok: false, answer: problem('settingUnknown', text) }
  }
  const ofOperator = operatorSettings(definition).find((key) => key in given && given[key] !== settings[key])
  if (ofOperator !== undefined) {
    const text = `${member}.${ofOperator} is a setting that only the operator decides; leave it out`
    return { ok: false, answer: problem('settingsInvalid', text) }
  }
  const restored = restoreSecrets(definition, given, settings)
  const parsed = parseSettings(definition, { ...settings, ...restored.settings })
  const problems = parsed.ok ? restored.problems : [...restored.problems, ...parsed.problems]
  if (parsed.ok && problems.length === 0) return parsed
  const texts = problems.map(({ path, value, allowed }) => {
    const shown = value === undefined ? 'missing' : JSON.stringify(value)
    return `${member}${path === '' ? '' : `.${path}`} is ${shown}; allowed is: ${allowed}`
  })
  return { ok: false, answer: problem('settingsInvalid', texts.join('; ')) }
}
