import { agentPart, type Condition, type Rule, to } from '../../kit/index.ts'

/** Returns rules that copy members of the context, in this order, by their names in Mixpanel. */
export function contextRules(paths: Readonly<Record<string, string>>, condition?: Condition): readonly Rule[] {
  const rules = Object.entries(paths).map(([name, path]) => to(name).from(`context.${path}`))
  return condition ? rules.map((rule) => rule.when(condition)) : rules
}

const isWeb: Condition = ({ channel }) => channel === 'web'

// Groups of rules that events and profiles share. They are small because Mixpanel's bodies are texts, and RudderStack
// writes the keys of events and of profiles in different orders.

export const screenRules = contextRules({ $screen_height: 'screen.height', $screen_width: 'screen.width' })

export const hardwareRules = contextRules({ $manufacturer: 'device.manufacturer', $model: 'device.model' })

const page = 'context.page'

/** The page that first led the user to the site. */
export const firstPageRules: readonly Rule[] = [
  to('$initial_referrer').from(`${page}.initial_referrer`, `${page}.initialReferrer`),
  to('$initial_referring_domain').from(`${page}.initial_referring_domain`, `${page}.initialReferringDomain`),
]

/** Fields of web events. User agents of apps are ignored, because they name only an embedded browser. */
export const browserRules: readonly Rule[] = [
  to('$browser').compute(agentPart('browserName')).when(isWeb),
  to('$browser_version').compute(agentPart('browserVersion')).when(isWeb),
]
