import type { JsonObject, JsonValue } from '@sluice/core'
import { type Rule, to, type UserAgent, userAgent, valueAt } from '../../kit/index.ts'

/** Browser fields of web events. User agents of apps are ignored, because they name only an embedded browser. */
export const browserRules: readonly Rule[] = [
  to('$browser').compute(agent('browserName')).when(isWeb),
  to('$browser_version').compute(agent('browserVersion')).when(isWeb),
]

function isWeb({ channel }: JsonObject): boolean {
  return channel === 'web'
}

function agent(part: keyof UserAgent) {
  return (event: JsonObject): JsonValue | undefined => userAgent(valueAt(event, ['context', 'userAgent']))[part]
}
