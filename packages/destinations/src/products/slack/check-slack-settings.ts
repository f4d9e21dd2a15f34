import type { JsonObject, JsonValue } from '@sluice/core'
import { eventPatterns, objectsIn, parseMessageTemplate, type SettingsProblem } from '../../kit/index.ts'

const lists = ['eventChannelSettings', 'eventTemplateSettings'] as const

/** Returns the templates and the regular expressions that cannot be read. */
export function checkSlackSettings(settings: JsonObject): readonly SettingsProblem[] {
  const templates = objectsIn(settings['eventTemplateSettings']).flatMap(({ eventTemplate }, index) =>
    templateProblems(eventTemplate, `eventTemplateSettings[${index}].eventTemplate`),
  )
  const patterns = lists.flatMap((name) => {
    const found = eventPatterns(objectsIn(settings[name]))
    return found.ok ? [] : [problemAt(`${name}[${found.index}].eventName`, found.problem)]
  })
  return [...patterns, ...templateProblems(settings['identifyTemplate'], 'identifyTemplate'), ...templates]
}

function templateProblems(template: JsonValue | undefined, path: string): readonly SettingsProblem[] {
  const parsed = typeof template === 'string' ? parseMessageTemplate(template) : undefined
  return parsed?.ok === false ? [problemAt(path, parsed.problem)] : []
}

function problemAt(path: string, problem: string): SettingsProblem {
  return { path, value: undefined, allowed: problem }
}
