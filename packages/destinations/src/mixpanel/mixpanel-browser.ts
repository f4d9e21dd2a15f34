import type { JsonObject, JsonValue } from '@sluice/core'
import { valueAt } from '../rules/key-path.ts'
import type { Rule } from '../rules/rule.ts'
import { to } from '../rules/to.ts'
import { type UserAgent, userAgent } from '../user-agent.ts'

/** The browser of web events: apps send user agents too, which name no browser anyone chose. */
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
