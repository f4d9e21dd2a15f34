import type { TypedEvent } from '../../kit/index.ts'
import { configurationError, convert, fillTemplate, instrumentationError, type MappingError } from '../../kit/index.ts'
import type { MixpanelSettings } from './mixpanel-settings.ts'

/**
 * Returns the name of an event in Mixpanel. Pages and screens have a fixed name each, or use a template of the
 * settings.
 */
export function eventNameOf(event: TypedEvent, settings: MixpanelSettings): string | MappingError {
  const { type, event: name } = event
  if (type !== 'page' && type !== 'screen') {
    return name ? convert.text(name) : instrumentationError('a track event needs a name (event)')
  }
  const word = type === 'page' ? 'Page' : 'Screen'
  if (!settings[`useUserDefined${word}EventName`]) return `Loaded a ${word}`
  const setting = `userDefined${word}EventTemplate` as const
  const template = settings[setting]?.trim()
  return template
    ? fillTemplate(template, event)
    : configurationError(`${setting} must not be empty, since the settings use it`)
}
