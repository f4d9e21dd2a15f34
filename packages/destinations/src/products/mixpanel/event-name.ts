import type { JsonObject } from '@sluice/core'
import {
  configurationError,
  convert,
  fillTemplate,
  instrumentationError,
  type MappingError,
  type TypedEvent,
} from '../../kit/index.ts'
import type { MixpanelSettings } from './mixpanel-settings.ts'

/**
 * Returns the name of an event in Mixpanel. Pages and screens have a fixed name each, or use a template of the
 * settings.
 */
export function eventNameOf(event: TypedEvent, settings: MixpanelSettings): string | MappingError {
  switch (event.type) {
    case 'page':
      return settings.useUserDefinedPageEventName
        ? filled(settings.userDefinedPageEventTemplate, 'userDefinedPageEventTemplate', event)
        : 'Loaded a Page'
    case 'screen':
      return settings.useUserDefinedScreenEventName
        ? filled(settings.userDefinedScreenEventTemplate, 'userDefinedScreenEventTemplate', event)
        : 'Loaded a Screen'
    default: {
      const name = event['event']
      return name ? convert.text(name) : instrumentationError('a track event needs a name (event)')
    }
  }
}

function filled(template: string | undefined, setting: string, event: JsonObject): string | MappingError {
  if (!template?.trim()) return configurationError(`${setting} must not be empty, since the settings use it`)
  return fillTemplate(template.trim(), event)
}
